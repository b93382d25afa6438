// When the buyer and the seller of a thread meet, kept for the pair and not for the thread (MET#): they meet
// for the first time once, however many threads they share. Each row is written by its own thread's commands
// only, in the partition of the lower of the two ids; all rows of the pair are adjacent there.
//
// Thread contract: on an executor's thread. A row of another thread that is being written at the same moment
// may be missed.
#pragma once

#include "threads/engine/transaction.h"

namespace parley::threads {

struct PairMeetings {
  MeetingRow own;                // of the thread in question
  std::optional<Time> earliest;  // of the others
  bool tipped = false;           // in any of them
};
Result<PairMeetings> ReadMeetings(Transaction& tx, const TenantId& tenant, const protocol::Thread& thread);

// Staged ahead of the decision in progress; lost if that decision changes nothing.
void WriteMeeting(Transaction& tx, const TenantId& tenant, const protocol::Thread& thread,
                  const MeetingRow& row);

// Whether a meeting at `at` is the pair's first.
bool IsFirstMeeting(const PairMeetings& meetings, Time at);

}  // namespace parley::threads
