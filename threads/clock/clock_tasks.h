// The commands of the clock, which no user sends. Fan-out keeps an index of wakes and posts a task to the
// executor when its time comes. The task reads the rows again and does only what is still due, so it is
// harmless if it is posted twice, late, or for nothing.
#pragma once

#include <string_view>

#include "threads/engine/transaction.h"

namespace parley::threads {

// WARNING: these numbers are on disk, in the index of wakes. Never renumber, never reuse.
enum class ClockTask : uint8_t {
  kSnooze = 1,   // a member's snooze has ended
  kIdle = 2,     // no message for long: archives the thread in every inbox
  kTip = 3,      // the safety tip before a first meeting
  kCards = 4,    // open cards lapse that were not answered in time
  kForget = 5,   // the retention of some rows is over
  kMute = 6,     // a mute has ended
  kRequest = 7,  // a message request has expired
};
inline constexpr ClockTask kLastClockTask = ClockTask::kRequest;

// `user`: the owner of the snooze or mute; ignored otherwise. A non-empty reply means that the task did a
// slice of its work: it is posted again after the commands that came since, with the reply as `from`.
Result<Decision> RunClockTask(Transaction& tx, const TenantId& tenant, ClockTask task, const ThreadId& thread,
                              const UserId& user, std::string_view from = {});

}  // namespace parley::threads
