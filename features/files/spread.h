// Brings all uploads in line with the mark of their bytes, a few at a time. After a crash the clock begins
// again; uploads that are in line already do not change.
//
// Thread contract: as features/host/feature.h says of timed work.
#pragma once

#include <vector>

#include "features/host/feature.h"

namespace parley::features {

void FindSpreads(const DueSearch& search, const protocol::TenantId& tenant, std::vector<DueTask>* out);

}  // namespace parley::features
