// The inbox entry and the unread number: pure functions of a thread's rows. Nothing is incremented.
#pragma once

#include <cstdint>

#include "threads/model/rows.h"
#include "threads/model/uncounted.h"

namespace parley::threads {

// Messages above everything that the user has read, written or joined after, less those that are uncounted.
// REQUIRES: `uncounted` was read from the user's base or below.
int64_t Unread(const ThreadRow& thread, const ParticipantRow& me, const Uncounted& uncounted);

// Archived until the next message.
bool IsArchived(const ThreadRow& thread, const ParticipantRow& me);

// Hidden until its time or its event, which is the next message if nothing else was asked for. Its time is
// over when a command has cleared it.
bool IsSnoozed(const ThreadRow& thread, const ParticipantRow& me);

// Removes the snooze, whatever it waits for.
void WakeUp(ParticipantRow* me);

// A mute that has run out reads as none.
bool IsMuted(const ParticipantRow& me, protocol::Time now);

// Where the thread stands in an inbox.
protocol::Time InboxPlace(const ThreadRow& thread);

protocol::Entry ComputeEntry(const ThreadRow& thread, const ParticipantRow& me, const Uncounted& uncounted,
                             protocol::Time now);

// Of a group nothing is told to whom it is not open: not what is said, nor when, nor how much.
void ShowInvited(protocol::Entry* entry);

protocol::Me ComputeMe(const ParticipantRow& me, protocol::Time now);

}  // namespace parley::threads
