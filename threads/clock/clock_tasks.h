// Commands that no user asks for: the clock gives them. Fan-out, which keeps an index of wakes, posts a task
// to the executor when its time comes; the task looks at the rows again and does what they still ask for, so
// posting it twice, late, or for nothing does no harm.
#pragma once

#include <string_view>

#include "threads/engine/transaction.h"

namespace parley::threads {

// WARNING: these numbers are on disk, in the index of wakes. Never renumber, never reuse.
enum class ClockTask : uint8_t {
  kSnooze = 1,   // a member's snooze is over
  kIdle = 2,     // nobody has written for long: the thread is archived in every inbox
  kTip = 3,      // the safety tip before a first meeting
  kCards = 4,    // open cards that nobody answered in time lapse
  kForget = 5,   // some rows have been kept long enough
  kMute = 6,     // a mute has ended
  kRequest = 7,  // a message request has expired
};
inline constexpr ClockTask kLastClockTask = ClockTask::kRequest;

// `user`: whose snooze or mute; ignored otherwise. A non-empty reply says that the task did a slice of its
// work: it is posted again, behind other commands that came meanwhile, with `from` as replied.
Result<Decision> RunClockTask(Transaction& tx, const TenantId& tenant, ClockTask task, const ThreadId& thread,
                              const UserId& user, std::string_view from = {});

}  // namespace parley::threads
