// request.accept, request.decline and request.block: by whoever was asked. An answer that is repeated changes
// nothing; another one after it is refused, but that a request which was declined can still be blocked.
#pragma once

#include "protocol/ops/requests.h"
#include "threads/engine/transaction.h"
#include "threads/model/uncounted.h"

namespace parley::threads {

struct AnswerLoaded {
  // Where the request lies, if it was named by its own id: there the command goes on.
  std::optional<ThreadId> elsewhere;
  std::optional<ThreadRow> head;
  std::optional<ParticipantRow> me;
  std::optional<RequestRow> invited;  // by which the caller is asked into a group
  Uncounted uncounted;
  std::optional<int64_t> credits;  // that the caller has left
};
Result<AnswerLoaded> LoadAnswer(Transaction& tx, const Caller& caller, const protocol::RequestArgs& args,
                                protocol::RequestState answer);
Result<Decision> DecideAnswer(AnswerLoaded loaded, const Caller& caller, const protocol::RequestArgs& args,
                              protocol::RequestState answer, Moment moment);

template <class AnswerOp>
struct AnswerRequest {
  using Op = AnswerOp;
  using Loaded = AnswerLoaded;
  static Result<Loaded> Load(Transaction& tx, const Caller& caller, const protocol::RequestArgs& args) {
    return LoadAnswer(tx, caller, args, Op::kState);
  }
  static Result<Decision> Decide(Loaded loaded, const Caller& caller, const protocol::RequestArgs& args,
                                 const SizeLimits&, Moment moment) {
    return DecideAnswer(std::move(loaded), caller, args, Op::kState, moment);
  }
};
using AcceptRequest = AnswerRequest<protocol::RequestAccept>;
using DeclineRequest = AnswerRequest<protocol::RequestDecline>;
using BlockRequest = AnswerRequest<protocol::RequestBlock>;

// The request of the thread gets another state: both are told, and their entries follow.
Decision RequestChanged(const ThreadRow& head, protocol::RequestState state, Moment moment);

// What the clock does to a request whose time is over.
Result<Decision> ExpireRequest(Transaction& tx, const TenantId& tenant, const ThreadRow& head);

}  // namespace parley::threads
