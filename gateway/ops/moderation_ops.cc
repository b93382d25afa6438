#include "gateway/ops/moderation_ops.h"

#include "accounts/audit/audit_chain.h"
#include "features/moderation/case_queue.h"
#include "features/moderation/cases.h"
#include "features/moderation/sanctions.h"
#include "features/moderation/staff_threads.h"
#include "gateway/app/case_effects.h"
#include "gateway/app/records.h"
#include "protocol/base/crypto.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"
#include "protocol/json_size.h"
#include "threads/judge/reset_strikes.h"
#include "threads/model/mask.h"
#include "threads/model/message_acts.h"
#include "threads/model/row_reader.h"
#include "threads/staff/case_context.h"
#include "threads/staff/case_steps.h"

namespace parley::gateway {

using accounts::RecordTransaction;
using features::CaseSubject;
using protocol::Error;
using protocol::Reason;
using protocol::Result;
using threads::Caller;

features::DualSeverities DualOf(const Node& node, const protocol::TenantId& tenant) {
  const accounts::TenantPtr found = node.tenants().Find(tenant.value);
  return accounts::DualSeveritiesOf(found ? found->settings.safety : accounts::Safety());
}

namespace {

constexpr size_t kDefaultCases = 25;

Error StaffOnly() {
  return ErrorFor(Reason::kOnlyStaff, "only staff may do this");
}

// Random as all ids are, and without a time.
protocol::CaseId NewCaseId(IoThread& io) {
  const protocol::Ulid drawn = io.ids().Make(io.node().clock().Now());
  return protocol::CaseId{
      protocol::Sure(protocol::Ulid::FromBytes(protocol::Sha256(drawn.raw()).substr(0, 16)))};
}

// --- what is reported, as far as the reporter may know of it

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

Result<CaseSubject> SubjectOf(const Place& at, const protocol::ThreadReport::Args& args) {
  PARLEY_CHECK_OK(RequireReporter(at.rows, at.caller, args.thread_id, at.now));
  return CaseSubject{protocol::CaseType::kThread, protocol::CaseOrigin::kReport, args.thread_id};
}

Result<CaseSubject> SubjectOf(const Place& at, const protocol::MessageReport::Args& args) {
  PARLEY_CHECK_OK(RequireReporter(at.rows, at.caller, args.thread_id, at.now));
  if (!args.message_id)
    return CaseSubject{protocol::CaseType::kThread, protocol::CaseOrigin::kReport, args.thread_id};
  PARLEY_TRY(message, at.rows.Message(args.thread_id, *args.message_id));
  if (!message || !threads::MaySee(at.caller, message->hidden.only_for))
    return ErrorFor(protocol::Reason::kNoMessage, "no such message in this thread");
  if (message->item.author_user_id == at.caller.user) return Error::BadField("messageId", "is your own");
  PARLEY_CHECK_OK(threads::RequirePossible(*message, threads::MessageAct::kReport));
  return CaseSubject{protocol::CaseType::kMessage, protocol::CaseOrigin::kReport, args.thread_id,
                     args.message_id, message->item.author_user_id};
}

Result<CaseSubject> SubjectOf(const Place& at, const protocol::UserReport::Args& args) {
  if (args.user_id == protocol::Sure(at.caller.user)) return Error::BadField("userId", "is your own");
  if (args.thread_id) {
    PARLEY_CHECK_OK(RequireReporter(at.rows, at.caller, *args.thread_id, at.now));
    PARLEY_TRY(them, at.rows.Participant(*args.thread_id, args.user_id));
    if (!them) return ErrorFor(Reason::kNoParticipant, "no such user in this thread");
  }
  return CaseSubject{
      protocol::CaseType::kUser, protocol::CaseOrigin::kReport, args.thread_id, {}, args.user_id};
}

template <class Args>
void RouteReport(IoThread& io, const Caller& caller, Args args, Done done) {
  if (!caller.user) return done(ErrorFor(Reason::kOnlyUsers, "only users report"));
  if (args.reason.value.empty()) return done(Error::BadField("reason", "is required"));
  DecideRecords<features::Reported>(
      io, caller.tenant,
      [caller, args, id = NewCaseId(io),
       dual = DualOf(io.node(), caller.tenant)](RecordTransaction& tx) -> Result<features::Reported> {
        const threads::RowReader rows(tx.reader(), caller.tenant);
        PARLEY_TRY(subject, SubjectOf({rows, caller, tx.now()}, args));
        return features::FileReport(tx, {subject, id, *caller.user, args.reason, args.severity, args.notes},
                                    dual);
      },
      [&io, tenant = caller.tenant, done = std::move(done)](Result<features::Reported> reported) {
        if (!reported.ok()) return done(std::move(reported.error()));
        CaseWork work{tenant, reported->reply.case_id, std::move(reported->effects)};
        // It is taken whatever becomes of the flag, which the sweeper sets if it could not be set now.
        CarryOut(io, std::move(work),
                 [answer = protocol::Encode(reported->reply), done](bool) { done(answer); });
      });
}

features::Decider DeciderOf(const Caller& caller) {
  return {protocol::Sure(caller.user), std::string(protocol::NameOf(caller.role))};
}

// --- moderation.case: on record, let in, read

// A reporter's words may quote what staff need not see.
protocol::Case AsShown(protocol::Case one) {
  if (!one.escalated) one.reason.value = threads::Masked(one.reason.value);
  return one;
}

struct LookedAt {
  features::CaseRecord record;
  std::vector<protocol::CaseReport> reports;
  std::optional<protocol::Time> until;
  bool shut_out = false;  // they are bound to cases, and this one lets nobody in any more
};

void Mask(protocol::ModerationCaseOp::Reply* reply) {
  for (protocol::CaseReport& report : reply->reports.items) {
    report.reason.value = threads::Masked(report.reason.value);
    if (report.notes) report.notes->value = threads::Masked(report.notes->value);
  }
}

void ShowCase(IoThread& io, const Caller& caller, LookedAt looked, Done done) {
  Caller staff = caller;
  staff.by_case = false;  // this case lets them in
  ReadAnywhere<std::string>(
      io, io.road(caller.tenant),
      [&node = std::as_const(io.node()), staff,
       looked = std::move(looked)](const storage::Reader& reader) -> Result<std::string> {
        const protocol::Case& shown = looked.record.shown;
        protocol::ModerationCaseOp::Reply reply;
        reply.of = AsShown(shown);
        reply.reports.items = looked.reports;
        reply.masked = !shown.escalated;
        reply.access_until = looked.until;
        if (reply.masked) Mask(&reply);
        protocol::CaseContext context;
        if (shown.thread_id && !looked.shut_out) {
          PARLEY_TRY(read, threads::ReadCaseContext(ContextOf(node, reader, staff), *shown.thread_id,
                                                    shown.message_id, reply.masked));
          context = std::move(read);
        }
        reply.context.msgpack = protocol::Encode(context);
        return protocol::Encode(reply);
      },
      std::move(done));
}

// Access ends with the status that it was given at. What ends it may come before the access itself, and then
// would end nothing.
protocol::Status RequireAsLookedAt(const accounts::RecordReads& records, const protocol::Case& looked_at) {
  PARLEY_TRY(now, features::GetCase(records, looked_at.case_id));
  if (now.shown.status == looked_at.status && now.gives_access) return protocol::Ok();
  return ErrorFor(Reason::kCaseMoved, "the case has changed just now: look again");
}

void LetInAndShow(IoThread& io, const Caller& caller, LookedAt looked, Done done) {
  const protocol::Case& shown = looked.record.shown;
  looked.shut_out = caller.by_case && !protocol::IsOpen(shown.status);
  if (!caller.by_case || !shown.thread_id || looked.shut_out)
    return ShowCase(io, caller, std::move(looked), std::move(done));
  looked.until = protocol::Time{io.node().clock().Now().ms + threads::kCaseAccessMs};
  threads::Job job;
  job.tenant = caller.tenant;
  job.thread = *shown.thread_id;
  job.decide = [&node = std::as_const(io.node()), caller,
                shown](threads::Transaction& tx) -> threads::Result<threads::Decision> {
    const threads::RowReader rows = tx.Rows(caller.tenant);
    PARLEY_CHECK_OK(RequireAsLookedAt(
        accounts::RecordReads(rows.raw(), caller.tenant, tx.moment().now, node.sealer()), shown));
    return threads::LetIn(tx, caller.tenant, *shown.thread_id, *caller.user, shown.case_id.ToText(),
                          shown.escalated);
  };
  job.done = [&io, caller, looked = std::move(looked), done = std::move(done)](threads::Answer let_in) {
    if (!let_in.ok()) return done(std::move(let_in.error()));
    ShowCase(io, caller, looked, done);
  };
  io.Submit(std::move(job));
}

}  // namespace

void RouteRecords(IoThread& io, const Caller& caller, protocol::MessageReport::Args args, Done done) {
  RouteReport(io, caller, std::move(args), std::move(done));
}
void RouteRecords(IoThread& io, const Caller& caller, protocol::ThreadReport::Args args, Done done) {
  RouteReport(io, caller, std::move(args), std::move(done));
}
void RouteRecords(IoThread& io, const Caller& caller, protocol::UserReport::Args args, Done done) {
  RouteReport(io, caller, std::move(args), std::move(done));
}

void RouteRecords(IoThread& io, const Caller& caller, protocol::ModerationCaseOp::Args args, Done done) {
  if (!caller.is_staff() || !caller.user) return done(StaffOnly());
  DecideRecords<LookedAt>(
      io, caller.tenant,
      [caller, id = args.case_id](RecordTransaction& tx) -> Result<LookedAt> {
        PARLEY_TRY(record, features::LookAtCase(tx, DeciderOf(caller), id, caller.by_case));
        PARLEY_TRY(reports, features::ReportsOf(tx, id));
        return LookedAt{std::move(record), std::move(reports), {}};
      },
      [&io, caller, done = std::move(done)](Result<LookedAt> looked) {
        if (!looked.ok()) return done(std::move(looked.error()));
        LetInAndShow(io, caller, *std::move(looked), done);
      });
}

void RouteRecords(IoThread& io, const Caller& caller, protocol::ModerationDecide::Args args, Done done) {
  if (!caller.is_staff() || !caller.user) return done(StaffOnly());
  DecidePeople<features::Decided>(
      io, caller.tenant,
      [caller, args, dual = DualOf(io.node(), caller.tenant)](RecordTransaction& tx) {
        const threads::RowReader rows(tx.reader(), caller.tenant);
        const auto may_redact = [&](const auto& thread, const auto& id) -> Result<bool> {
          PARLEY_TRY(message, rows.Message(thread, id));
          if (message && message->item.author_user_id == caller.user)
            return ErrorFor(protocol::Reason::kAboutOneself, "nobody decides about themselves");
          return message.has_value();
        };
        return features::DecideCase(tx, DeciderOf(caller), args, {dual, may_redact});
      },
      [&io, tenant = caller.tenant, done = std::move(done)](Result<features::Decided> decided) {
        if (!decided.ok()) return done(std::move(decided.error()));
        for (const accounts::SessionsToEnd& ends : decided->ends)
          io.node().Revoke(RevocationOf(tenant, ends));
        CaseWork work{tenant, decided->now.case_id, std::move(decided->effects)};
        protocol::ModerationDecide::Reply reply{AsShown(std::move(decided->now))};
        CarryOut(io, std::move(work), [answer = protocol::Encode(reply), done](bool carried_out) {
          if (carried_out) return done(answer);
          // It is decided, and will be carried out: a repeat finds the case ended.
          done(ErrorFor(Reason::kDecidedNotDone, "decided, and yet to be carried out"));
        });
      });
}

// In one thread it is a command of the thread's; everywhere, a line in the user's standing.
void RouteRecords(IoThread& io, const Caller& caller, protocol::ModerationResetLadder::Args args, Done done) {
  if (args.reason.value.empty()) return done(Error::BadField("reason", "is required"));
  if (args.thread_id) {
    threads::Job job;
    job.tenant = caller.tenant;
    job.thread = *args.thread_id;
    job.decide = [caller, args = std::move(args)](threads::Transaction& tx) {
      return threads::ResetStrikes(tx, caller, *args.thread_id, args.user_id, args.reason.value);
    };
    job.done = std::move(done);
    return io.Submit(std::move(job));
  }
  if (!caller.is_staff() || !caller.user) return done(StaffOnly());
  DecidePeople<protocol::Unit>(
      io, caller.tenant,
      [caller, args = std::move(args)](RecordTransaction& tx) -> protocol::Status {
        PARLEY_CHECK_OK(features::AddStrikesReset(tx, args.user_id, *caller.user));
        accounts::AuditAct act{caller.user, std::string(protocol::NameOf(caller.role)),
                               protocol::ModerationResetLadder::kName.data(), args.reason.value};
        act.user_id = args.user_id;
        PARLEY_CHECK_OK(accounts::RecordAct(tx, std::move(act)));
        return tx.Commit();
      },
      [done = std::move(done)](const protocol::Status& reset) {
        done(reset.ok() ? Answer(protocol::Encode(protocol::Empty{})) : Answer(reset.error()));
      });
}

threads::ReadAnswer ReadModeration(const threads::ReadContext& context, const accounts::RecordReads& records,
                                   const protocol::ModerationQueue::Args& args) {
  if (!context.caller.is_staff() && !context.caller.sees_all()) return StaffOnly();
  const auto text = [](const auto& value) { return value ? value->ToText() : std::string(); };
  const auto name = [](const auto& value) {
    return value ? std::string(protocol::NameOf(*value)) : std::string();
  };
  const std::string query = "moderation.queue " + name(args.status) + "/" + name(args.type) + "/" +
                            name(args.severity) + "/" + text(args.thread_id) + "/" + text(args.user_id);
  std::optional<std::string> after;
  if (args.cursor) {
    after = context.cursors.Open(context.caller, query, *args.cursor);
    if (!after) return Error::BadField("cursor", "is not a cursor of this query");
  }
  const size_t limit = args.limit ? static_cast<size_t>(args.limit->value) : kDefaultCases;
  PARLEY_TRY(page, features::ListCases(records, context.caller.user, args, limit, after));
  PARLEY_TRY(stats, features::CountCases(records, context.caller.user));
  protocol::ModerationQueue::Reply reply;
  reply.stats = stats;
  protocol::PageBytes bytes(context.page_bytes);
  const auto taken = [&reply] {
    size_t sum = 0;
    for (const protocol::Case& one : reply.cases.items) sum += protocol::JsonSize(protocol::Encode(one));
    return sum;
  };
  for (protocol::Case& found : page.cases) {
    protocol::Case one = AsShown(std::move(found));
    if (!bytes.Take(protocol::Encode(one), taken)) {
      const protocol::Case& last = reply.cases.items.back();
      page.next = features::PlaceInLists(last.reported_at, last.case_id);
      break;
    }
    reply.cases.items.push_back(std::move(one));
  }
  if (page.next) reply.cursor = context.cursors.Seal(context.caller, query, *page.next);
  return protocol::Encode(reply);
}

threads::ReadAnswer ReadModeration(const threads::ReadContext& context, const accounts::RecordReads& records,
                                   const protocol::ModerationThreads::Args& args) {
  return features::ListThreads(context, records, args);
}

void RecordStaffAccess(IoThread& io, const Caller& caller, std::string_view op,
                       const std::optional<protocol::UserId>& about,
                       std::function<void(protocol::Status)> then) {
  DecideRecords<protocol::Unit>(
      io, caller.tenant,
      [caller, op, about](RecordTransaction& tx) -> protocol::Status {
        accounts::AuditAct look{caller.user, std::string(protocol::NameOf(caller.role)),
                                "look." + std::string(op)};
        look.user_id = about;
        PARLEY_CHECK_OK(accounts::RecordAct(tx, std::move(look)));
        return tx.Commit();
      },
      std::move(then));
}

}  // namespace parley::gateway
