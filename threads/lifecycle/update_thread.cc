
#include "threads/lifecycle/update_thread.h"

#include "threads/model/card_kinds.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {

namespace {

std::string ReplyFor(const ThreadRow& head) {
  protocol::ThreadReply reply;
  reply.thread.msgpack = Wire(head.item);
  return protocol::Encode(reply);
}

// thread.promoted_to_project, for a back end that follows events. Named after the message that tells of it.
protocol::OutboxItem PromotedEvent(const protocol::Thread& thread, const protocol::Message& told,
                                   const Caller& caller) {
  protocol::OutboxItem out;
  out.effect_id.value = told.message_id.ToText() + "." + std::to_string(told.seq);
  out.effect.value = "thread.promoted_to_project";
  out.thread_id = thread.thread_id;
  out.message_id = told.message_id;
  out.from_state.value = protocol::NameOf(protocol::ThreadKind::kInquiry);
  out.to_state.value = protocol::NameOf(thread.kind);
  out.version = thread.version;
  protocol::Writer payload;
  payload.BeginMap(0);
  out.payload.msgpack = payload.Take();
  out.actor_user_id = caller.user;
  out.lbg_id = thread.lbg_id;
  out.leg_id = thread.leg_id;
  out.at = told.created_at;
  return out;
}

// The members are told in the thread, the back end in its feed.
void TellOfPromotion(Draft* draft, const Caller& caller, CardPorts ports, protocol::IdSource* ids) {
  const protocol::Message told = draft->AppendSystem("This inquiry is now a project", ids);
  if (Serves(ports, CardPort::kEvents))
    draft->EffectAsked(PromotedEvent(draft->head().item, told, caller), told.seq);
}

Decision FinishThread(Draft* draft) {
  Decision decision = draft->Finish({});
  decision.reply = ReplyFor(*decision.head);
  return decision;
}

}  // namespace

Result<Standing> UpdateThread::Load(Stage& stage, const Caller& caller, const Op::Args& args) {
  return stage.StandingOf(caller, args.thread_id);
}

Result<Decision> UpdateThread::Decide(const Standing& loaded, const Caller& caller, const Op::Args& args,
                                      const Limits&, Moment moment) {
  if (!MayManage(caller, loaded)) PARLEY_CHECK_OK(RequirePermission(loaded, protocol::Permission::kWrite));
  if (args.safe_mode_required == false && loaded.head.item.safe_mode_required && !caller.is_staff())
    return Error(ErrorCode::kForbidden, "only staff takes back that Safe-Mode is required");
  PARLEY_CHECK_OK(RequireOpen(loaded.head));
  if (args.subject.present || args.city.present) PARLEY_CHECK_OK(RequireNoSafetyReport(loaded, caller));
  if (args.version.value != loaded.head.item.version) {
    Error error(ErrorCode::kVersionConflict, "the thread has another version");
    error.current = Wire(loaded.head.item);
    return error;
  }
  Draft draft(loaded.head, moment.now);
  protocol::Thread& thread = draft.head().item;
  const auto text = [](const auto& given) {
    return given.value ? std::optional(given.value->value) : std::nullopt;
  };
  if (args.subject.present) thread.subject = text(args.subject);
  if (args.city.present) thread.city = text(args.city);
  if (args.safe_mode_required) thread.safe_mode_required = *args.safe_mode_required;
  const protocol::Thread& before = loaded.head.item;
  if (thread.subject == before.subject && thread.city == before.city &&
      thread.safe_mode_required == before.safe_mode_required) {
    return AnswerOnly(ReplyFor(loaded.head));
  }
  draft.ThreadChanged(protocol::EventKind::kThreadUpdated);
  return FinishThread(&draft);
}

Result<PromoteThread::Loaded> PromoteThread::Load(Stage& stage, const Caller& caller, const Op::Args& args) {
  if (!args.lbg_id && !args.leg_id) return Error::BadRequest("lbgId or legId is required");
  PARLEY_TRY(standing, stage.StandingOf(caller, args.thread_id));
  PARLEY_TRY(seen, stage.Rows(caller.tenant).Exists(args.thread_id, ExternalEventKey(args.event_id)));
  return Loaded{std::move(standing), seen, stage.policy(caller.tenant).card_ports};
}

Result<Decision> PromoteThread::Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                       const Limits&, Moment moment) {
  if (!caller.is_staff() && !caller.is_service()) {
    return Error(ErrorCode::kForbidden, "threads are promoted by services and staff");
  }
  const ThreadRow& head = loaded.standing.head;
  if (loaded.seen) return AnswerOnly(ReplyFor(head));
  if (!TraitsOf(head.item.kind).sides)
    return Error(ErrorCode::kForbidden, "a project has a buyer and a seller");
  // A lock does not hold up an outside event: it would be lost otherwise.
  Draft draft(head, moment.now);
  protocol::Thread& thread = draft.head().item;
  thread.kind = protocol::ThreadKind::kProject;
  if (args.lbg_id) thread.lbg_id = args.lbg_id;
  if (args.leg_id) thread.leg_id = args.leg_id;
  // Remembered though it may change nothing now: its replay after a later rebinding must not either,
  // for as long as the round keeps it.
  draft.Write(ExternalEventKey(args.event_id), EncodeEventTime(moment.now));
  draft.WillAge(kEventRound);
  if (thread.kind == head.item.kind && thread.lbg_id == head.item.lbg_id &&
      thread.leg_id == head.item.leg_id) {
    return draft.Finish(ReplyFor(head));
  }
  draft.ThreadChanged(protocol::EventKind::kThreadUpdated);
  if (thread.kind != head.item.kind) draft.head().hidden.status_seq.value = draft.last_seq();
  if (thread.kind != head.item.kind) TellOfPromotion(&draft, caller, loaded.ports, moment.ids);
  return FinishThread(&draft);
}

}  // namespace parley::threads
