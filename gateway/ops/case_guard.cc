#include "gateway/ops/case_guard.h"

#include "protocol/base/reason.h"
#include "threads/staff/case_steps.h"

namespace parley::gateway {

using accounts::RecordReads;
using features::CaseRecord;
using features::DualSeverities;
using protocol::Error;
using protocol::Status;
using threads::Caller;
using threads::Decision;
using threads::Result;

namespace {

Error HasCase(const protocol::CaseId& id, const char* why,
              protocol::Reason reason = protocol::Reason::kCaseNeedsTwo) {
  Error error = ErrorFor(reason, why);
  error.fields.emplace_back("caseId", id.ToText());
  return error;
}

Status Judge(const std::optional<CaseRecord>& open, const DualSeverities& dual) {
  if (!open || !features::NeedsTwo(open->shown, dual)) return protocol::Ok();
  return HasCase(open->shown.case_id, "a case about it is open, which two have to decide");
}

// What they wrote themselves they change as its author, and are not told of cases about it.
Status JudgeMessage(const RecordReads& records, const Caller& caller, const protocol::ThreadId& thread,
                    const protocol::MessageId& id, const DualSeverities& dual) {
  const threads::RowReader rows(records.reader(), caller.tenant);
  PARLEY_TRY(message, rows.Message(thread, id));
  if (message && message->item.author_user_id == caller.user) return protocol::Ok();
  PARLEY_TRY(open, features::OpenCaseAboutMessage(records, thread, id));
  return Judge(open, dual);
}

// FORBIDDEN where the thread is locked until a case is decided, which is open.
Status RequireNotHeld(const RecordReads& records, const threads::RowReader& rows,
                      const protocol::ThreadId& thread) {
  PARLEY_TRY(holds, threads::HoldsOf(rows, thread));
  for (const std::string& name : holds) {
    const auto id = protocol::CaseId::FromText(name);
    if (!id) continue;
    PARLEY_TRY(holding, features::GetCase(records, *id));
    if (protocol::IsOpen(holding.shown.status))
      return HasCase(*id, "it is locked until a case is decided", protocol::Reason::kCaseHolds);
  }
  return protocol::Ok();
}

}  // namespace

Status RequireNoCase(const RecordReads& records, const Caller& caller,
                     const protocol::ModerationMessage::Args& args, const DualSeverities& dual) {
  return JudgeMessage(records, caller, args.thread_id, args.message_id, dual);
}

Status RequireNoCase(const RecordReads& records, const Caller& caller,
                     const protocol::MessageEdit::Args& args, const DualSeverities& dual) {
  return JudgeMessage(records, caller, args.thread_id, args.message_id, dual);
}

Status RequireNoCase(const RecordReads& records, const Caller& caller,
                     const protocol::MessageDelete::Args& args, const DualSeverities& dual) {
  return JudgeMessage(records, caller, args.thread_id, args.message_id, dual);
}

Result<Decision> SetStatusGuarded(threads::Transaction& tx, const Node& node, const Caller& caller,
                                  const protocol::ThreadSetStatus::Args& args) {
  auto decided = threads::Run<threads::SetThreadStatus>(tx, caller, args);
  if (!decided.ok() || decided->acts.empty()) return decided;
  const threads::RowReader rows = tx.Rows(caller.tenant);
  const RecordReads records(rows.raw(), caller.tenant, tx.moment().now, node.sealer());
  PARLEY_CHECK_OK(RequireNotHeld(records, rows, args.thread_id));
  if (args.status == protocol::ThreadStatus::kOpen) return decided;
  PARLEY_TRY(open, features::OpenCaseAboutThread(records, args.thread_id));
  if (!open || !features::NeedsTwo(open->shown, DualOf(node, caller.tenant))) return decided;
  const protocol::CaseId& id = open->shown.case_id;
  if (args.status == protocol::ThreadStatus::kLocked)
    return threads::LockMeanwhile(tx, caller, args, id.ToText());
  return HasCase(id, "a case about it is open, which two have to decide");
}

}  // namespace parley::gateway
