// Every feature of the server. A new feature is a folder and a line in all.cc.
#pragma once

#include "features/host/feature.h"

namespace parley::features {

std::span<const Feature* const> AllFeatures();

}  // namespace parley::features
