// The work of the clock on files: ends uploads that stopped, forgets files that no message shows, and starts
// work again that a restart interrupted.
#pragma once

#include <vector>

#include "features/host/feature.h"

namespace parley::features {

std::vector<DueTask> FindFileTasks(const DueSearch& search);

}  // namespace parley::features
