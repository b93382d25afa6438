// While a case that needs two decisions is open, staff cannot bypass it by acting on its subject directly:
// neither redact nor change its message, nor close its thread. One person may lock the thread until the case
// is decided; it cannot be opened before.
#include "features/host/records.h"
#include "features/moderation/asks.h"
#include "features/moderation/cases.h"
#include "features/moderation/operations.h"
#include "protocol/base/reason.h"
#include "protocol/ops/messages.h"
#include "protocol/ops/staff.h"
#include "threads/model/message_row.h"
#include "threads/staff/case_steps.h"
#include "threads/staff/set_thread_status.h"

namespace parley::features {

using accounts::RecordReads;
using protocol::Error;
using protocol::Result;
using protocol::Status;
using threads::Caller;
using threads::Decision;

namespace {

Error HasCase(const protocol::CaseId& id, const char* why,
              protocol::Reason reason = protocol::Reason::kCaseNeedsTwo) {
  Error error = ErrorFor(reason, why);
  error.fields.emplace_back("caseId", id.ToText());
  return error;
}

Status Judge(const std::optional<CaseRecord>& open, const DualSeverities& dual) {
  if (!open || !NeedsTwo(open->shown, dual)) return protocol::Ok();
  return HasCase(open->shown.case_id, "a case about it is open, which two have to decide");
}

// Staff change their own messages as authors, and do not learn of cases about them.
Status JudgeMessage(const RecordReads& records, const Caller& caller, const protocol::ThreadId& thread,
                    const protocol::MessageId& id, const DualSeverities& dual) {
  const threads::RowReader rows(records.reader(), caller.tenant);
  PARLEY_TRY(message, rows.Message(thread, id));
  if (message && message->item.author_user_id == caller.user) return protocol::Ok();
  PARLEY_TRY(open, OpenCaseAboutMessage(records, thread, id));
  return Judge(open, dual);
}

// FORBIDDEN where the thread is locked until a case is decided, which is open.
Status RequireNotHeld(const RecordReads& records, const threads::RowReader& rows,
                      const protocol::ThreadId& thread) {
  PARLEY_TRY(holds, threads::HoldsOf(rows, thread));
  for (const std::string& name : holds) {
    const auto id = protocol::CaseId::FromText(name);
    if (!id) continue;
    PARLEY_TRY(holding, GetCase(records, *id));
    if (IsOpen(holding.shown.status))
      return HasCase(*id, "it is locked until a case is decided", protocol::Reason::kCaseHolds);
  }
  return protocol::Ok();
}

using threads::Transaction;

// For ops that redact or change one message.
template <class Op>
Result<Decision> CheckMessage(Transaction& tx, const Host& host, const Caller& caller, const void* untyped,
                              Decision decision) {
  if (!caller.is_staff() || decision.acts.empty()) return decision;
  const auto& args = threads::BoundArgs<Op>(untyped);
  PARLEY_CHECK_OK(RequireNoCaseOfTwo(tx, host, caller, args.thread_id, args.message_id));
  return decision;
}

Result<Decision> CheckStatus(Transaction& tx, const Host& host, const Caller& caller, const void* untyped,
                             Decision decision) {
  if (decision.acts.empty()) return decision;
  const auto& args = threads::BoundArgs<protocol::ThreadSetStatus>(untyped);
  const threads::RowReader rows = tx.Rows(caller.tenant);
  const RecordReads records(rows.raw(), caller.tenant, tx.moment().now, host.sealer());
  PARLEY_CHECK_OK(RequireNotHeld(records, rows, args.thread_id));
  if (args.status == protocol::ThreadStatus::kOpen) return decision;
  PARLEY_TRY(open, OpenCaseAboutThread(records, args.thread_id));
  if (!open || !NeedsTwo(open->shown, DualOf(host, caller.tenant))) return decision;
  const protocol::CaseId& id = open->shown.case_id;
  if (args.status == protocol::ThreadStatus::kLocked)
    return threads::LockMeanwhile(tx, caller, args, id.ToText());
  return HasCase(id, "a case about it is open, which two have to decide");
}

}  // namespace

Status RequireNoCaseOfTwo(Transaction& tx, const Host& host, const Caller& caller,
                          const protocol::ThreadId& thread, const protocol::MessageId& message) {
  const threads::RowReader rows = tx.Rows(caller.tenant);
  const RecordReads records(rows.raw(), caller.tenant, tx.moment().now, host.sealer());
  return JudgeMessage(records, caller, thread, message, DualOf(host, caller.tenant));
}

Result<bool> HasOpenCase(Transaction& tx, const Host& host, const protocol::TenantId& tenant,
                         const protocol::ThreadId& thread, const protocol::MessageId& message) {
  const threads::RowReader rows = tx.Rows(tenant);
  const RecordReads records(rows.raw(), tenant, tx.moment().now, host.sealer());
  PARLEY_TRY(about_message, OpenCaseAboutMessage(records, thread, message));
  if (about_message) return true;
  PARLEY_TRY(about_thread, OpenCaseAboutThread(records, thread));
  return about_thread.has_value();
}

std::span<const Guard> ModerationGuards() {
  static constexpr Guard guards[] = {
      {protocol::ModerationMessage::kName, &CheckMessage<protocol::ModerationMessage>},
      {protocol::MessageEdit::kName, &CheckMessage<protocol::MessageEdit>},
      {protocol::MessageDelete::kName, &CheckMessage<protocol::MessageDelete>},
      {protocol::ThreadSetStatus::kName, &CheckStatus},
  };
  return guards;
}

}  // namespace parley::features
