// thread.setBooking: a service says whether a project's booking is live.
#pragma once

#include <vector>

#include "protocol/ops/blocks.h"
#include "threads/engine/transaction.h"

namespace parley::threads {

// Whether a project's booking is live, which nobody is told: while it is, blocks do not hold in the thread.
struct SetBooking {
  using Op = protocol::ThreadSetBooking;
  struct Loaded {
    Standing standing;
    std::vector<ParticipantRow> marks;  // of blocks, as they are to be then
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads
