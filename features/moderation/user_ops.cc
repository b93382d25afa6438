#include <algorithm>

#include "accounts/audit/audit_chain.h"
#include "features/host/records.h"
#include "features/moderation/asks.h"
#include "features/moderation/cases.h"
#include "features/moderation/operations.h"
#include "features/moderation/sanctions.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"
#include "threads/judge/reset_strikes.h"
#include "threads/judge/strikes.h"
#include "threads/model/rows.h"

namespace parley::features {

using accounts::RecordTransaction;
using protocol::Error;
using protocol::Reason;
using protocol::Result;
using protocol::UserId;

namespace {

protocol::Status CheckModeration(const threads::Caller& caller, const ModerationUser::Args& args) {
  if (!caller.is_staff()) return ErrorFor(Reason::kOnlyStaff, "only staff may do this");
  if (!args.state && (args.until || args.reason))
    return Error::BadField("state", "is missing, although a reason or an end is given");
  if (args.state && (!args.reason || args.reason->value.empty()))
    return Error::BadField("reason", "is required");
  return protocol::Ok();
}

// Adds the user's strikes that still count.
protocol::Status AddStrikes(RecordTransaction& tx, const UserId& user, ModeratedUser* out) {
  const threads::StrikeRules rules;
  PARLEY_TRY(standing, accounts::FindStanding(tx, user));
  PARLEY_TRY(rows, threads::ReadStrikesOfUser(threads::RowReader(tx.reader(), tx.tenant()), user));
  auto& places = out->ladder.items;
  for (const auto& [thread, row] : rows) {
    if (standing.strikes_reset_at && row.at <= *standing.strikes_reset_at) continue;
    LadderPlace place;
    if (thread != protocol::ThreadId{}) place.thread_id = thread;
    place.points = threads::PointsOf(row, tx.now(), rules);
    place.finds = row.finds;
    place.at = row.at;
    const auto ahead = [&](const auto& time) { return time.value && *time.value > tx.now(); };
    if (ahead(row.rests_until)) place.rests_until = row.rests_until.value;
    if (ahead(row.stopped_until)) place.stopped_until = row.stopped_until.value;
    if (place.points > 0 || place.stopped_until) places.push_back(place);
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const auto& a, const auto& b) { return a.points > b.points; });
  if (places.size() > kStrikePlacesMax) places.resize(kStrikePlacesMax);
  return protocol::Ok();
}

struct UserDecided {
  std::string reply;
  std::optional<accounts::SessionsToEnd> ends;
};

// Records the act or the access in the same decision.
protocol::Status Record(RecordTransaction& tx, const threads::Caller& caller,
                        const ModerationUser::Args& args, const ModeratedUser& before,
                        const std::optional<protocol::CaseId>& meanwhile) {
  accounts::AuditAct act;
  act.actor = caller.user;
  act.actor_role = protocol::NameOf(caller.role);
  act.action = args.state ? "moderation.user" : "look.moderation.user";
  act.user_id = args.user_id;
  if (meanwhile) act.case_id = meanwhile->ToText();
  if (args.state) {
    act.reason = protocol::Sure(args.reason).value;
    act.before = protocol::StatesOf({{"state", protocol::NameOf(before.state)}});
    act.after = protocol::StatesOf({{"state", protocol::NameOf(*args.state)}});
  }
  PARLEY_CHECK_OK(RecordAct(tx, std::move(act)));
  return protocol::Ok();
}

Error TwoDecide(const protocol::CaseId& id) {
  Error error = ErrorFor(Reason::kCaseNeedsTwo, "a case about them is open, which two have to decide");
  error.fields.emplace_back("caseId", id.ToText());
  return error;
}

Result<UserDecided> DecideAboutUser(RecordTransaction& tx, const threads::Caller& caller,
                                    const ModerationUser::Args& args, const DualSeverities& dual_severities) {
  UserDecided out;
  ModerationUser::Reply reply;
  PARLEY_TRY(before, ReadSanction(tx, args.user_id));
  reply.user = before;
  std::optional<protocol::CaseId> meanwhile;
  if (args.state) {
    // Check first: a later error would reveal a case.
    if (args.user_id == caller.user)
      return ErrorFor(Reason::kAboutOneself, "a decision about oneself is not allowed");
    const SanctionChange change{*args.state, args.until, protocol::Sure(args.reason).value,
                                protocol::Sure(caller.user)};
    PARLEY_TRY(dual, DualCaseAboutUser(tx, args.user_id, dual_severities));
    if (dual && change.state == protocol::UserState::kMuted) {
      PARLEY_CHECK_OK(MuteMeanwhile(tx, *dual, args.user_id, change));
    } else if (dual) {
      return TwoDecide(*dual);
    } else {
      PARLEY_TRY(ends, AddSanction(tx, args.user_id, change));
      out.ends = std::move(ends);
    }
    meanwhile = dual;
    reply.user = {args.user_id, *args.state, args.until, protocol::Sure(args.reason).value,
                  caller.user,  tx.now(),    {}};
  }
  PARLEY_CHECK_OK(AddStrikes(tx, args.user_id, &reply.user));
  PARLEY_CHECK_OK(Record(tx, caller, args, before, meanwhile));
  PARLEY_CHECK_OK(tx.Commit());
  out.reply = protocol::Encode(reply);
  return out;
}

void ShowOrDecide(Host& host, const OpCall& call, Done done) {
  const threads::Caller& caller = call.caller;
  const auto& args = call.As<ModerationUser>();
  if (auto may = CheckModeration(caller, args); !may.ok()) return done(std::move(may.error()));
  DecidePeople<UserDecided>(
      host, caller.tenant,
      [caller, args, dual = DualOf(host, caller.tenant)](RecordTransaction& tx) {
        return DecideAboutUser(tx, caller, args, dual);
      },
      [&host, tenant = caller.tenant, done = std::move(done)](Result<UserDecided> made) {
        if (!made.ok()) return done(std::move(made.error()));
        if (made->ends) host.Revoke(tenant, *made->ends);
        done(std::move(made->reply));
      });
}

// In one thread it is a command of the thread's; everywhere, a line in the user's standing.
void ResetStrikes(Host& host, const OpCall& call, Done done) {
  const threads::Caller& caller = call.caller;
  const auto& args = call.As<ModerationResetLadder>();
  if (args.reason.value.empty()) return done(Error::BadField("reason", "is required"));
  if (args.thread_id) {
    threads::Job job;
    job.tenant = caller.tenant;
    job.thread = *args.thread_id;
    job.decide = [caller, args](threads::Transaction& tx) {
      return threads::ResetStrikes(tx, caller, *args.thread_id, args.user_id,
                                   {std::string(ModerationResetLadder::kName), args.reason.value});
    };
    job.done = std::move(done);
    return host.Submit(std::move(job));
  }
  if (!caller.is_staff() || !caller.user) return done(StaffOnly());
  DecidePeople<protocol::Unit>(
      host, caller.tenant,
      [caller, args](RecordTransaction& tx) -> protocol::Status {
        PARLEY_CHECK_OK(AddStrikesReset(tx, args.user_id, *caller.user));
        accounts::AuditAct act{caller.user, std::string(protocol::NameOf(caller.role)),
                               ModerationResetLadder::kName.data(), args.reason.value};
        act.user_id = args.user_id;
        PARLEY_CHECK_OK(accounts::RecordAct(tx, std::move(act)));
        return tx.Commit();
      },
      [done = std::move(done)](const protocol::Status& reset) {
        done(reset.ok() ? Answer(protocol::Encode(protocol::Empty{})) : Answer(reset.error()));
      });
}

}  // namespace

Operation UserOp() {
  return HandledOp<ModerationUser>(&ShowOrDecide);
}
Operation ResetStrikesOp() {
  return HandledOp<ModerationResetLadder>(&ResetStrikes);
}

}  // namespace parley::features
