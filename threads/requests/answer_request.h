// Answers to a message request, by its receiver: accepts, declines or blocks. Repeating an answer changes
// nothing; a different answer is rejected, except that a declined request can still be blocked. The ops are
// in features/requests/.
#pragma once

#include "threads/engine/transaction.h"
#include "threads/model/uncounted.h"
#include "threads/requests/request_forms.h"

namespace parley::threads {

struct AnswerLoaded {
  // The thread of the request, if the caller named it by its own id: the command continues there.
  std::optional<ThreadId> elsewhere;
  std::optional<ThreadRow> head;
  std::optional<ParticipantRow> me;
  std::optional<RequestRow> invited;  // the caller's invitation to a group
  Uncounted uncounted;
  std::optional<int64_t> credits;  // the caller's remaining credits
};
Result<AnswerLoaded> LoadAnswer(Transaction& tx, const Caller& caller, const RequestArgs& args,
                                protocol::RequestState answer);
Result<Decision> DecideAnswer(AnswerLoaded loaded, const Caller& caller, const RequestArgs& args,
                              protocol::RequestState answer, Moment moment);

// Sets the state of the thread's request; both sides receive it and their entries follow.
Decision RequestChanged(const ThreadRow& head, protocol::RequestState state, Moment moment);

// Ends the thread's requests that have expired, for the clock.
Result<Decision> ExpireRequest(Transaction& tx, const TenantId& tenant, const ThreadRow& head);

}  // namespace parley::threads
