// The outbox of a thread, which lists its unacknowledged outside effects, and the command outbox.ack.
#pragma once

#include "protocol/ops/cards.h"
#include "threads/engine/transaction.h"

namespace parley::threads {

struct AckOutbox {
  using Op = protocol::OutboxAck;
  struct Loaded {
    Standing standing;
    std::vector<int64_t> seqs;  // seqs of existing rows that await no answer
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

// Whether the thread's outbox has reached its limit.
Result<bool> IsOutboxFull(Transaction& tx, const Caller& caller, const ThreadId& thread);

// UNAVAILABLE for a member while the outbox is full, because the back end is too slow. Staff, services and
// the clock pass, since they finish effects rather than add to them without end.
protocol::Status RequireRoomInOutbox(bool full, const Standing& standing);

}  // namespace parley::threads
