// message.send, and each of the messages of a broadcast.
#pragma once

#include "protocol/ops/messages.h"
#include "threads/judge/judge.h"

namespace parley::threads {

struct SendMessage {
  using Op = protocol::MessageSend;
  struct Loaded {
    Standing standing;
    std::optional<IdempotencyRow> earlier;
    bool reply_to_exists = true;
    std::optional<protocol::BroadcastMark> broadcast;  // it is one of several, in each leg thread of an LBG
    protocol::Status paid = protocol::Ok();
    Judged judged = {};  // the body, by the text policy
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(Loaded loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads
