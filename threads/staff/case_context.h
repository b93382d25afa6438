// Reads the context of a case for the staff who decide it: the thread, the messages around the reported one,
// or the newest ones, and the members.
#pragma once

#include <optional>

#include "protocol/cases.h"
#include "threads/model/read_context.h"

namespace parley::threads {

// REQUIRES: the caller is staff, and their access is recorded. If the thread does not exist, the context is
// empty. `masked`: contact data and codes are masked (model/mask.h).
Result<protocol::CaseContext> ReadCaseContext(const ReadContext& context, const ThreadId& thread,
                                              const std::optional<MessageId>& message, bool masked);

}  // namespace parley::threads
