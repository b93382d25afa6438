// The text policy: what it checks of a tenant's settings. See README.md.
#pragma once

#include "features/host/feature.h"

namespace parley::features {

const Feature& TextPolicyFeature();

}  // namespace parley::features
