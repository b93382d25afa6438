// moderation.resetLadder, of one thread: what was found there in a user's texts counts no more.
//
// Of all threads together it is said in the user's standing instead (Conduct::ladder_reset_at), in one step.
#pragma once

#include <string>

#include "threads/engine/stage.h"

namespace parley::threads {

// The answer is an empty map. BAD_REQUEST and FORBIDDEN are judged by whoever gives the command.
Result<Decision> ResetLadder(Stage& stage, const Caller& caller, const ThreadId& thread, const UserId& user,
                             const std::string& reason);

}  // namespace parley::threads
