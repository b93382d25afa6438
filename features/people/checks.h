// Answers the questions of commands about blocks, sanctions and the tenant's switches.
//
// Thread contract: the checks run on any executor's thread.
#pragma once

#include "features/host/feature.h"

namespace parley::features {

void AddPeopleChecks(const CheckParts& parts, threads::Checks* checks);

}  // namespace parley::features
