#include "threads/staff/access_log.h"

#include "protocol/audit.h"
#include "protocol/ops/staff.h"
#include "threads/model/open_cards.h"

namespace parley::threads {

Result<Decision> RecordAccess(Transaction& tx, const Caller& caller, const ThreadId& thread,
                              std::string_view op, const std::string& reason) {
  PARLEY_TRY(standing, tx.StandingOf(caller, thread));
  // Members may see neither removed content nor files in quarantine nor the audit, so a member who is staff
  // is recorded for these, too.
  const bool for_staff_only =
      op == protocol::MessageHistory::kName || op == kQuarantinedLook || op == protocol::kAuditOp;
  if (standing.me && !for_staff_only) return AnswerOnly({});
  const Moment moment = tx.moment();
  protocol::AuditEntry look;
  look.what = "looked";
  look.op = std::string(op);
  look.actor_user_id = caller.user;
  look.actor_role = std::string(protocol::NameOf(caller.role));
  if (const OpenCard* open = FindCase(standing.head)) look.message_id = open->message_id;
  if (!reason.empty()) look.reason = reason;
  const CaseAccess* access = FindCaseAccess(standing.head, caller.user, moment.now);
  if (access && caller.by_case && !standing.me) look.case_id.value = access->case_id.value;
  look.at = moment.now;
  Draft draft(std::move(standing.head), moment.now);
  const protocol::AuditId id{moment.ids->Make(moment.now)};
  look.audit_id.value = id;
  draft.Write(AccessKey(id.ulid), protocol::Encode(look));
  draft.ActRecorded(id);
  return draft.Finish({});
}

}  // namespace parley::threads
