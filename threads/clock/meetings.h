// The meetings of a buyer and a seller, stored for the pair and not for the thread (MET#): they meet for the
// first time once, however many threads they share. Only its own thread's commands write a row, in the
// partition of the lower of the two ids; all rows of the pair are adjacent there.
//
// Thread contract: on an executor's thread. A read may miss another thread's row that is written at the same
// moment.
#pragma once

#include "threads/engine/transaction.h"

namespace parley::threads {

struct PairMeetings {
  MeetingRow own;                // in the given thread
  std::optional<Time> earliest;  // in the other threads
  bool tipped = false;           // the tip was posted in one of the threads
};
Result<PairMeetings> ReadMeetings(Transaction& tx, const TenantId& tenant, const protocol::Thread& thread);

// Writes the row ahead of the decision in progress; has no effect if that decision changes nothing.
void WriteMeeting(Transaction& tx, const TenantId& tenant, const protocol::Thread& thread,
                  const MeetingRow& row);

// Whether a meeting at `at` is the pair's first.
bool IsFirstMeeting(const PairMeetings& meetings, Time at);

}  // namespace parley::threads
