#include "gateway/ops/people_ops.h"

#include <algorithm>

#include "accounts/audit/audit_chain.h"
#include "accounts/contacts/blocks.h"
#include "features/moderation/cases.h"
#include "features/moderation/sanctions.h"
#include "gateway/app/records.h"
#include "gateway/ops/block_marks.h"
#include "gateway/ops/moderation_ops.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"
#include "threads/judge/strikes.h"
#include "threads/model/rows.h"

namespace parley::gateway {

using accounts::RecordTransaction;
using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;
using protocol::Result;
using protocol::UserId;

namespace {

using RecordChange = protocol::Status (*)(RecordTransaction&, const UserId& by, const UserId& whom);

void ChangeBlock(IoThread& io, const threads::Caller& caller, const UserId& whom, RecordChange change,
                 Done done) {
  if (!caller.user) return done(ErrorFor(Reason::kOnlyUsers, "only users block each other"));
  // Whether the two are apart then: the other may block, too.
  DecidePeople<PairChange>(
      io, caller.tenant,
      [&node = io.node(), tenant = caller.tenant, by = *caller.user, whom,
       change](RecordTransaction& tx) -> Result<PairChange> {
        PARLEY_TRY(other_way, accounts::FindBlock(tx, whom, by));
        PARLEY_CHECK_OK(change(tx, by, whom));
        const bool apart = change == &accounts::BlockUser || other_way;
        return PairChange{tenant, {by, whom}, apart, node.NextPairChange()};
      },
      [&io, caller, whom, done = std::move(done)](Result<PairChange> decided) {
        if (!decided.ok()) return done(std::move(decided.error()));
        io.node().PublishPairChange(*decided);
        MarkBlocks(io, caller.tenant, *caller.user, whom, [done](bool shown) {
          if (shown) return done(protocol::Encode(protocol::Empty{}));
          done(ErrorFor(Reason::kBlockSpreads, "it holds, and does not show everywhere yet"));
        });
      });
}

// Who made the request that the entry of a reply shows.
std::optional<UserId> WhoAsked(const std::string& reply) {
  protocol::Document document;
  if (!threads::DecodeStored(reply, &document)) return std::nullopt;
  const protocol::Value* entry = document.root.Find("entry");
  const protocol::Value* request = entry && entry->as_map() ? entry->Find("request") : nullptr;
  const protocol::Value* from = request && request->as_map() ? request->Find("fromUserId") : nullptr;
  return from && from->as_text() ? UserId::FromText(*from->as_text()) : std::nullopt;
}

protocol::Status CheckModeration(const threads::Caller& caller, const protocol::ModerationUser::Args& args) {
  if (!caller.is_staff()) return ErrorFor(Reason::kOnlyStaff, "only staff may do this");
  if (!args.state && (args.until || args.reason))
    return Error::BadField("state", "is missing: what the reason is for");
  if (args.state && (!args.reason || args.reason->value.empty()))
    return Error::BadField("reason", "is required");
  return protocol::Ok();
}

// Where they stand with the text policy, as far as it counts.
protocol::Status AddStrikes(RecordTransaction& tx, const UserId& user, protocol::ModeratedUser* out) {
  const threads::StrikeRules rules;
  PARLEY_TRY(standing, accounts::FindStanding(tx, user));
  PARLEY_TRY(rows, threads::ReadStrikesOfUser(threads::RowReader(tx.reader(), tx.tenant()), user));
  auto& places = out->strikes.items;
  for (const auto& [thread, row] : rows) {
    if (standing.strikes_reset_at && row.at <= *standing.strikes_reset_at) continue;
    protocol::LadderPlace place;
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
  if (places.size() > protocol::kStrikePlacesMax) places.resize(protocol::kStrikePlacesMax);
  return protocol::Ok();
}

struct Decided {
  std::string reply;
  std::optional<accounts::SessionsToEnd> ends;
};

// Who did or looked, on record in the same decision.
protocol::Status Record(RecordTransaction& tx, const threads::Caller& caller,
                        const protocol::ModerationUser::Args& args, const protocol::ModeratedUser& before,
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

Result<Decided> DecideAboutUser(RecordTransaction& tx, const threads::Caller& caller,
                                const protocol::ModerationUser::Args& args,
                                const features::DualSeverities& dual_severities) {
  Decided out;
  protocol::ModerationUser::Reply reply;
  PARLEY_TRY(before, features::ReadSanction(tx, args.user_id));
  reply.user = before;
  std::optional<protocol::CaseId> meanwhile;
  if (args.state) {
    // Before anything that would tell them of a case.
    if (args.user_id == caller.user)
      return ErrorFor(Reason::kAboutOneself, "nobody decides about themselves");
    const features::SanctionChange change{*args.state, args.until, protocol::Sure(args.reason).value,
                                          protocol::Sure(caller.user)};
    PARLEY_TRY(dual, features::DualCaseAboutUser(tx, args.user_id, dual_severities));
    if (dual && change.state == protocol::UserState::kMuted) {
      PARLEY_CHECK_OK(features::MuteMeanwhile(tx, *dual, args.user_id, change));
    } else if (dual) {
      return TwoDecide(*dual);
    } else {
      PARLEY_TRY(ends, features::AddSanction(tx, args.user_id, change));
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

}  // namespace

void RouteRecords(IoThread& io, const threads::Caller& caller, const protocol::UserBlock::Args& args,
                  Done done) {
  ChangeBlock(io, caller, args.user_id, &accounts::BlockUser, std::move(done));
}

void RouteRecords(IoThread& io, const threads::Caller& caller, const protocol::UserUnblock::Args& args,
                  Done done) {
  ChangeBlock(io, caller, args.user_id, &accounts::UnblockUser, std::move(done));
}

void RouteRecords(IoThread& io, const threads::Caller& caller, const protocol::ModerationUser::Args& args,
                  Done done) {
  if (auto may = CheckModeration(caller, args); !may.ok()) return done(std::move(may.error()));
  DecidePeople<Decided>(
      io, caller.tenant,
      [caller, args, dual = DualOf(io.node(), caller.tenant)](RecordTransaction& tx) {
        return DecideAboutUser(tx, caller, args, dual);
      },
      [&node = io.node(), tenant = caller.tenant, done = std::move(done)](Result<Decided> made) {
        if (!made.ok()) return done(std::move(made.error()));
        if (made->ends) node.Revoke(RevocationOf(tenant, *made->ends));
        done(std::move(made->reply));
      });
}

void BlockWhoAsked(IoThread& io, const threads::Caller& caller, const std::string& reply, Done done) {
  const auto from = WhoAsked(reply);
  if (!from) return done(Error(ErrorCode::kInternal, "a request without its author"));
  ChangeBlock(io, caller, *from, &accounts::BlockUser, [reply, done = std::move(done)](Answer blocked) {
    done(blocked.ok() ? Answer(reply) : std::move(blocked));
  });
}

}  // namespace parley::gateway
