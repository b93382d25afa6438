// Ops for the recipient of a stranger's first message: accept or decline it.
#pragma once

#include "protocol/ops/base.h"

namespace parley::protocol {

struct RequestArgs {
  std::optional<ThreadId> thread_id;
  std::optional<RequestId> request_id;
  static constexpr void Fields(auto& field) {
    using T = RequestArgs;
    field("threadId", &T::thread_id, "the thread that the caller is asked to come into; or requestId");
    field("requestId", &T::request_id, "the request; or threadId");
  }
};

struct RequestReply {
  EncodedOf<Entry> entry;
  Omit<int64_t> credits_remaining;
  static constexpr void Fields(auto& field) {
    using T = RequestReply;
    field("entry", &T::entry, "the caller's inbox entry");
    field("creditsRemaining", &T::credits_remaining, "the caller's own credits of this month");
  }
};

struct RequestAccept {
  static constexpr std::string_view kName = "request.accept";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "lets in who asked: the thread moves to the folder `all`, and its content can be read";
  static constexpr RequestState kState = RequestState::kAccepted;
  using Args = RequestArgs;
  using Reply = RequestReply;
};

struct RequestDecline {
  static constexpr std::string_view kName = "request.decline";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "declines a request and notifies its author; an entry without a preview stays in the folder `requests`";
  static constexpr RequestState kState = RequestState::kDeclined;
  using Args = RequestArgs;
  using Reply = RequestReply;
};

struct RequestBlock {
  static constexpr std::string_view kName = "request.block";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "declines a request and blocks its author, who is notified of the decline only";
  static constexpr RequestState kState = RequestState::kBlocked;
  using Args = RequestArgs;
  using Reply = RequestReply;
};

}  // namespace parley::protocol
