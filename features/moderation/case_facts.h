// Checks moderation cases: the listed attributes agree with the case, the counts agree with the cases, each
// decision had enough approvers and none of them reported the case, and each case has its audit entry.
#pragma once

#include <memory>

#include "fanout/verify/facts.h"

namespace parley::features::facts {

std::unique_ptr<fanout::Facts> MakeCaseFacts();

}  // namespace parley::features::facts
