// Computes slow password hashes on the password-hash pool: makes new secrets and proves given ones.
//
// Thread contract: the I/O thread's loop, on which `then` is called, too; `make` runs elsewhere and owns its
// data.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "accounts/users/secret.h"
#include "gateway/http/route.h"
#include "protocol/base/crypto.h"

namespace parley::gateway {

// Calls `then` with the result of `make`, or with UNAVAILABLE if too many computations wait, of this tenant
// or of all.
template <class T>
void MakeSlowly(IoThread& io, const protocol::TenantId& tenant, std::function<T()> make, Answering<T> then) {
  auto made = std::make_shared<std::optional<T>>();
  // Moved, not copied: `then` belongs to the loop and is destroyed there.
  auto held = std::make_shared<Answering<T>>(std::move(then));
  io.node().password_hash_pool().Submit(
      tenant.ToText(), [made, make = std::move(make)] { made->emplace(make()); },
      [&loop = io.loop(), made, held = std::move(held)](const protocol::Status& status) mutable {
        loop.Post([made, held = std::move(held), status] {
          (*held)(status.ok() ? protocol::Result<T>(**std::move(made)) : protocol::Result<T>(status.error()));
        });
      });
}

inline std::function<accounts::NewSecret()> NewSecretOf(const Call& call, std::string_view prefix) {
  return [prefix, now = call.node().clock().Now()] {
    return accounts::PrepareSecret(prefix, now, [](size_t size) { return protocol::RandomBytes(size); });
  };
}

}  // namespace parley::gateway
