// Handles moderation.resetLadder for one thread: removes the user's strikes there.
//
// A reset for all threads is one time in the user's sanction instead (Sanction::strikes_reset_at).
#pragma once

#include "threads/engine/transaction.h"
#include "threads/model/record_act.h"

namespace parley::threads {

// Answers with an empty map, and records `act` with the user and their points before and after.
// THREAD_NOT_MEMBER; FORBIDDEN for callers who are not staff, and for staff about themselves.
Result<Decision> ResetStrikes(Transaction& tx, const Caller& caller, const ThreadId& thread,
                              const UserId& user, StaffAct act);

}  // namespace parley::threads
