#include "threads/requests/answer_request.h"

#include "protocol/base/reason.h"
#include "protocol/ops/lifecycle.h"
#include "threads/contacts/first_contact.h"
#include "threads/inbox/entry.h"
#include "threads/members/manage_participants.h"
#include "threads/model/requests.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {
namespace {

using protocol::RequestState;

protocol::Error NoRequest() {
  return ErrorFor(protocol::Reason::kNoRequest, "no such request to the caller");
}

bool MayFollow(RequestState before, RequestState answer) {
  if (before == RequestState::kPending) return true;
  return before == RequestState::kDeclined && answer == RequestState::kBlocked;
}

protocol::Status MayAnswer(const RequestRow& request, RequestState answer, Time now) {
  const RequestState state = StateAt(request, now);
  if (state == answer || MayFollow(state, answer)) return protocol::Ok();
  return ErrorFor(protocol::Reason::kRequestAnswered,
                  "the request is " + std::string(protocol::NameOf(state)) + " already");
}

// Whether the caller may know of a request in the thread and answer it.
protocol::Status RequireAsked(const Caller& caller, const AnswerLoaded& loaded, const RequestArgs& args) {
  const bool member = loaded.me && loaded.me->active();
  if (!loaded.head || (!member && !loaded.invited && !caller.sees_all())) return NotMember();
  const auto& request = loaded.invited ? loaded.invited : loaded.head->hidden.request.value;
  if (!request || (args.request_id && request->request_id != *args.request_id)) return NoRequest();
  if (caller.user == request->to && (member || loaded.invited)) return protocol::Ok();
  return ErrorFor(protocol::Reason::kRequestOfAnother, "only who was asked answers a request");
}

// Whether a member of a group repeats their acceptance.
bool IsIn(const AnswerLoaded& loaded, RequestState answer) {
  return loaded.head && loaded.me && loaded.me->active() && answer == RequestState::kAccepted &&
         TraitsOf(loaded.head->item.kind).owned;
}

std::string ReplyWith(const protocol::Entry& entry, const AnswerLoaded& loaded) {
  RequestReply reply;
  reply.entry.msgpack = Wire(entry);
  reply.credits_remaining.value = loaded.credits;
  return protocol::Encode(reply);
}

// Answers an invitation: adds the stranger to the group or stores their refusal, which their entry shows.
Result<Decision> DecideInvited(const AnswerLoaded& loaded, RequestState answer, Moment moment) {
  const ThreadRow& head = *loaded.head;
  RequestRow request = *loaded.invited;
  request.state = answer;
  Draft draft(head, moment.now);
  ParticipantRow row = RowOfInvited(head, request);
  if (answer == RequestState::kAccepted) {
    PARLEY_CHECK_OK(RequireOpen(head));
    if (head.item.participant_count >= static_cast<int64_t>(protocol::kMaxParticipants))
      return ErrorFor(protocol::Reason::kThreadFull, "the thread has as many participants as it may have");
    row.item.joined_at = moment.now;
    row.item.role_context = DefaultRoleOf(head.item.kind);
    if (loaded.me) row.item.seq = loaded.me->item.seq;  // they return
    TakeInvited(&draft.head(), request.to);
    Join(&draft, row);
  } else {
    AnswerInvited(&draft.head(), request.to, answer);
    draft.HeadKept();
  }
  Decision decision = draft.Finish({});
  decision.changed |= kInboxChange | kTimersChange;
  protocol::Entry entry = ComputeEntry(*decision.head, row, loaded.uncounted, moment.now);
  entry.request = ShownRequest(request, request.to);
  decision.requests.push_back(std::move(request));
  decision.reply = ReplyWith(entry, loaded);
  return decision;
}

}  // namespace

