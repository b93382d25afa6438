// Makes creating calls repeatable (Idempotency-Key): for a day, a repeat returns the first answer without its
// secrets.
//
// Thread contract: see records.h.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "features/host/records.h"
#include "features/host/route.h"
#include "threads/model/rows.h"

namespace parley::features {

// Identifies a repeat; the key is empty if the call cannot be repeated.
struct Repeat {
  protocol::TenantId keeper;  // the tenant under which the key is stored
  std::string key;            // bound to the caller and the route
  std::string digest;         // the whole request, to detect another one under the same key
};
// Returns BAD_REQUEST if the header is malformed.
protocol::Result<Repeat> RepeatOf(const Call& call, const protocol::TenantId& keeper);

// Runs `decide` on the writer's thread, up to its commit. `kept` removes the secret from the stored answer.
// Equal concurrent requests are decided one after another; the later ones return the stored answer.
template <class Reply>
void DecideOnce(const Call& call, const protocol::TenantId& tenant,
                std::function<protocol::Result<Reply>(accounts::RecordTransaction&)> decide,
                std::function<Reply(Reply)> kept, Answering<Reply> then,
                std::optional<protocol::TenantId> keeper = {}) {
  auto repeat = RepeatOf(call, keeper.value_or(tenant));
  if (!repeat.ok()) return then(std::move(repeat.error()));
  if (repeat->key.empty()) return DecideRecords<Reply>(call.host, tenant, std::move(decide), std::move(then));
  DecideRecords<Reply>(
      call.host, tenant,
      [repeat = *std::move(repeat), decide = std::move(decide),
       kept = std::move(kept)](accounts::RecordTransaction& records) -> protocol::Result<Reply> {
        PARLEY_TRY(before, records.FindRepeat(repeat.keeper, repeat.key, repeat.digest));
        if (before) {
          protocol::Document document;
          Reply reply;
          if (!threads::DecodeStored(*before, &document) || !protocol::Bind(document.root, &reply).ok())
            return protocol::Error(protocol::ErrorCode::kInternal, "an earlier answer cannot be read");
          return reply;
        }
        PARLEY_TRY(reply, decide(records));
        records.Remember(repeat.keeper, repeat.key, repeat.digest, protocol::Encode(kept(reply)));
        return std::move(reply);
      },
      std::move(then));
}

}  // namespace parley::features
