// What nobody asks for: commands that the clock gives. Whoever notices that a time has come (fan-out keeps an
// index of them) posts the task to the executor; the task looks at the rows again and does what they still
// ask for, so posting it twice, or late, or for nothing changes nothing.
#pragma once

#include "threads/stage.h"

namespace parley::threads {

enum class ClockTask : uint8_t {
  kSnooze,  // a member's snooze is over
  kIdle,    // nobody spoke for long: the thread is put away in every inbox
  kTip,     // the safety tip before a first meeting
};

// `user`: whose snooze; not looked at otherwise.
Result<Decision> RunClockTask(Stage& stage, const TenantId& tenant, ClockTask task, const ThreadId& thread,
                              const UserId& user);

}  // namespace parley::threads
