#include "threads/staff/set_thread_status.h"

#include "threads/model/record_act.h"
#include "threads/model/staff_view.h"

namespace parley::threads {

namespace {

std::string ReplyFor(const Caller& caller, const ThreadRow& head) {
  protocol::ThreadReply reply;
  reply.thread.msgpack = WireFor(caller, head);
  return protocol::Encode(reply);
}

}  // namespace

Result<Standing> SetThreadStatus::Load(Stage& stage, const Caller& caller, const Op::Args& args) {
  if (args.reason.value.empty()) return Error::BadField("reason", "is required");
  return stage.StandingOf(caller, args.thread_id);
}

Result<Decision> SetThreadStatus::Decide(const Standing& loaded, const Caller& caller, const Op::Args& args,
                                         const Limits&, Moment moment) {
  if (!caller.is_staff()) return Error(ErrorCode::kForbidden, "only staff may change a thread's status");
  if (loaded.head.item.status == args.status)
    return AnswerOnly(ReplyFor(ViewerOf(caller, loaded), loaded.head));
  Draft draft(loaded.head, moment.now);
  const auto state = [](protocol::ThreadStatus status) {
    return protocol::StatesOf({{"status", protocol::NameOf(status)}});
  };
  RecordAct(&draft, caller,
            {.action = std::string(Op::kName),
             .reason = args.reason.value,
             .before = state(loaded.head.item.status),
             .after = state(args.status)},
            moment.ids);
  draft.head().item.status = args.status;
  draft.ThreadChanged(protocol::EventKind::kThreadUpdated);
  draft.head().hidden.status_seq.value = draft.last_seq();
  auto& hidden = draft.head().hidden;
  hidden.locked_at.value =
      args.status == protocol::ThreadStatus::kOpen ? std::nullopt : std::optional(moment.now);
  hidden.status_reason.value = args.reason;
  hidden.status_by.value = caller.user;
  draft.Write(HistoryKey(MessageId{}, draft.last_seq()), protocol::Encode(args.reason));
  Decision decision = draft.Finish({});
  decision.reply = ReplyFor(ViewerOf(caller, loaded), *decision.head);
  return decision;
}

}  // namespace parley::threads
