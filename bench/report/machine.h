// Describes the machine of a run: a ratio cannot be judged without it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace parley::bench {

// Names and values: date, commit, processor, memory, kernel, load, and the time of a sync on the disk below
// `scratch`.
std::vector<std::pair<std::string, std::string>> DescribeMachine(const std::string& scratch);

}  // namespace parley::bench
