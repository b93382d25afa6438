// The tenant of a demo: a stored tenant like any other, made by the first start with --demo. What it signs
// with and what stands for its key are derived from the store's secret, so that they can be told to anybody
// who asks. It is served under --demo only, whatever the store holds of it. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "accounts/tenants/administration.h"

namespace parley::accounts {

inline constexpr std::string_view kDemoTenant = "demo";

// As it is stored first, and as it is served until it is stored.
NewTenant DemoTenantWish(std::string_view store_secret);
Tenant MakeDemoTenant(std::string_view store_secret);
// What stands for a tenant key of it.
std::string DemoServiceKey(std::string_view store_secret);

}  // namespace parley::accounts
