// The feature events, as the server's list of features names it.
#pragma once

#include "features/host/feature.h"

namespace parley::features {

const Feature& EventFeature();

}  // namespace parley::features
