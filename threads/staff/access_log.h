// Records accesses to threads by staff who are not members, before any content is shown: LOOK# in
// the thread's own partition, which fan-out turns into an entry of the tenant's audit chain.
#pragma once

#include <string>
#include <string_view>

#include "threads/engine/transaction.h"

namespace parley::threads {

// The op of a link to a file in quarantine.
inline constexpr std::string_view kQuarantinedLook = "files.getQuarantined";

// Writes the record. THREAD_NOT_MEMBER if the staff member is bound to cases and has no open one here.
// Changes nothing for a member, except for message.history, moderation.audit and kQuarantinedLook. `reason`:
// the reason they gave, if any. REQUIRES: the caller is staff.
Result<Decision> RecordAccess(Transaction& tx, const Caller& caller, const ThreadId& thread,
                              std::string_view op, const std::string& reason = {});

}  // namespace parley::threads