Result<AnswerLoaded> LoadAnswer(Transaction& tx, const Caller& caller, const RequestArgs& args,
                                RequestState answer) {
  if (!args.thread_id && !args.request_id) return Error::BadRequest("threadId or requestId is required");
  AnswerLoaded loaded;
  if (!args.thread_id) {
    if (!caller.user) return ErrorFor(protocol::Reason::kOnlyUsers, "a request is answered by a user");
    PARLEY_TRY(found, FindRequest(tx, caller.tenant, *caller.user, *args.request_id));
    if (!found) return NoRequest();
    loaded.elsewhere = std::move(found);
    return loaded;
  }
  PARLEY_TRY(head, tx.Thread(caller.tenant, *args.thread_id));
  loaded.head = std::move(head);
  if (loaded.head && caller.user) {
    PARLEY_TRY(me, tx.Participant(caller.tenant, *args.thread_id, *caller.user));
    loaded.me = std::move(me);
  }
  if (loaded.head && caller.user) {
    if (const RequestRow* invited = InvitedIn(*loaded.head, *caller.user)) loaded.invited = *invited;
  }
  PARLEY_TRY(credits, tx.Ask(caller.tenant, OwnCredits{caller}));
  loaded.credits = credits;
  if (!loaded.invited && IsIn(loaded, answer)) return loaded;
  PARLEY_CHECK_OK(RequireAsked(caller, loaded, args));
  RequestRow request = loaded.invited ? *loaded.invited : *loaded.head->hidden.request.value;
  PARLEY_CHECK_OK(MayAnswer(request, answer, tx.moment().now));
  if (request.state != answer) {
    // Blocking is always possible, like a report.
    if (answer != RequestState::kBlocked) {
      const WriteBarriers question{std::nullopt, loaded.head->item.city};
      PARLEY_TRY(barriers, tx.AskIn(caller.tenant, *args.thread_id, question));
      PARLEY_CHECK_OK(RequireSwitchedOn(barriers.messaging));
    }
    // Accepting connects the two, which a block made since the request forbids.
    if (answer == RequestState::kAccepted) {
      PARLEY_TRY(blocked, AreBlocked(tx, caller.tenant, request.from, request.to));
      if (blocked) return BlockedByUser();
    }
    request.state = answer;
    WriteContact(tx, caller.tenant, *args.thread_id, request);
  }
  if (loaded.invited) return loaded;
  if (loaded.head->hidden.deleted_count > 0) {
    PARLEY_TRY(found, tx.Rows(caller.tenant).UncountedAbove(*args.thread_id, loaded.me->unread_base()));
    loaded.uncounted = std::move(found);
  }
  return loaded;
}

Decision RequestChanged(const ThreadRow& head, RequestState state, Moment moment) {
  Draft draft(head, moment.now);
  RequestRow& request = *draft.head().hidden.request.value;
  request.state = state;
  draft.HeadKept();
  RequestRow changed = request;
  Decision decision = draft.Finish({});
  decision.changed |= kInboxChange | kTimersChange;
  decision.requests.push_back(std::move(changed));
  return decision;
}

Result<Decision> DecideAnswer(AnswerLoaded loaded, const Caller& caller, const RequestArgs& args,
                              RequestState answer, Moment moment) {
  if (loaded.elsewhere) {
    RequestArgs there = args;
    there.thread_id = loaded.elsewhere;
    Decision onward = AnswerOnly({});
    onward.onward = {*loaded.elsewhere, [caller, there, answer](Transaction& tx) -> Result<Decision> {
                       PARLEY_TRY(again, LoadAnswer(tx, caller, there, answer));
                       return DecideAnswer(std::move(again), caller, there, answer, tx.moment());
                     }};
    return onward;
  }
  if (loaded.invited && loaded.invited->state == answer) {
    const ParticipantRow row = RowOfInvited(*loaded.head, *loaded.invited);
    return AnswerOnly(ReplyWith(ComputeEntry(*loaded.head, row, {}, moment.now), loaded));
  }
  if (loaded.invited) return DecideInvited(loaded, answer, moment);
  Decision decision;
  const auto& request = loaded.head->hidden.request.value;
  if (request && request->to == caller.user && request->state != answer)
    decision = RequestChanged(*loaded.head, answer, moment);
  const ThreadRow& after = decision.head ? *decision.head : *loaded.head;
  decision.reply = ReplyWith(ComputeEntry(after, *loaded.me, loaded.uncounted, moment.now), loaded);
  return decision;
}

Result<Decision> ExpireRequest(Transaction& tx, const TenantId& tenant, const ThreadRow& head) {
  const Moment moment = tx.moment();
  const auto due = RequestDue(head);
  if (!due || *due > moment.now) return AnswerOnly({});
  Draft draft(head, moment.now);
  std::vector<RequestRow> expired;
  if (auto& own = draft.head().hidden.request.value;
      own && own->state == RequestState::kPending && own->expires_at <= moment.now) {
    own->state = RequestState::kExpired;
    expired.push_back(*own);
  }
  for (const RequestRow& invited : InvitedTo(head)) {
    if (invited.state != RequestState::kPending || invited.expires_at > moment.now) continue;
    TakeInvited(&draft.head(), invited.to);
    expired.push_back(invited);
    expired.back().state = RequestState::kExpired;
  }
  for (const RequestRow& request : expired) WriteContact(tx, tenant, head.item.thread_id, request);
  draft.HeadKept();
  Decision decision = draft.Finish({});
  decision.changed |= kInboxChange | kTimersChange;
  decision.requests = std::move(expired);
  return decision;
}

}  // namespace parley::threads
