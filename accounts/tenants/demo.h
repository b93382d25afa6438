// The tenant of a demo: a stored tenant like any other, created by the first start with --demo. Its signing
// key and its service key are derived from the store's secret, so that the server can give them to any
// caller. It is served under --demo only, even if the store contains it. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "accounts/tenants/administration.h"

namespace parley::accounts {

inline constexpr std::string_view kDemoTenant = "demo";

// The initial stored form, which is also served until it is stored.
NewTenant DemoTenantWish(std::string_view store_secret);
Tenant MakeDemoTenant(std::string_view store_secret);
// Its replacement for a tenant key.
std::string DemoServiceKey(std::string_view store_secret);

}  // namespace parley::accounts
