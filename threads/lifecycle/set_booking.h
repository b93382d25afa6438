// The command thread.setBooking, by which a service reports whether a project's booking is live.
#pragma once

#include <vector>

#include "protocol/ops/lifecycle.h"
#include "threads/engine/transaction.h"

namespace parley::threads {

// While the booking is live, blocks do not apply in the thread. No event reports the change to members.
struct SetBooking {
  using Op = protocol::ThreadSetBooking;
  struct Loaded {
    Standing standing;
    std::vector<ParticipantRow> marks;  // rows whose mark of a block changes
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads
