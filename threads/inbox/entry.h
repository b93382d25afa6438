// Computes inbox entries and unread numbers from a thread's rows. Pure functions; no number is incremented.
#pragma once

#include <cstdint>

#include "threads/model/rows.h"
#include "threads/model/uncounted.h"

namespace parley::threads {

// The number of messages above the last one that the user has read, written or joined after, without the
// uncounted ones. REQUIRES: `uncounted` was read from the user's base or below.
int64_t Unread(const ThreadRow& thread, const ParticipantRow& me, const Uncounted& uncounted);

// Archived until the next message.
bool IsArchived(const ThreadRow& thread, const ParticipantRow& me);

// Hidden until a time or an event, by default the next message. A command clears it when its time is over.
bool IsSnoozed(const ThreadRow& thread, const ParticipantRow& me);

// Removes the snooze, whichever event it waits for.
void WakeUp(ParticipantRow* me);

// False once a mute has expired.
bool IsMuted(const ParticipantRow& me, protocol::Time now);

// The time by which an inbox sorts the thread.
protocol::Time InboxPlace(const ThreadRow& thread);

protocol::Entry ComputeEntry(const ThreadRow& thread, const ParticipantRow& me, const Uncounted& uncounted,
                             protocol::Time now);

// Hides the messages of a group from an invited user: their text, their time and their number.
void ShowInvited(protocol::Entry* entry);

protocol::Me ComputeMe(const ParticipantRow& me, protocol::Time now);

}  // namespace parley::threads
