// Files: uploads, their bytes, and who may fetch them. See README.md.
#pragma once

#include "features/host/feature.h"
#include "features/host/route.h"

namespace parley::features {

std::vector<HttpRoute> UploadRoutes();
std::vector<HttpRoute> VerdictRoutes();
std::vector<HttpRoute> FileRoutes();
std::vector<HttpRoute> ProfileRoutes();

const Feature& FileFeature();

}  // namespace parley::features
