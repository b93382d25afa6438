// When the buyer and the seller of a thread meet, kept for the two of them and not for the thread (MET#):
// they meet for the first time once, however many threads they share. Each row is written by its own thread's
// commands only, in the partition of the lower of the two ids; all rows of the pair lie together there.
//
// Thread contract: on an executor's thread. A row of another thread that is being written at this moment may
// be missed.
#pragma once

#include "threads/engine/stage.h"

namespace parley::threads {

struct PairMeetings {
  MeetingRow own;                // of the thread that is asked about
  std::optional<Time> earliest;  // of the others
  bool tipped = false;           // in any of them
};
Result<PairMeetings> ReadMeetings(Stage& stage, const TenantId& tenant, const protocol::Thread& thread);

// Staged ahead of the decision that is being made; lost if it changes nothing.
void WriteMeeting(Stage& stage, const TenantId& tenant, const protocol::Thread& thread,
                  const MeetingRow& row);

// Whether a meeting at `at` is the first of the two.
bool IsFirstMeeting(const PairMeetings& meetings, Time at);

}  // namespace parley::threads
