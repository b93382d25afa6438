// Answers thread.audit, which shows staff the acts on a thread's cards and the accesses to the thread.
#pragma once

#include <functional>
#include <string>

#include "protocol/ops/staff.h"
#include "threads/model/read_context.h"

namespace parley::threads {

// Whether the case with this id is hidden from the caller.
using HidesCase = std::function<Result<bool>(const std::string&)>;
ReadAnswer ListAudit(const ReadContext& context, const protocol::ThreadAudit::Args& args,
                     const HidesCase& hides);

}  // namespace parley::threads
