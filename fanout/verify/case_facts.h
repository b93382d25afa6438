// Checks moderation cases: the listed attributes agree with the case, the counts agree with the cases, each
// decision had enough approvers and none of them reported the case, and each case has its audit entry.
#pragma once

#include <functional>
#include <string>

#include "storage/table.h"

namespace parley::fanout {

storage::Status CheckCases(const storage::Reader& snapshot,
                           const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
