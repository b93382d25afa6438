// The op that sends one message to several threads.
#pragma once

#include "protocol/ops/base.h"
#include "protocol/ops/list.h"
#include "threads/messages/broadcast_args.h"

namespace parley::features {

struct ThreadBroadcast {
  static constexpr std::string_view kName = "thread.broadcast";
  static constexpr protocol::OpKind kKind = protocol::OpKind::kWrite;
  static constexpr bool kSpread = true;  // the text is sent to several threads
  static constexpr std::string_view kDoc =
      "owners: sends one message to each leg thread of an LBG; a reply stays in its own thread";
  using Args = threads::ThreadBroadcastArgs;
  // The outcome in one thread.
  struct Sent {
    protocol::ThreadId thread_id;
    std::optional<protocol::MessageId> message_id;
    std::optional<std::string> error;
    static constexpr void Fields(auto& field) {
      field("threadId", &Sent::thread_id, "a leg thread");
      field("messageId", &Sent::message_id, "the message there");
      field("error", &Sent::error, "an error code if it was not sent; a repeat tries again");
    }
  };
  struct Reply {
    protocol::List<Sent, threads::kMaxBroadcastThreads> sent;
    bool duplicate = false;
    static constexpr void Fields(auto& field) {
      field("sent", &Reply::sent, "one for each leg thread, oldest first");
      field("duplicate", &Reply::duplicate, "true: all of it had been sent already");
    }
  };
};

using BroadcastOps = protocol::OpList<ThreadBroadcast>;

}  // namespace parley::features
