// Answers the questions of threads/contacts/ about strangers: shared projects, contact filters, credits.
//
// Thread contract: the checks run on any executor's thread.
#pragma once

#include "features/host/feature.h"

namespace parley::features {

void AddRequestChecks(const CheckParts& parts, threads::Checks* checks);

}  // namespace parley::features
