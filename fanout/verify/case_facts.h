// Cases as their items tell them: what lists are made of agrees with the case itself, the counts with all
// cases, and nothing was decided by fewer people than it needs.
#pragma once

#include <functional>
#include <string>

#include "storage/table.h"

namespace parley::fanout {

storage::Status CheckCases(const storage::Reader& snapshot,
                           const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
