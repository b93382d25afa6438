
#include "threads/lifecycle/update_thread.h"

#include "protocol/base/name.h"
#include "protocol/base/reason.h"
#include "protocol/message_items.h"
#include "threads/contacts/block_marks.h"
#include "threads/contacts/first_contact.h"
#include "threads/model/card_kinds.h"
#include "threads/model/replies.h"
#include "threads/model/requests.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {

namespace {

// The effect thread.promoted_to_project, for a back end that reads events from the outbox. Its id is made
// from the system message about it.
protocol::OutboxItem PromotedEvent(const protocol::Thread& thread, const protocol::Message& notice,
                                   const Caller& caller) {
  protocol::OutboxItem out;
  out.effect_id.value = notice.message_id.ToText() + "." + std::to_string(notice.seq);
  out.effect.value = "thread.promoted_to_project";
  out.thread_id = thread.thread_id;
  out.message_id = notice.message_id;
  out.from_state.value = protocol::NameOf(protocol::ThreadKind::kInquiry);
  out.to_state.value = protocol::NameOf(thread.kind);
  out.version = thread.version;
  protocol::Writer payload;
  payload.BeginMap(0);
  out.payload.msgpack = payload.Take();
  out.actor_user_id = caller.user;
  out.lbg_id = thread.lbg_id;
  out.leg_id = thread.leg_id;
  out.at = notice.created_at;
  return out;
}

// Posts a system message for the members, an event for the back end, and an effect in its outbox.
void AnnouncePromotion(Draft* draft, const Caller& caller, CardPorts ports, protocol::IdSource* ids) {
  const protocol::Message notice = draft->AppendSystem("This inquiry is now a project", ids);
  draft->NotifyBackEnd(protocol::EventKind::kThreadPromoted, notice.seq, {});
  if (Serves(ports, CardPort::kEvents))
    draft->EffectAsked(PromotedEvent(draft->head().item, notice, caller), notice.seq);
}

// Returns whether the thread changed.
bool Bind(const protocol::ThreadPromote::Args& args, ThreadRow* head) {
  protocol::Thread& thread = head->item;
  const bool booked = head->is_booking();
  const auto before = std::pair(thread.lbg_id, thread.leg_id);
  thread.kind = protocol::ThreadKind::kProject;
  head->hidden.unbound.value.reset();
  if (args.lbg_id) thread.lbg_id = args.lbg_id;
  if (args.leg_id) thread.leg_id = args.leg_id;
  return !booked || before != std::pair(thread.lbg_id, thread.leg_id);
}

Decision FinishThread(const Caller& caller, Draft* draft) {
  Decision decision = draft->Finish({});
  decision.reply = ThreadReplyOf(caller, *decision.head);
  return decision;
}

}  // namespace

Result<Standing> UpdateThread::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  return tx.StandingOf(caller, args.thread_id);
}

Result<Decision> UpdateThread::Decide(const Standing& loaded, const Caller& caller, const Op::Args& args,
                                      const SizeLimits&, Moment moment) {
  if (!MayManage(caller, loaded)) PARLEY_CHECK_OK(RequirePermission(loaded, protocol::Permission::kWrite));
  if (args.safe_mode_required == false && loaded.head.item.safe_mode_required && !caller.is_staff())
    return ErrorFor(protocol::Reason::kSafeModeByStaff, "only staff takes back that Safe-Mode is required");
  const bool says_something = args.subject.present || args.city.present;
  PARLEY_CHECK_OK(RequireMayWrite(loaded, caller, says_something ? Writing::kContent : Writing::kRemoval));
  if (args.version.value != loaded.head.item.version) {
    Error error(ErrorCode::kVersionConflict, "the thread has another version");
    error.current = Wire(loaded.head.item);
    return error;
  }
  Draft draft(loaded.head, moment.now);
  protocol::Thread& thread = draft.head().item;
  if (args.subject.present) thread.subject = protocol::CleanTitle(args.subject.value);
  if (args.city.present) thread.city = protocol::CleanTitle(args.city.value);
  if (args.safe_mode_required) thread.safe_mode_required = *args.safe_mode_required;
  const protocol::Thread& before = loaded.head.item;
  if (thread.subject == before.subject && thread.city == before.city &&
      thread.safe_mode_required == before.safe_mode_required) {
    return AnswerOnly(ThreadReplyOf(caller, loaded.head));
  }
  draft.ThreadChanged(protocol::EventKind::kThreadUpdated);
  return FinishThread(caller, &draft);
}

Result<PromoteThread::Loaded> PromoteThread::Load(Transaction& tx, const Caller& caller,
                                                  const Op::Args& args) {
  if (!args.lbg_id && !args.leg_id) return Error::BadRequest("lbgId or legId is required");
  PARLEY_TRY(standing, tx.StandingOf(caller, args.thread_id));
  PARLEY_TRY(seen, tx.Rows(caller.tenant).Exists(args.thread_id, ExternalEventKey(args.event_id)));
  ThreadRow then = standing.head;
  Bind(args, &then);
  PARLEY_TRY(marks, WrongMarks(tx, caller.tenant, then));
  Loaded loaded{std::move(standing), seen, tx.policy(caller.tenant).card_ports, std::move(marks), {}};
  const ThreadRow& head = loaded.standing.head;
  if (!head.is_booking() && GatedIn(head)) {
    loaded.accepted = head.hidden.request.value;
    loaded.accepted->state = protocol::RequestState::kAccepted;
    WriteContact(tx, caller.tenant, args.thread_id, *loaded.accepted);
  }
  return loaded;
}

Result<Decision> PromoteThread::Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                       const SizeLimits&, Moment moment) {
  if (!caller.is_staff() && !caller.is_service()) {
    return ErrorFor(protocol::Reason::kOnlyServicesAndStaff, "threads are promoted by services and staff");
  }
  const ThreadRow& head = loaded.standing.head;
  if (loaded.seen) return AnswerOnly(ThreadReplyOf(caller, head));
  if (!TraitsOf(head.item.kind).sides)
    return ErrorFor(protocol::Reason::kNeedsTwoSides, "a project has a buyer and a seller");
  // Applies to a locked thread, too, because the outside event would be lost otherwise.
  Draft draft(head, moment.now);
  protocol::Thread& thread = draft.head().item;
  const bool changed = Bind(args, &draft.head());
  // Stored even if nothing changes now, so that a replay after a later rebinding changes nothing either. A
  // round removes it after its retention.
  draft.Write(ExternalEventKey(args.event_id), EncodeEventTime(moment.now));
  draft.WillAge(kEventRound);
  if (!changed) return draft.Finish(ThreadReplyOf(caller, head));
  draft.ThreadChanged(protocol::EventKind::kThreadUpdated);
  for (const ParticipantRow& row : loaded.marks) draft.ParticipantPersonal(row);
  if (!head.is_booking()) draft.head().hidden.status_seq.value = draft.last_seq();
  if (thread.kind != head.item.kind) AnnouncePromotion(&draft, caller, loaded.ports, moment.ids);
  // A booking accepts the request.
  if (loaded.accepted) draft.head().hidden.request.value = loaded.accepted;
  Decision decision = FinishThread(caller, &draft);
  if (!loaded.accepted) return decision;
  decision.requests.push_back(*loaded.accepted);
  decision.changed |= kInboxChange | kTimersChange;
  return decision;
}

}  // namespace parley::threads
