// Staff who look into a thread of which they are not members leave a record first: LOOK# in the thread's own
// partition, from which fan-out makes an entry of the tenant's audit chain. Nothing is shown before it is
// recorded.
#pragma once

#include <string>
#include <string_view>

#include "threads/engine/transaction.h"

namespace parley::threads {

// The record, or why not: THREAD_NOT_MEMBER if the staff member is bound to cases and none is open. Changes
// nothing for a member, except for message.history and moderation.audit. `reason`: why they look, if they
// said so. REQUIRES: the caller is staff.
Result<Decision> RecordAccess(Transaction& tx, const Caller& caller, const ThreadId& thread,
                              std::string_view op, const std::string& reason = {});

}  // namespace parley::threads
