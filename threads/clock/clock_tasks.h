// What nobody asks for: commands that the clock gives. Whoever notices that a time has come (fan-out keeps an
// index of them) posts the task to the executor; the task looks at the rows again and does what they still
// ask for, so posting it twice, or late, or for nothing changes nothing.
#pragma once

#include <string_view>

#include "threads/engine/stage.h"

namespace parley::threads {

// WARNING: these numbers are on disk, in the index in order of time. Never renumber, never reuse.
enum class ClockTask : uint8_t {
  kSnooze = 1,  // a member's snooze is over
  kIdle = 2,    // nobody spoke for long: the thread is put away in every inbox
  kTip = 3,     // the safety tip before a first meeting
  kCards = 4,   // open cards that nobody answered in time lapse
  kForget = 5,  // rows were kept long enough
  kMute = 6,    // a member's mute is over
};
inline constexpr ClockTask kLastClockTask = ClockTask::kMute;

// `user`: whose snooze or mute; not looked at otherwise. A reply that is not empty says that the task did a
// slice of its work: it is posted again, behind whatever else came meanwhile, with `from` as replied.
Result<Decision> RunClockTask(Stage& stage, const TenantId& tenant, ClockTask task, const ThreadId& thread,
                              const UserId& user, std::string_view from = {});

}  // namespace parley::threads
