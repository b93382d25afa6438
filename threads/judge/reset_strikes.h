// moderation.resetLadder, of one thread: what was found there in a user's texts counts no more.
//
// Of all threads together it is said in the user's standing instead (Conduct::ladder_reset_at), in one step.
#pragma once

#include <string>

#include "threads/engine/transaction.h"

namespace parley::threads {

// The answer is an empty map. THREAD_NOT_MEMBER; FORBIDDEN for whoever is not staff, and for staff about
// themselves.
Result<Decision> ResetStrikes(Transaction& tx, const Caller& caller, const ThreadId& thread,
                              const UserId& user, const std::string& reason);

}  // namespace parley::threads
