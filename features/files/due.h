// The work of the clock on files: ends uploads that stopped, forgets files that no message shows, ends the
// wait for bands, starts work again that a restart interrupted, and removes bytes that no row names.
#pragma once

#include <string>
#include <vector>

#include "features/host/feature.h"

namespace parley::features {

std::vector<DueTask> FindFileTasks(const DueSearch& search);

// Wakes the clock if messages have lost files, or bytes were condemned, so that it acts at once.
void WakeIfFilesDue(Host& host, const protocol::TenantId& tenant);
// The same as a step after an op.
void WakeIfDue(Host& host, const OpCall& call, std::string answer, Done done);

}  // namespace parley::features
