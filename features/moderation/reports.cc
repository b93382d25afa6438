#include "features/host/records.h"
#include "features/moderation/asks.h"
#include "features/moderation/case_effects.h"
#include "features/moderation/cases.h"
#include "features/moderation/operations.h"
#include "protocol/base/crypto.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"
#include "threads/model/mask.h"
#include "threads/model/message_acts.h"
#include "threads/model/message_row.h"
#include "threads/model/row_reader.h"

namespace parley::features {

using accounts::RecordTransaction;
using protocol::Error;
using protocol::Reason;
using protocol::Result;
using threads::Caller;

namespace {

// Random as all ids are, and without a time.
protocol::CaseId NewCaseId(Host& host) {
  const protocol::Ulid drawn = host.ids().Make(host.clock().Now());
  return protocol::CaseId{
      protocol::Sure(protocol::Ulid::FromBytes(protocol::Sha256(drawn.raw()).substr(0, 16)))};
}

// --- the subject of a report, which the reporter must be able to see

protocol::Status RequireReporter(const threads::RowReader& rows, const Caller& caller,
                                 const protocol::ThreadId& thread, protocol::Time now) {
  PARLEY_TRY(head, rows.Thread(thread));
  PARLEY_TRY(me, rows.Participant(thread, protocol::Sure(caller.user)));
  PARLEY_CHECK_OK(threads::RequireStanding(caller, std::move(head), std::move(me), now));
  return protocol::Ok();
}

struct Place {
  const threads::RowReader& rows;
  const Caller& caller;
  protocol::Time now;
};

Result<CaseSubject> SubjectOf(const Place& at, const ThreadReport::Args& args) {
  PARLEY_CHECK_OK(RequireReporter(at.rows, at.caller, args.thread_id, at.now));
  return CaseSubject{CaseType::kThread, CaseOrigin::kReport, args.thread_id};
}

Result<CaseSubject> SubjectOf(const Place& at, const MessageReport::Args& args) {
  PARLEY_CHECK_OK(RequireReporter(at.rows, at.caller, args.thread_id, at.now));
  if (!args.message_id) return CaseSubject{CaseType::kThread, CaseOrigin::kReport, args.thread_id};
  PARLEY_TRY(message, at.rows.Message(args.thread_id, *args.message_id));
  if (!message || !threads::MaySee(at.caller, message->hidden.only_for))
    return ErrorFor(protocol::Reason::kNoMessage, "no such message in this thread");
  if (message->item.author_user_id == at.caller.user) return Error::BadField("messageId", "is your own");
  PARLEY_CHECK_OK(threads::RequirePossible(*message, threads::MessageAct::kReport));
  return CaseSubject{CaseType::kMessage, CaseOrigin::kReport, args.thread_id, args.message_id,
                     message->item.author_user_id};
}

Result<CaseSubject> SubjectOf(const Place& at, const UserReport::Args& args) {
  if (args.user_id == protocol::Sure(at.caller.user)) return Error::BadField("userId", "is your own");
  if (args.thread_id) {
    PARLEY_CHECK_OK(RequireReporter(at.rows, at.caller, *args.thread_id, at.now));
    PARLEY_TRY(them, at.rows.Participant(*args.thread_id, args.user_id));
    if (!them) return ErrorFor(Reason::kNoParticipant, "no such user in this thread");
  }
  return CaseSubject{CaseType::kUser, CaseOrigin::kReport, args.thread_id, {}, args.user_id};
}

template <class Op>
void Report(Host& host, const OpCall& call, Done done) {
  const Caller& caller = call.caller;
  const auto& args = call.As<Op>();
  if (!caller.user) return done(ErrorFor(Reason::kOnlyUsers, "only users report"));
  if (args.reason.value.empty()) return done(Error::BadField("reason", "is required"));
  DecideRecords<Reported>(
      host, caller.tenant,
      [caller, args, id = NewCaseId(host),
       dual = DualOf(host, caller.tenant)](RecordTransaction& tx) -> Result<Reported> {
        const threads::RowReader rows(tx.reader(), caller.tenant);
        PARLEY_TRY(subject, SubjectOf({rows, caller, tx.now()}, args));
        return FileReport(tx, {subject, id, *caller.user, args.reason, args.severity, args.notes}, dual);
      },
      [&host, tenant = caller.tenant, done = std::move(done)](Result<Reported> reported) {
        if (!reported.ok()) return done(std::move(reported.error()));
        CaseWork work{tenant, reported->reply.case_id, std::move(reported->effects)};
        // It is taken whatever becomes of the flag, which the sweeper sets if it could not be set now.
        CarryOut(host, std::move(work),
                 [answer = protocol::Encode(reported->reply), done](bool) { done(answer); });
      });
}

}  // namespace

Operation ReportMessageOp() {
  return HandledOp<MessageReport>(&Report<MessageReport>);
}
Operation ReportThreadOp() {
  return HandledOp<ThreadReport>(&Report<ThreadReport>);
}
Operation ReportUserOp() {
  return HandledOp<UserReport>(&Report<UserReport>);
}

}  // namespace parley::features
