#include "features/host/records.h"
#include "features/moderation/asks.h"
#include "features/moderation/case_effects.h"
#include "features/moderation/case_queue.h"
#include "features/moderation/cases.h"
#include "features/moderation/operations.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"
#include "protocol/json_size.h"
#include "threads/model/mask.h"
#include "threads/model/message_row.h"
#include "threads/model/row_reader.h"
#include "threads/staff/case_context.h"
#include "threads/staff/case_steps.h"

namespace parley::features {

using accounts::RecordTransaction;
using protocol::Error;
using protocol::Reason;
using protocol::Result;
using threads::Caller;

namespace {

constexpr size_t kDefaultCases = 25;

Decider DeciderOf(const Caller& caller) {
  return {protocol::Sure(caller.user), std::string(protocol::NameOf(caller.role))};
}

// --- moderation.case: on record, let in, read

// A reporter may quote text that staff need not see.
Case AsShown(Case one) {
  if (!one.escalated) one.reason.value = threads::Masked(one.reason.value);
  return one;
}

struct LookedAt {
  CaseRecord record;
  std::vector<CaseReport> reports;
  std::optional<protocol::Time> until;
  bool shut_out = false;  // they are bound to cases, and this one no longer gives access
};

void Mask(ModerationCaseOp::Reply* reply) {
  for (CaseReport& report : reply->reports.items) {
    report.reason.value = threads::Masked(report.reason.value);
    if (report.notes) report.notes->value = threads::Masked(report.notes->value);
  }
}

void ShowCase(Host& host, const Caller& caller, LookedAt looked, Done done) {
  Caller staff = caller;
  staff.by_case = false;  // this case lets them in
  ReadAnywhere<std::string>(
      host, host.road(caller.tenant),
      [&host = std::as_const(host), staff,
       looked = std::move(looked)](const storage::Reader& reader) -> Result<std::string> {
        const Case& shown = looked.record.shown;
        ModerationCaseOp::Reply reply;
        reply.of = AsShown(shown);
        reply.reports.items = looked.reports;
        reply.masked = !shown.escalated;
        reply.access_until = looked.until;
        if (reply.masked) Mask(&reply);
        protocol::CaseContext context;
        if (shown.thread_id && !looked.shut_out) {
          PARLEY_TRY(read, threads::ReadCaseContext(host.ContextOf(reader, staff), *shown.thread_id,
                                                    shown.message_id, reply.masked));
          context = std::move(read);
        }
        reply.context.msgpack = protocol::Encode(context);
        return protocol::Encode(reply);
      },
      std::move(done));
}

// Access lasts as long as the status at which it was given. A change of status may be decided before the
// access is stored, and then would not end it.
protocol::Status RequireAsLookedAt(const accounts::RecordReads& records, const Case& looked_at) {
  PARLEY_TRY(now, GetCase(records, looked_at.case_id));
  if (now.shown.status == looked_at.status && now.gives_access) return protocol::Ok();
  return ErrorFor(Reason::kCaseMoved, "the case has changed just now: look again");
}

void LetInAndShow(Host& host, const Caller& caller, LookedAt looked, Done done) {
  const Case& shown = looked.record.shown;
  looked.shut_out = caller.by_case && !IsOpen(shown.status);
  if (!caller.by_case || !shown.thread_id || looked.shut_out)
    return ShowCase(host, caller, std::move(looked), std::move(done));
  looked.until = protocol::Time{host.clock().Now().ms + threads::kCaseAccessMs};
  threads::Job job;
  job.tenant = caller.tenant;
  job.thread = *shown.thread_id;
  job.decide = [&host = std::as_const(host), caller,
                shown](threads::Transaction& tx) -> threads::Result<threads::Decision> {
    const threads::RowReader rows = tx.Rows(caller.tenant);
    PARLEY_CHECK_OK(RequireAsLookedAt(
        accounts::RecordReads(rows.raw(), caller.tenant, tx.moment().now, host.sealer()), shown));
    return threads::LetIn(tx, caller.tenant, *shown.thread_id, *caller.user, shown.case_id.ToText(),
                          shown.escalated);
  };
  job.done = [&host, caller, looked = std::move(looked), done = std::move(done)](threads::Answer let_in) {
    if (!let_in.ok()) return done(std::move(let_in.error()));
    ShowCase(host, caller, looked, done);
  };
  host.Submit(std::move(job));
}

void ReadCase(Host& host, const OpCall& call, Done done) {
  const Caller& caller = call.caller;
  if (!caller.is_staff() || !caller.user) return done(StaffOnly());
  DecideRecords<LookedAt>(
      host, caller.tenant,
      [caller, id = call.As<ModerationCaseOp>().case_id](RecordTransaction& tx) -> Result<LookedAt> {
        PARLEY_TRY(record, LookAtCase(tx, DeciderOf(caller), id, caller.by_case));
        PARLEY_TRY(reports, ReportsOf(tx, id));
        return LookedAt{std::move(record), std::move(reports), {}};
      },
      [&host, caller, done = std::move(done)](Result<LookedAt> looked) {
        if (!looked.ok()) return done(std::move(looked.error()));
        LetInAndShow(host, caller, *std::move(looked), done);
      });
}

void Decide(Host& host, const OpCall& call, Done done) {
  const Caller& caller = call.caller;
  const auto& args = call.As<ModerationDecide>();
  if (!caller.is_staff() || !caller.user) return done(StaffOnly());
  DecidePeople<Decided>(
      host, caller.tenant,
      [caller, args, dual = DualOf(host, caller.tenant)](RecordTransaction& tx) {
        const threads::RowReader rows(tx.reader(), caller.tenant);
        const auto may_redact = [&](const auto& thread, const auto& id) -> Result<bool> {
          PARLEY_TRY(message, rows.Message(thread, id));
          if (message && message->item.author_user_id == caller.user)
            return ErrorFor(protocol::Reason::kAboutOneself, "a decision about oneself is not allowed");
          return message.has_value();
        };
        return DecideCase(tx, DeciderOf(caller), args, {dual, may_redact});
      },
      [&host, tenant = caller.tenant, done = std::move(done)](Result<Decided> decided) {
        if (!decided.ok()) return done(std::move(decided.error()));
        for (const accounts::SessionsToEnd& ends : decided->ends) host.Revoke(tenant, ends);
        CaseWork work{tenant, decided->now.case_id, std::move(decided->effects)};
        ModerationDecide::Reply reply{AsShown(std::move(decided->now))};
        CarryOut(host, std::move(work), [answer = protocol::Encode(reply), done](bool carried_out) {
          if (carried_out) return done(answer);
          // It is decided, and will be carried out: a repeat finds the case ended.
          done(ErrorFor(Reason::kDecidedNotDone, "decided, but not carried out yet"));
        });
      });
}

threads::ReadAnswer ListQueue(const threads::ReadContext& context, const ModerationQueue::Args& args) {
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
  const accounts::RecordReads records = RecordsOf(context);
  PARLEY_TRY(page, ListCases(records, context.caller.user, args, limit, after));
  PARLEY_TRY(stats, CountCases(records, context.caller.user));
  ModerationQueue::Reply reply;
  reply.stats = stats;
  protocol::PageBytes bytes(context.page_bytes);
  const auto taken = [&reply] {
    size_t sum = 0;
    for (const Case& one : reply.cases.items) sum += protocol::JsonSize(protocol::Encode(one));
    return sum;
  };
  for (Case& found : page.cases) {
    Case one = AsShown(std::move(found));
    if (!bytes.Take(protocol::Encode(one), taken)) {
      const Case& last = reply.cases.items.back();
      page.next = PlaceInLists(last.reported_at, last.case_id);
      break;
    }
    reply.cases.items.push_back(std::move(one));
  }
  if (page.next) reply.cursor = context.cursors.Seal(context.caller, query, *page.next);
  return protocol::Encode(reply);
}

}  // namespace

Operation CaseOp() {
  return HandledOp<ModerationCaseOp>(&ReadCase);
}
Operation DecideOp() {
  return HandledOp<ModerationDecide>(&Decide);
}
Operation QueueOp() {
  return {threads::ReadOp<ModerationQueue, ListQueue>()};
}

}  // namespace parley::features
