#include "gateway/case_guard.h"

namespace parley::gateway {

using accounts::CaseRecord;
using accounts::DualSeverities;
using accounts::RecordReads;
using protocol::Error;
using protocol::ErrorCode;
using protocol::Status;
using threads::Caller;

namespace {

Error HasCase(const CaseRecord& open, const char* why) {
  Error error(ErrorCode::kForbidden, why);
  error.fields.emplace_back("caseId", open.shown.case_id.ToText());
  return error;
}

Status Judge(const std::optional<CaseRecord>& open, const Caller& caller, const DualSeverities& dual) {
  if (!open) return protocol::Ok();
  if (accounts::NeedsTwo(open->shown, dual))
    return HasCase(*open, "a case about it is open, which two have to decide");
  if (open->shown.user_id && open->shown.user_id == caller.user)
    return HasCase(*open, "a case about you is open, which others decide");
  return protocol::Ok();
}

Status JudgeMessage(const RecordReads& records, const Caller& caller, const protocol::ThreadId& thread,
                    const protocol::MessageId& message, const DualSeverities& dual) {
  PARLEY_TRY(open, accounts::OpenCaseAboutMessage(records, thread, message));
  return Judge(open, caller, dual);
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

Status RequireNoCase(const RecordReads& records, const Caller& caller,
                     const protocol::ThreadSetStatus::Args& args, const DualSeverities& dual) {
  if (args.status == protocol::ThreadStatus::kOpen) return protocol::Ok();
  PARLEY_TRY(open, accounts::OpenCaseAboutThread(records, args.thread_id));
  return Judge(open, caller, dual);
}

}  // namespace parley::gateway
