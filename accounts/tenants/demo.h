// The tenant of a demo: everything about it is derived from the store's secret, so tokens outlive a restart.
// It is served under --demo only, whatever the store holds of it. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "accounts/tenants/tenant.h"

namespace parley::accounts {

inline constexpr std::string_view kDemoTenant = "demo";

Tenant MakeDemoTenant(std::string_view store_secret);
// What stands for a tenant key of it.
std::string DemoServiceKey(std::string_view store_secret);

}  // namespace parley::accounts
