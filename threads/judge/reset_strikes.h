// Handles moderation.resetLadder for one thread: removes the user's strikes there.
//
// A reset for all threads is one time in the user's sanction instead (Sanction::strikes_reset_at).
#pragma once

#include <string>

#include "threads/engine/transaction.h"

namespace parley::threads {

// Answers with an empty map. THREAD_NOT_MEMBER; FORBIDDEN for callers who are not staff, and for staff about
// themselves.
Result<Decision> ResetStrikes(Transaction& tx, const Caller& caller, const ThreadId& thread,
                              const UserId& user, const std::string& reason);

}  // namespace parley::threads
