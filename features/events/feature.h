// The feature events, as the server's list of features names it.
#pragma once

#include <vector>

#include "features/host/feature.h"
#include "features/host/route.h"

namespace parley::features {

const Feature& EventFeature();
std::vector<HttpRoute> EventRoutes();

}  // namespace parley::features
