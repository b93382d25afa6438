// Cases as their items tell them: what lists are made of agrees with the case itself, the counts with all
// cases, nothing was decided by fewer people than it needs nor by who reported it, and the audit tells of
// each.
#pragma once

#include <functional>
#include <string>

#include "storage/table.h"

namespace parley::fanout {

storage::Status CheckCases(const storage::Reader& snapshot,
                           const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
