// Tenants: whose users talk, which keys sign their tokens, and what they allow.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/jwt.h"
#include "accounts/limits/limit_settings.h"
#include "protocol/base/ids.h"

namespace parley::accounts {

struct Tenant {
  protocol::TenantId id;
  std::vector<VerifyKey> token_keys;  // tried in order; the algorithm is the key's
  std::string signing_secret;         // HS256, for tokens that we issue ourselves; empty: we issue none
  std::string service_key;            // what the tenant's back end presents; empty: none
  bool user_projects = true;          // users may create project threads
  Limits limits;
};

// Read-only once built. Thread-safe.
class TenantDirectory {
 public:
  void Add(Tenant tenant);
  const Tenant* Find(std::string_view id) const;
  std::vector<protocol::TenantId> Ids() const;
  // The tenant whose back end presents this key, compared in constant time; nullptr if there is none.
  const Tenant* FindByServiceKey(std::string_view key) const;

 private:
  std::vector<Tenant> tenants_;
};

inline constexpr std::string_view kDemoTenant = "demo";
inline constexpr std::string_view kServiceKeyPrefix = "psk_";

// The demo tenant of a store: its keys are derived from the store's secret, so tokens outlive a restart.
Tenant MakeDemoTenant(std::string_view store_secret);

}  // namespace parley::accounts
