#include "threads/staff/set_thread_status.h"

namespace parley::threads {

namespace {

std::string ReplyFor(const ThreadRow& head) {
  protocol::ThreadReply reply;
  reply.thread.msgpack = Wire(head.item);
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
  if (loaded.head.item.status == args.status) return AnswerOnly(ReplyFor(loaded.head));
  Draft draft(loaded.head, moment.now);
  draft.head().item.status = args.status;
  draft.ThreadChanged(protocol::EventKind::kThreadUpdated);
  draft.head().hidden.status_seq.value = draft.last_seq();
  draft.Write(HistoryKey(MessageId{}, draft.last_seq()), protocol::Encode(args.reason));
  Decision decision = draft.Finish({});
  decision.reply = ReplyFor(*decision.head);
  return decision;
}

}  // namespace parley::threads
