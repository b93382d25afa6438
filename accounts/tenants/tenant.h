// A tenant in memory: its record (table `tenants`, kind `tenant`) with the keys that sign its users' tokens.
// Values, any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/jwt.h"
#include "accounts/tenants/settings.h"
#include "protocol/base/ids.h"
#include "protocol/base/time.h"
#include "protocol/ops/inbox.h"
#include "storage/items/attribute.h"

namespace parley::accounts {

enum class TenantStatus : uint8_t { kActive, kSuspended, kOnboarding };

// A key with which the tenant's own back end signs tokens.
struct TokenKey {
  VerifyKey key;
  protocol::Time created_at;
};

struct Tenant {
  protocol::TenantId id;
  std::string name;
  TenantStatus status = TenantStatus::kOnboarding;
  std::string settings_json = "{}";  // as stored
  TenantSettings settings;           // the same, parsed
  protocol::Time created_at, updated_at;
  int64_t version = 0;
  std::string signing_secret;         // HS256, for the tokens that we issue
  std::vector<TokenKey> own_keys;     // its back end's, by kid
  std::vector<VerifyKey> token_keys;  // all usable ones, prepared; the algorithm is the key's

  bool user_projects() const;  // whether users may make project threads
  int64_t refresh_grace_seconds() const;
  EffectiveLimits limits() const;
  bool allows(std::string_view origin) const;  // a web page's
  std::vector<std::string> allowed_origins() const;
  // The offered inbox folders; `otherwise` if the tenant sets none.
  protocol::FolderSet folders(protocol::FolderSet otherwise) const;
};
using TenantPtr = std::shared_ptr<const Tenant>;

// 3 to 40 of a-z, 0-9 and hyphens, which may not be at an end.
std::optional<protocol::TenantId> NewTenantId(std::string_view text);

// Parses its record, without keys (AddTokenKey adds them). nullopt if it cannot be read.
std::optional<Tenant> TenantOf(const storage::Item& record);
storage::Item RecordOf(const Tenant& tenant);
// Adds a signing key from its record; returns false if it cannot be read. A key that earlier versions
// accepted and that is no longer usable stays listed, and verifies nothing.
bool AddTokenKey(const storage::Item& record, Tenant* tenant);
storage::Item RecordOf(const protocol::TenantId& tenant, const TokenKey& key);

}  // namespace parley::accounts

template <>
struct parley::protocol::EnumNames<parley::accounts::TenantStatus> {
  static constexpr std::string_view kNames[] = {"active", "suspended", "onboarding"};
};
template <>
struct parley::protocol::EnumNames<parley::accounts::JwtAlg> {
  static constexpr std::string_view kNames[] = {"HS256", "EdDSA", "RS256"};
};
