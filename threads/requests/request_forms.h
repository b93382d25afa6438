// The arguments and the reply of an answer to a message request.
#pragma once

#include "protocol/ops/base.h"

namespace parley::threads {

struct RequestArgs {
  std::optional<protocol::ThreadId> thread_id;
  std::optional<protocol::RequestId> request_id;
  static constexpr void Fields(auto& field) {
    using T = RequestArgs;
    field("threadId", &T::thread_id, "the thread that the caller is asked to come into; or requestId");
    field("requestId", &T::request_id, "the request; or threadId");
  }
};

struct RequestReply {
  protocol::EncodedOf<protocol::Entry> entry;
  protocol::Omit<int64_t> credits_remaining;
  static constexpr void Fields(auto& field) {
    using T = RequestReply;
    field("entry", &T::entry, "the caller's inbox entry");
    field("creditsRemaining", &T::credits_remaining, "the caller's own credits of this month");
  }
};

}  // namespace parley::threads
