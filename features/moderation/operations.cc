#include "features/moderation/operations.h"

#include "features/host/records.h"
#include "features/moderation/cases.h"
#include "features/moderation/staff_threads.h"
#include "protocol/base/reason.h"
#include "protocol/ops/staff.h"
#include "threads/staff/thread_audit.h"

namespace parley::features {
namespace {

using threads::ReadAnswer;
using threads::ReadContext;
using threads::ReadOp;
using threads::Recorded;
using threads::Waits;

ReadAnswer ListThreadsOfTenant(const ReadContext& context, const ModerationThreads::Args& args) {
  return ListThreads(context, RecordsOf(context), args);
}

ReadAnswer ListThreadAudit(const ReadContext& context, const protocol::ThreadAudit::Args& args) {
  const accounts::RecordReads records = RecordsOf(context);
  HiddenCases hidden(records, context.caller.is_staff() ? context.caller.user : std::nullopt);
  return threads::ListAudit(context, args, [&hidden](const std::string& id) { return hidden.Contain(id); });
}

}  // namespace

protocol::Error StaffOnly() {
  return ErrorFor(protocol::Reason::kOnlyStaff, "only staff may do this");
}

Operations ModerationOperations() {
  static const Operation rows[] = {
      ReportMessageOp(),
      ReportThreadOp(),
      ReportUserOp(),
      QueueOp(),
      CaseOp(),
      DecideOp(),
      UserOp(),
      ResetStrikesOp(),
      AuditOp(),
      {ReadOp<protocol::ThreadAudit, ListThreadAudit>()},
      {ReadOp<ModerationThreads, ListThreadsOfTenant>(Waits::kInbox, Recorded::kStaff)},
  };
  return rows;
}

}  // namespace parley::features
