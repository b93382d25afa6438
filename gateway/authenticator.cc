#include "gateway/authenticator.h"

namespace parley::gateway {

using protocol::Error;
using protocol::ErrorCode;

protocol::Result<Identity> Authenticator::Authenticate(std::string_view credential) const {
  const Error refused(ErrorCode::kUnauthenticated, "the credential is not valid");
  if (credential.starts_with(accounts::kServiceKeyPrefix)) {
    const accounts::Tenant* tenant = tenants_.FindByServiceKey(credential);
    if (!tenant) return refused;
    return Identity{{tenant->id, std::nullopt, threads::Role::kService}, std::nullopt};
  }
  const auto tid = accounts::UnverifiedTenant(credential);
  const accounts::Tenant* tenant = tid ? tenants_.Find(*tid) : nullptr;
  if (!tenant) return refused;
  const accounts::TokenRules rules{tenant->id.ToText() != accounts::kDemoTenant};
  const auto verified = accounts::VerifyToken(credential, tenant->token_keys, clock_.Now().ms / 1000, rules);
  if (const auto* fault = std::get_if<accounts::TokenFault>(&verified)) {
    if (*fault == accounts::TokenFault::kExpired)
      return Error(ErrorCode::kAuthExpired, "the token has expired");
    return refused;
  }
  const auto& claims = std::get<accounts::Claims>(verified);
  const auto role = protocol::EnumFromName<threads::Role>(claims.role);
  const auto user = protocol::UserId::FromText(claims.sub);
  if (!role || *role == threads::Role::kService || !user || claims.tid != tenant->id.value) return refused;
  Identity identity{{tenant->id, *user, *role}, protocol::Time{claims.exp_s * 1000}};
  identity.caller.by_case = staff_by_case_ && identity.caller.is_staff();
  const auto adult = claims.attrs.find("adult");
  identity.adult = adult != claims.attrs.end() && adult->second == accounts::AttrValue(true);
  return identity;
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

}  // namespace parley::gateway
