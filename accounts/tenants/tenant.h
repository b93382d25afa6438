// A tenant, as everybody on the server sees it: its record (table `tenants`, kind `tenant`) with the keys
// that sign its users' tokens. Values, any thread.
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
#include "protocol/events.h"
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
  std::string settings_json = "{}";  // what was set
  TenantSettings settings;           // the same, read
  protocol::Time created_at, updated_at;
  int64_t version = 0;
  std::string signing_secret;         // HS256, of the tokens that we issue
  std::vector<TokenKey> own_keys;     // its back end's, by kid
  std::vector<VerifyKey> token_keys;  // all of these that are usable, prepared; the algorithm is the key's

  bool user_projects() const;  // whether users may make project threads
  int64_t refresh_grace_seconds() const;
  Limits limits() const;
  MessageRequests message_requests() const;
  bool allows(std::string_view origin) const;  // of a web page
  std::vector<std::string> allowed_origins() const;
  // Which inbox folders are offered; `otherwise`: where it sets none.
  protocol::FolderSet folders(protocol::FolderSet otherwise) const;
  protocol::EventKindSet event_kinds() const;  // which become integration events
};
using TenantPtr = std::shared_ptr<const Tenant>;

// 3 to 40 of a-z, 0-9 and hyphens, none of these at an end.
std::optional<protocol::TenantId> NewTenantId(std::string_view text);

// From its record; keys are added with AddTokenKey. nullopt: it cannot be read.
std::optional<Tenant> TenantOf(const storage::Item& record);
storage::Item RecordOf(const Tenant& tenant);
// Adds what the record of a signing key says; false: it cannot be read. A key that earlier versions accepted
// and that is not usable any more stays listed, and verifies nothing.
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
