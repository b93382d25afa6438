// thread.audit: staff read what was done to cards, and by whom the thread was looked at.
#pragma once

#include <functional>
#include <string>

#include "protocol/ops/staff.h"
#include "threads/model/read_context.h"

namespace parley::threads {

// Whether the caller is not told of a case, by its id.
using HidesCase = std::function<Result<bool>(const std::string&)>;
ReadAnswer ListAudit(const ReadContext& context, const protocol::ThreadAudit::Args& args,
                     const HidesCase& hides);

}  // namespace parley::threads
