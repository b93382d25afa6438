// The command message.send, which also sends each message of a broadcast.
#pragma once

#include <vector>

#include "protocol/ops/messages.h"
#include "threads/judge/judge.h"
#include "threads/model/file_row.h"

namespace parley::threads {

struct SendMessage {
  using Op = protocol::MessageSend;
  struct Loaded {
    Standing standing;
    std::optional<IdempotencyRow> earlier = {};
    bool reply_to_exists = true;
    // For one of several messages, each in a leg thread of an LBG.
    std::optional<protocol::BroadcastMark> broadcast = {};
    protocol::Status paid = protocol::Ok();
    Judged judged = {};  // the text policy's verdict on the body
    // The uploads that it sends, or the error that rejects them after those of the caller.
    Result<std::vector<FileRow>> uploads = std::vector<FileRow>();
  };
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const Op::Args& args);
  static Result<Decision> Decide(Loaded loaded, const Caller& caller, const Op::Args& args,
                                 const SizeLimits& limits, Moment moment);
};

}  // namespace parley::threads
