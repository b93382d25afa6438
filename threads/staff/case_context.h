// What a case is about, for whoever decides it: the thread, the messages around the one that was reported, or
// the newest ones, and who takes part.
#pragma once

#include <optional>

#include "protocol/ops/moderation.h"
#include "threads/model/read_context.h"

namespace parley::threads {

// REQUIRES: the caller is staff, and that they look is on record. A thread that is not there is an empty
// context. `masked`: what staff do not need to see is hidden (mask.h).
Result<protocol::CaseContext> ReadCaseContext(const ReadContext& context, const ThreadId& thread,
                                              const std::optional<MessageId>& message, bool masked);

}  // namespace parley::threads
