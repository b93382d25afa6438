#include "threads/lifecycle/direct_thread.h"

#include <algorithm>

#include "protocol/ops/messages.h"
#include "threads/engine/idempotency.h"
#include "threads/model/preview.h"
#include "threads/model/requests.h"
#include "threads/model/staff_view.h"

namespace parley::threads {
namespace {

struct Place {
  storage::PartitionKey partition;
  storage::SortKey sort;
};
Place PlaceOf(const TenantId& tenant, const Parties& pair) {
  const auto& [lower, higher] = std::minmax(pair.one, pair.other);
  return {UserPartition(tenant, lower), DirectKey(higher)};
}

// Whose key a firstMessage is remembered under. No user's id begins with a blank.
UserId FirstOwner(const Caller& caller) {
  return UserId{protocol::KeyText::UpToNul(" first " + caller.user->value.text())};
}

}  // namespace

Result<std::optional<ThreadId>> FindDirect(Stage& stage, const TenantId& tenant, const Parties& pair) {
  const Place place = PlaceOf(tenant, pair);
  PARLEY_TRY(found, stage.Rows(tenant).Reservation(place.partition, place.sort));
  return found ? std::optional(found->thread) : std::nullopt;
}

void ReserveDirect(Stage& stage, const TenantId& tenant, const Parties& pair,
                   const ReservationRow& reservation) {
  const Place place = PlaceOf(tenant, pair);
  stage.Reserve(place.partition, place.sort, EncodeReservation(reservation));
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

Result<std::vector<ParticipantRow>> ListedMembers(Stage& stage, const TenantId& tenant,
                                                  const ThreadRow& head) {
  std::vector<ParticipantRow> out;
  for (const UserId& user : head.item.participants.items) {
    PARLEY_TRY(row, stage.Participant(tenant, head.item.thread_id, user));
    if (row) out.push_back(std::move(*row));
  }
  return out;
}

int64_t AppendFirst(Draft* draft, const Caller& caller, const CreateArgs& args, const Judged& judged,
                    protocol::IdSource* ids, const protocol::Omit<UserId>& only_for) {
  protocol::Message message;
  message.body = BodyFor(judged, args.first_message->value, &message.flags);
  message.author_user_id = caller.user;
  // Without a clientId: the caller's names the thread, and is free for a send within it.
  message = draft->AppendMessage(message, Preview(message.body), ids, only_for);
  KeepOriginal(draft, judged, caller, message, args.first_message->value);
  if (args.kind != protocol::ThreadKind::kDirect || !args.client_id) return message.msg_no;
  protocol::MessageSend::Reply sent;
  sent.message_id = message.message_id;
  sent.created_at = message.created_at;
  sent.seq = message.seq;
  sent.msg_no = message.msg_no;
  sent.nudge = NudgeFor(judged);
  RememberFor(draft, FirstOwner(caller), *args.client_id, DigestOf(args), protocol::Encode(sent));
  return message.msg_no;
}

Result<Decision> SendFirst(Stage& stage, const Caller& caller, const CreateArgs& args, const Judged& judged,
                           const ThreadId& thread) {
  PARLEY_TRY(standing, stage.StandingOf(caller, thread));
  PARLEY_TRY(members, ListedMembers(stage, caller.tenant, standing.head));
  if (args.client_id) {
    PARLEY_TRY(earlier, FindEarlierOf(stage, caller.tenant, thread, FirstOwner(caller), *args.client_id));
    if (earlier && !SaidBefore(earlier->digest, args))
      return Error(ErrorCode::kIdempotencyConflict, "this clientId created a thread with other content");
    if (earlier) return AnswerOnly(CreatedReply(caller, standing.head, members));
  }
  PARLEY_CHECK_OK(RequirePermission(standing, protocol::Permission::kWrite));
  PARLEY_CHECK_OK(RequireMayWrite(standing, caller));
  PARLEY_CHECK_OK(stage.Pay(ForSend(caller, standing.head)));
  PARLEY_CHECK_OK(CheckContent(args, stage.limits()));
  Draft draft(standing.head, stage.moment().now);
  ParticipantRow me = *standing.me;
  me.hidden.own_no = AppendFirst(&draft, caller, args, judged, stage.moment().ids,
                                 OnlyForShadowed(standing.barriers, caller));
  draft.ParticipantPersonal(std::move(me));
  Decision decision = draft.Finish({});
  decision.reply = CreatedReply(caller, *decision.head, members);
  return decision;
}

}  // namespace parley::threads
