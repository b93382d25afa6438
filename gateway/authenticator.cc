#include "gateway/authenticator.h"

#include "accounts/jwt.h"
#include "accounts/tenants/demo.h"
#include "accounts/tenants/operator_key.h"
#include "accounts/tenants/tenant_keys.h"
#include "gateway/cold_reads.h"
#include "protocol/base/crypto.h"

namespace parley::gateway {

using accounts::CredentialState;
using protocol::Error;
using protocol::ErrorCode;

struct Authenticator::Found {
  Identity identity;
  accounts::ConnectFacts facts;
};

bool Authenticator::IsOperatorKey(std::string_view credential) const {
  return !settings_.operator_key.empty() && protocol::ConstantTimeEqual(settings_.operator_key, credential);
}

protocol::Status Authenticator::FindTenantKey(const storage::Reader& reader, const Knock& knock,
                                              Found* found) const {
  found->facts.is_service = true;
  found->identity.caller.role = threads::Role::kService;
  if (!settings_.demo_key.empty() && protocol::ConstantTimeEqual(settings_.demo_key, knock.credential)) {
    found->facts.credential = CredentialState::kGood;
    found->facts.tenant = tenants_.Find(accounts::kDemoTenant);
    return protocol::Ok();
  }
  PARLEY_TRY(known, accounts::FindTenantKey(reader, knock.credential, clock_.Now(), settings_.sealing_key));
  if (!known) return protocol::Ok();
  found->facts.credential = CredentialState::kGood;
  found->facts.tenant = tenants_.Find(known->tenant.ToText());
  found->identity.key_id = std::move(known->key_id);
  return protocol::Ok();
}

protocol::Status Authenticator::FindToken(const storage::Reader& reader, const Knock& knock,
                                          Found* found) const {
  static_cast<void>(reader);
  const auto tid = accounts::UnverifiedTenant(knock.credential);
  accounts::TenantPtr tenant = tid ? tenants_.Find(*tid) : nullptr;
  if (!tenant) return protocol::Ok();
  const auto verified = accounts::VerifyToken(knock.credential, tenant->token_keys, clock_.Now().ms / 1000);
  if (const auto* fault = std::get_if<accounts::TokenFault>(&verified)) {
    if (*fault == accounts::TokenFault::kExpired) found->facts.credential = CredentialState::kExpired;
    return protocol::Ok();
  }
  const auto& claims = std::get<accounts::Claims>(verified);
  const auto role = protocol::EnumFromName<threads::Role>(claims.role);
  const auto user = protocol::UserId::FromText(claims.sub);
  if (!role || *role == threads::Role::kService || !user || claims.tid != tenant->id.value)
    return protocol::Ok();
  Identity& identity = found->identity;
  identity.caller.role = *role;
  identity.caller.user = *user;
  identity.expires_at = protocol::Time{claims.exp_s * 1000};
  const auto adult = claims.attrs.find("adult");
  identity.adult = adult != claims.attrs.end() && adult->second == accounts::AttrValue(true);
  found->facts.credential = CredentialState::kGood;
  found->facts.tenant = std::move(tenant);
  return protocol::Ok();
}

protocol::Result<Identity> Authenticator::Judge(const storage::Reader& reader, const Knock& knock) const {
  Found found;
  found.facts.writes = knock.writes;
  found.facts.origin = knock.origin;
  if (knock.credential.starts_with(accounts::kOperatorKeyPrefix)) {
    found.identity.is_operator = found.facts.is_operator = IsOperatorKey(knock.credential);
    if (found.facts.is_operator) found.facts.credential = CredentialState::kGood;
    found.facts.tenant = tenants_.Find(knock.tenant);
    found.facts.origin = {};  // no page has it
    found.identity.caller.role = threads::Role::kService;
  } else if (knock.credential.starts_with(accounts::kTenantKeyPrefix)) {
    PARLEY_CHECK_OK(FindTenantKey(reader, knock, &found));
  } else {
    PARLEY_CHECK_OK(FindToken(reader, knock, &found));
  }
  PARLEY_CHECK_OK(accounts::DecideConnect(found.facts, knock.purpose));
  threads::Caller& caller = found.identity.caller;
  caller.tenant = found.facts.tenant->id;
  const auto& access = found.facts.tenant->settings.staff_access.value;
  const bool by_case = access ? *access == accounts::StaffAccess::kCases : settings_.staff_by_case;
  caller.by_case = by_case && caller.is_staff();
  return std::move(found.identity);
}

std::optional<std::string_view> Authenticator::Bearer(std::string_view header) {
  constexpr std::string_view kScheme = "bearer ";
  if (header.size() <= kScheme.size()) return std::nullopt;
  for (size_t i = 0; i < kScheme.size(); ++i) {
    const char c = header[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != kScheme[i]) return std::nullopt;
  }
  return header.substr(kScheme.size());
}

void Authenticate(Lane& lane, const ReadRoad& road, Knock knock,
                  std::function<void(protocol::Result<Identity>)> then) {
  ReadAnywhere<Identity>(
      lane, road,
      [&authenticator = lane.node().authenticator(), knock = std::move(knock)](
          const storage::Reader& reader) { return authenticator.Judge(reader, knock); },
      std::move(then));
}

}  // namespace parley::gateway
