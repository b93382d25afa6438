// The machine that a run was made on: a ratio cannot be judged without it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace parley::bench {

// Names and values: date, commit, processor, memory, kernel, load, and how long the disk below `scratch`
// takes for a sync.
std::vector<std::pair<std::string, std::string>> DescribeMachine(const std::string& scratch);

}  // namespace parley::bench
