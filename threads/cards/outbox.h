// The outbox: a thread's waiting outside effects, and outbox.ack.
#pragma once

#include "protocol/ops/cards.h"
#include "threads/engine/transaction.h"

namespace parley::threads {

struct AckOutbox {
  using Op = protocol::OutboxAck;
  struct Loaded {
    Standing standing;
    std::vector<int64_t> seqs;  // of the rows that exist and await nothing
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

// Whether the thread's outbox has reached its limit.
Result<bool> IsOutboxFull(Transaction& tx, const Caller& caller, const ThreadId& thread);

// UNAVAILABLE for a member while the outbox is full: their back end does not keep up. Staff, services and the
// clock end what is there, so they do not add to it forever.
protocol::Status RequireRoomInOutbox(bool full, const Standing& standing);

}  // namespace parley::threads
