#include "threads/staff/set_thread_status.h"

#include "protocol/base/reason.h"
#include "threads/model/record_act.h"
#include "threads/model/replies.h"
#include "threads/model/retention.h"
#include "threads/staff/case_steps.h"

namespace parley::threads {

namespace {}  // namespace

Result<Standing> SetThreadStatus::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  if (args.reason.value.empty()) return Error::BadField("reason", "is required");
  return tx.StandingOf(caller, args.thread_id);
}

namespace {

// `meanwhile`: the case whose decision ends the status.
Result<Decision> SetStatus(const Standing& loaded, const Caller& caller,
                           const protocol::ThreadSetStatus::Args& args,
                           const std::optional<std::string>& meanwhile, Moment moment) {
  if (!caller.is_staff())
    return ErrorFor(protocol::Reason::kOnlyStaff, "only staff may change a thread's status");
  if (loaded.head.item.status == args.status)
    return AnswerOnly(ThreadReplyOf(ViewerOf(caller, loaded), loaded.head));
  Draft draft(loaded.head, moment.now);
  const auto state = [](protocol::ThreadStatus status) {
    return protocol::StatesOf({{"status", protocol::NameOf(status)}});
  };
  RecordAct(&draft, caller,
            {.action = std::string(protocol::ThreadSetStatus::kName),
             .reason = args.reason.value,
             .case_id = meanwhile,
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
  if (meanwhile) {
    draft.Write(HoldKey(*meanwhile), EncodeEventTime(moment.now));
    draft.WillAge(kEventRound);
  }
  draft.Write(HistoryKey(MessageId{}, draft.last_seq()), protocol::Encode(args.reason));
  Decision decision = draft.Finish({});
  decision.reply = ThreadReplyOf(ViewerOf(caller, loaded), *decision.head);
  return decision;
}

}  // namespace

Result<Decision> SetThreadStatus::Decide(const Standing& loaded, const Caller& caller, const Op::Args& args,
                                         const SizeLimits&, Moment moment) {
  return SetStatus(loaded, caller, args, std::nullopt, moment);
}

Result<Decision> LockMeanwhile(Transaction& tx, const Caller& caller,
                               const protocol::ThreadSetStatus::Args& args, const std::string& case_id) {
  PARLEY_TRY(standing, SetThreadStatus::Load(tx, caller, args));
  return SetStatus(standing, caller, args, case_id, tx.moment());
}

}  // namespace parley::threads
