// The command thread.schedule, by which a service or staff set when the parties meet.
#pragma once

#include "protocol/ops/clock.h"
#include "threads/engine/transaction.h"

namespace parley::threads {

struct ScheduleThread {
  using Op = protocol::ThreadSchedule;
  struct Loaded {
    Standing standing;
    bool met_before = false;  // the two, in this thread or another
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads
