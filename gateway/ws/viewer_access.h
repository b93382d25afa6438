// Answers from memory whether the user of a session may still see a thread; for live delivery, which must not
// wait for the disk.
//
// Thread contract: the loop's thread. REQUIRES (all): the client is authenticated.
#pragma once

#include <optional>

#include "gateway/ws/session_core.h"

namespace parley::gateway {

// According to the rows. REQUIRES: a change of the user's participation is being delivered.
bool IsMember(const SessionCore& core, const protocol::ThreadId& thread);
// Returns true if the user may still look at the thread as staff; `masked` is then set if its items are
// masked. REQUIRES: a change of the thread is being delivered.
bool MayLook(const SessionCore& core, const protocol::ThreadId& thread, bool* masked);
// The same for deliveries without a change: access as a member or by a case, as far as memory has the rows.
// Returns nullopt if it lacks them.
std::optional<bool> MaySee(const SessionCore& core, const protocol::ThreadId& thread);

}  // namespace parley::gateway
