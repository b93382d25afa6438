#include "threads/lifecycle/direct_thread.h"

#include <algorithm>

#include "protocol/ops/messages.h"
#include "threads/contacts/first_contact.h"
#include "threads/contacts/known_users.h"
#include "threads/engine/idempotency.h"
#include "threads/model/preview.h"
#include "threads/model/requests.h"
#include "threads/model/staff_view.h"

namespace parley::threads {
namespace {

using protocol::RequestState;

struct PairPlace {
  storage::PartitionKey partition;
  storage::SortKey sort;
};
PairPlace PairPlaceOf(const TenantId& tenant, const Parties& pair) {
  const auto& [lower, higher] = std::minmax(pair.one, pair.other);
  return {UserPartition(tenant, lower), DirectKey(higher)};
}

// The owner of the key that remembers a firstMessage. No user id begins with a blank.
UserId FirstOwner(const Caller& caller) {
  return UserId{protocol::KeyText::UpToNul(" first " + caller.user->value.text())};
}

}  // namespace

Result<std::optional<ThreadId>> FindDirect(Transaction& tx, const TenantId& tenant, const Parties& pair) {
  const PairPlace place = PairPlaceOf(tenant, pair);
  PARLEY_TRY(found, tx.Rows(tenant).Reservation(place.partition, place.sort));
  return found ? std::optional(found->thread) : std::nullopt;
}

void ReserveDirect(Transaction& tx, const TenantId& tenant, const Parties& pair,
                   const ReservationRow& reservation) {
  const PairPlace place = PairPlaceOf(tenant, pair);
  tx.Reserve(place.partition, place.sort, EncodeReservation(reservation));
}

std::string CreatedReply(const Caller& caller, const ThreadRow& head,
                         const std::vector<ParticipantRow>& participants) {
  protocol::ThreadCreate::Reply reply;
  reply.thread.msgpack = WireFor(caller, head);
  for (const ParticipantRow& row : participants) {
    if (!row.active() || reply.participants.count == protocol::kListedParticipants) continue;
    reply.participants.msgpack += Wire(row.item);
    ++reply.participants.count;
  }
  if (caller.user) reply.request.value = RequestSeenBy(head, *caller.user);
  return protocol::Encode(reply);
}

Result<std::vector<ParticipantRow>> ListedMembers(Transaction& tx, const TenantId& tenant,
                                                  const ThreadRow& head) {
  std::vector<ParticipantRow> out;
  for (const UserId& user : head.item.participants.items) {
    PARLEY_TRY(row, tx.Participant(tenant, head.item.thread_id, user));
    if (row) out.push_back(std::move(*row));
  }
  return out;
}

int64_t AppendFirst(Draft* draft, const Caller& caller, const CreateArgs& args, const Judged& judged,
                    protocol::IdSource* ids, const protocol::Omit<UserId>& only_for, bool remembers) {
  protocol::Message message;
  message.body = BodyFor(judged, args.first_message->value, &message.flags);
  message.author_user_id = caller.user;
  // Without a clientId: the caller's names the thread, and may be used for a send within it.
  message = draft->AppendMessage(message, PreviewOf(message), ids, only_for);
  KeepOriginal(draft, judged, caller, message, args.first_message->value);
  if (!remembers || !args.client_id) return message.msg_no;
  protocol::MessageSend::Reply sent;
  sent.message_id = message.message_id;
  sent.created_at = message.created_at;
  sent.seq = message.seq;
  sent.msg_no = message.msg_no;
  sent.nudge = NudgeFor(judged);
  RememberFor(draft, FirstOwner(caller), *args.client_id, DigestOf(args), protocol::Encode(sent));
  return message.msg_no;
}

void RememberCreated(Draft* draft, const Caller& caller, const CreateArgs& args) {
  if (!TraitsOf(args.kind).pair || !args.client_id || args.first_message) return;
  RememberFor(draft, FirstOwner(caller), *args.client_id, DigestOf(args),
              protocol::Encode(protocol::Empty{}));
}

bool MayReopen(const ThreadRow& head, const UserId& user, Time now) {
  const auto& request = head.hidden.request.value;
  if (!request || request->state == RequestState::kAccepted) return false;
  const RequestState state = StateAt(*request, now);
  if (user == request->to) return state != RequestState::kPending;
  return user == request->from && (state == RequestState::kPending || state == RequestState::kExpired);
}

namespace {

// The request that replaces the thread's, whose rows are reserved; nullopt: the request stays.
Result<std::optional<RequestRow>> Reopened(Transaction& tx, const Caller& caller, const CreateArgs& args,
                                           const ThreadRow& head) {
  const Time now = tx.moment().now;
  std::optional<RequestRow> next;
  if (!MayReopen(head, *caller.user, now)) return next;
  next = head.hidden.request.value;
  next->state = RequestState::kAccepted;
  const ThreadId& thread = head.item.thread_id;
  const UserId& to = next->to;
  if (caller.user == next->from) {
    PARLEY_TRY(acquaintances, AcquaintancesOf(tx, caller, {to}, thread));
    const Acquaintance to_them = acquaintances.at(to);
    const bool over = CameToNothing(head, now);
    if (to_them == Acquaintance::kRefused || (to_them == Acquaintance::kStrangers && !over))
      return std::optional<RequestRow>();
    if (to_them == Acquaintance::kStrangers) {
      PARLEY_TRY(reception, tx.Ask(caller.tenant, ReceptionBy{caller, to, SaidIn(args)}));
      if (!reception.unmet.empty()) return FilterUnmet(std::move(reception));
      tx.Release(UserPartition(caller.tenant, to), RequestKey(next->request_id));
      FirstContact contact = NewContact(tx, caller, thread, to, reception, args.contact.value);
      if (!contact.request) return next;
      contact.request->credit_cost = 0;
      return std::move(contact.request);
    }
  }
  WriteContact(tx, caller.tenant, thread, *next);
  return next;
}

// The checks for asking again beyond those of every write, since it counts as a start.
protocol::Status RequireMayAsk(Transaction& tx, const Caller& caller, const CreateArgs& args,
                               const RequestRow& request) {
  PARLEY_CHECK_OK(RequireVerified(tx, caller));
  PARLEY_CHECK_OK(RequireKnown(tx, caller, {{"participants.0.userId", request.to}}));
  PARLEY_CHECK_OK(tx.Pay({Charge::Kind::kReach, caller, {}, 0}));
  const std::string text = args.first_message ? args.first_message->value : "";
  return tx.Pay({Charge::Kind::kStart, caller, {}, 0, text});
}

Decision Answered(const Caller& caller, const ThreadRow& head, const std::vector<ParticipantRow>& members) {
  return AnswerOnly(CreatedReply(caller, head, members));
}

}  // namespace

Result<Decision> ComeBack(Transaction& tx, const Caller& caller, const CreateArgs& args, const Judged& judged,
                          const ThreadId& thread) {
  PARLEY_TRY(standing, tx.StandingAtDoor(caller, thread));
  PARLEY_TRY(members, ListedMembers(tx, caller.tenant, standing.head));
  std::optional<IdempotencyRow> earlier;
  if (args.client_id) {
    PARLEY_TRY(found, FindEarlierOf(tx, caller.tenant, thread, FirstOwner(caller), *args.client_id));
    earlier = std::move(found);
    if (earlier && !SaidBefore(earlier->digest, args))
      return Error(ErrorCode::kIdempotencyConflict, "this clientId created a thread with other content");
  }
  std::optional<RequestRow> request;
  if (!earlier) {
    PARLEY_TRY(reopened, Reopened(tx, caller, args, standing.head));
    request = std::move(reopened);
  }
  if (!request) PARLEY_CHECK_OK(RequireLetIn(caller, standing.head));
  if (earlier || (!request && !args.first_message)) return Answered(caller, standing.head, members);

  Standing open = standing;
  if (request) open.head.hidden.request.value->state = RequestState::kAccepted;
  PARLEY_CHECK_OK(RequirePermission(open, protocol::Permission::kWrite));
  PARLEY_CHECK_OK(RequireMayWrite(open, caller, Writing::kMessage));
  const bool starts = request && request->state == RequestState::kPending;
  if (starts) PARLEY_CHECK_OK(RequireMayAsk(tx, caller, args, *request));
  if (args.first_message)
    PARLEY_CHECK_OK(tx.Pay(ForSend(caller, standing.head, starts ? "" : args.first_message->value)));
  PARLEY_CHECK_OK(CheckContent(args, tx.limits()));
  Draft draft(standing.head, tx.moment().now);
  if (request) {
    draft.head().hidden.request.value = request;
    draft.HeadKept();
  }
  if (args.first_message) {
    ParticipantRow me = *standing.me;
    me.hidden.own_no = AppendFirst(&draft, caller, args, judged, tx.moment().ids,
                                   OnlyForShadowed(standing.barriers, caller), true);
    draft.ParticipantPersonal(std::move(me));
  }
  RememberCreated(&draft, caller, args);
  Decision decision = draft.Finish({});
  if (request) {
    decision.changed |= kInboxChange | kTimersChange;
    decision.requests.push_back(*std::move(request));
  }
  decision.reply = CreatedReply(caller, *decision.head, members);
  return decision;
}

}  // namespace parley::threads
