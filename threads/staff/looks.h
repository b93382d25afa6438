// Staff who look into a thread whose members they are not leave a record first: LOOK# in the thread's own
// partition, read by moderation.audit. What is not recorded is not shown.
#pragma once

#include <string_view>

#include "threads/engine/stage.h"

namespace parley::threads {

// The record, or why not: THREAD_NOT_MEMBER where staff is bound to cases and none is open. Changes nothing
// for a member, message.history aside. REQUIRES: the caller is staff.
Result<Decision> RecordLook(Stage& stage, const Caller& caller, const ThreadId& thread, std::string_view op);

}  // namespace parley::threads
