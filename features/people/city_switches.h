// Reads a tenant's messaging switches by city. Names of cities are compared folded, as people read them;
// those in the settings are folded once for each change of the settings.
//
// Thread contract: any thread.
#pragma once

#include <optional>
#include <string>

#include "features/people/settings.h"

namespace parley::features {

// The switch for threads of the city, or of no city.
Switched SwitchedIn(const accounts::TenantPtr& tenant, const std::optional<std::string>& city);

}  // namespace parley::features
