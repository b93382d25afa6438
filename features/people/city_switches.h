// What a tenant's switches say of a city: cities in settings and in threads are compared as people read them.
// The names are folded once for each change of the settings.
//
// Thread-safe.
#pragma once

#include <optional>
#include <string>

#include "accounts/tenants/tenant.h"

namespace parley::features {

// In threads of the city, or in those without one.
accounts::Switched SwitchedIn(const accounts::TenantPtr& tenant, const std::optional<std::string>& city);

}  // namespace parley::features
