// The keys of users' items. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "protocol/base/ids.h"

namespace parley::accounts {

inline constexpr std::string_view kTenantsTable = "tenants";
inline constexpr std::string_view kApiKeyTable = "user-api-key";
inline constexpr std::string_view kRefreshTokenTable = "user-refresh-token";

inline std::string TenantHash(const protocol::TenantId& tenant) {
  return "TENANT#" + tenant.ToText();
}
inline std::string UserRange(std::string_view user) {
  return "USER#" + std::string(user);
}
inline std::string StandingRange(std::string_view user) {
  return "STANDING#" + std::string(user);
}
inline std::string IdentityRange(std::string_view type, std::string_view id) {
  return "IDENT#" + std::string(type) + "#" + std::string(id);
}
inline std::string ApiKeyHash(const protocol::UserId& user) {
  return "user-api-keys/" + user.ToText();
}
inline std::string RefreshTokenHash(const protocol::UserId& user) {
  return "user-refresh-tokens/" + user.ToText();
}

}  // namespace parley::accounts
