// moderation.decide, as a decision on the case alone: permission, outcome and effects.
#include <algorithm>
#include <utility>

#include "accounts/audit/audit_chain.h"
#include "accounts/records/item_fields.h"
#include "features/moderation/case_store.h"
#include "features/moderation/cases.h"
#include "features/moderation/sanctions.h"
#include "protocol/base/reason.h"
#include "protocol/encode.h"

namespace parley::features {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;
using protocol::Result;

namespace {

using DecideArgs = ModerationDecide::Args;

bool IsOfUser(CaseActionKind kind) {
  return kind != CaseActionKind::kRedact && kind != CaseActionKind::kLock;
}

bool MayEnd(CaseActionKind kind) {
  return IsOfUser(kind) && kind != CaseActionKind::kWarn;
}

Error BadAction(std::string what) {
  return Error::BadField("actions", std::move(what));
}

// Completes the action with the case's values.
Result<CaseAction> Completed(const Case& one, const CaseAction& given, const Decider& decider,
                             protocol::Time now) {
  CaseAction out = given;
  if (!IsOfUser(given.action) && !one.thread_id) return BadAction("the case is about no thread");
  if (given.until && !MayEnd(given.action)) return BadAction("this action has no end");
  if (given.illegal.value && given.action != CaseActionKind::kRedact)
    return BadAction("only what is redacted is illegal");
  if (given.until && *given.until <= now) return BadAction("ends before it begins");
  if (given.action == CaseActionKind::kRedact) {
    if (!out.message_id) out.message_id = one.message_id;
    if (!out.message_id) return BadAction("name the message to redact");
  } else {
    out.message_id.reset();
  }
  if (!IsOfUser(given.action)) {
    out.user_id.reset();
    return out;
  }
  if (!out.user_id) out.user_id = one.user_id;
  if (!out.user_id) return BadAction("which user it is about");
  if (*out.user_id == decider.user)
    return ErrorFor(Reason::kAboutOneself, "a decision about oneself is not allowed");
  return out;
}

protocol::Status RequireRedactable(const Case& one, const CaseAction& action, const CaseRules& rules) {
  if (action.action != CaseActionKind::kRedact) return protocol::Ok();
  if (!one.thread_id || !action.message_id) return BadAction("name the message to redact");
  PARLEY_TRY(may, rules.may_redact(*one.thread_id, *action.message_id));
  return may ? protocol::Ok() : protocol::Status(BadAction("no such message in the thread to be redacted"));
}

Result<CaseActions> CompletedAll(const Case& one, const DecideArgs& args, const Decider& decider,
                                 const CaseRules& rules, protocol::Time now) {
  CaseActions out;
  if (!args.actions) return out;
  for (const CaseAction& given : args.actions->items) {
    PARLEY_TRY(action, Completed(one, given, decider, now));
    PARLEY_CHECK_OK(RequireRedactable(one, action, rules));
    const bool again =
        action.user_id && std::any_of(out.items.begin(), out.items.end(), [&](const auto& other) {
          return other.user_id == action.user_id && !(other == action);
        });
    if (again) return BadAction("decides twice about one user");
    if (std::find(out.items.begin(), out.items.end(), action) == out.items.end())
      out.items.push_back(std::move(action));
  }
  return out;
}

// Returns the case that needs two approvals and is about the action's target, if any.
Result<std::optional<protocol::CaseId>> DualCaseAbout(const accounts::RecordReads& reads, const Case& one,
                                                      const CaseAction& action, const DualSeverities& dual) {
  if (IsOfUser(action.action) && action.user_id) return DualCaseAboutUser(reads, *action.user_id, dual);
  if (!one.thread_id) return BadAction("the case is about no thread");
  const bool of_message = action.action == CaseActionKind::kRedact && action.message_id.has_value();
  PARLEY_TRY(open, of_message ? OpenCaseAboutMessage(reads, *one.thread_id, *action.message_id)
                              : OpenCaseAboutThread(reads, *one.thread_id));
  if (!open || !NeedsTwo(open->shown, dual)) return std::optional<protocol::CaseId>();
  return std::optional(open->shown.case_id);
}

// This case must not bypass another one that needs two approvals.
protocol::Status RequireNoOtherCase(const accounts::RecordReads& reads, const Case& one,
                                    const CaseActions& actions, const DualSeverities& dual) {
  if (one.requires_dual_approval) return protocol::Ok();
  for (const CaseAction& action : actions.items) {
    PARLEY_TRY(other, DualCaseAbout(reads, one, action, dual));
    if (other && *other != one.case_id)
      return ErrorFor(Reason::kCaseNeedsTwo, "another case is open, which two have to decide");
  }
  return protocol::Ok();
}

// A decider who names the version that they saw cannot decide on another one.
protocol::Status RequireAsSeen(const Case& one, const DecideArgs& args) {
  if (!args.version || args.version->value == one.version) return protocol::Ok();
  Error error(ErrorCode::kVersionConflict, "the case has changed in the meantime");
  error.current = protocol::Encode(one);
  return error;
}

protocol::Status MayDecide(const accounts::RecordReads& reads, const Case& one, const Decider& decider) {
  PARLEY_TRY(mine, reads.Find(kCasesTable, CaseHash(one.case_id), ReportRange(decider.user)));
  if (mine) return ErrorFor(Reason::kCaseYouReported, "you reported it");
  if (!IsOpen(one.status)) return ErrorFor(Reason::kCaseOver, "the case has ended");
  return protocol::Ok();
}

void Resolve(const Decider& decider, const DecideArgs& args, protocol::Time now, Case* one) {
  one->resolution = CaseResolution{args.decision, args.notes, decider.user, now};
}

void AddApproval(const Decider& decider, const DecideArgs& args, protocol::Time now, Case* one) {
  auto& approvals = one->approvals.items;
  std::erase_if(approvals, [&](const CaseApproval& was) { return was.actor_id == decider.user; });
  approvals.push_back({decider.user, {decider.role}, args.decision, args.notes, now});
}

void AddThreadEffects(const Decider& decider, const std::string& reason, CaseRecord* record) {
  const Case& one = record->shown;
  bool redacted = false;
  for (const CaseAction& action : one.actions.items) {
    if (action.action == CaseActionKind::kRedact) {
      AddEffect(CaseEffectKind::kRedact, action.message_id, &decider, reason, record);
      CaseEffect* last = record->effects.empty() ? nullptr : &record->effects.back();
      if (last && last->kind == CaseEffectKind::kRedact && last->message_id == action.message_id)
        last->illegal = action.illegal;
      redacted = redacted || action.message_id == one.message_id;
    }
    if (action.action == CaseActionKind::kLock)
      AddEffect(CaseEffectKind::kLock, {}, &decider, reason, record);
  }
  if (one.origin == CaseOrigin::kPolicy) AddEffect(CaseEffectKind::kEndStop, {}, &decider, reason, record);
  if (one.type == CaseType::kMessage && !redacted)
    AddEffect(CaseEffectKind::kUnflag, one.message_id, &decider, reason, record);
}

// A decision that differs from the present proposal starts a new proposal.
void Propose(const Decider& decider, const DecideArgs& args, CaseActions actions, protocol::Time now,
             Case* one) {
  auto& approvals = one->approvals.items;
  const bool proposed = one->status == CaseStatus::kAwaitingSecondApproval;
  const bool same = proposed && !approvals.empty() && approvals.front().decision == args.decision &&
                    (!args.actions || actions.items == one->actions.items);
  if (!same) {
    approvals.clear();
    one->actions = std::move(actions);
  }
  AddApproval(decider, args, now, one);
}

void Apply(const Decider& decider, const DecideArgs& args, CaseActions actions, protocol::Time now,
           CaseRecord* record) {
  Case& one = record->shown;
  const std::string reason = args.notes ? args.notes->value : std::string();
  switch (args.decision) {
    case CaseDecision::kReject:
      AddApproval(decider, args, now, &one);
      one.actions = {};
      one.status = CaseStatus::kRejected;
      Resolve(decider, args, now, &one);
      AddThreadEffects(decider, reason, record);
      return;
    case CaseDecision::kEscalate:
      one.approvals.items.clear();
      one.actions = {};
      AddApproval(decider, args, now, &one);
      one.status = CaseStatus::kEscalated;
      one.escalated = true;
      Resolve(decider, args, now, &one);
      return;
    case CaseDecision::kApprove:
    case CaseDecision::kOverride:
      Propose(decider, args, std::move(actions), now, &one);
      one.resolution.reset();
      one.status = one.requires_dual_approval && one.approvals.items.size() < 2
                       ? CaseStatus::kAwaitingSecondApproval
                       : CaseStatus::kResolved;
      if (one.status != CaseStatus::kResolved) return;
      Resolve(decider, args, now, &one);
      AddThreadEffects(decider, reason, record);
  }
}

std::string NamesOf(const CaseActions& actions) {
  std::string out;
  for (const CaseAction& action : actions.items)
    out += (out.empty() ? "" : ",") + std::string(protocol::NameOf(action.action));
  return out;
}

protocol::Status OnRecord(accounts::RecordTransaction& tx, const Decider& decider, const DecideArgs& args,
                          const Case& before, const Case& after) {
  accounts::AuditAct act{decider.user, decider.role, "moderation.decide",
                         args.notes ? args.notes->value : std::string()};
  act.thread_id = after.thread_id;
  act.message_id = after.message_id;
  act.user_id = after.user_id;
  act.case_id = after.case_id.ToText();
  act.before = protocol::StatesOf({{"status", protocol::NameOf(before.status)}});
  act.after = protocol::StatesOf({{"decision", protocol::NameOf(args.decision)},
                                  {"status", protocol::NameOf(after.status)},
                                  {"actions", NamesOf(after.actions)}});
  PARLEY_CHECK_OK(accounts::RecordAct(tx, std::move(act)));
  return protocol::Ok();
}

protocol::UserState StateOf(CaseActionKind kind) {
  switch (kind) {
    case CaseActionKind::kMute:
      return protocol::UserState::kMuted;
    case CaseActionKind::kShadow:
      return protocol::UserState::kShadow;
    case CaseActionKind::kSuspend:
      return protocol::UserState::kSuspended;
    default:
      return protocol::UserState::kWarned;
  }
}

protocol::Status OnRecordOf(accounts::RecordTransaction& tx, const Decider& decider, const DecideArgs& args,
                            const Case& one, const protocol::UserId& user, protocol::UserState before,
                            protocol::UserState after) {
  accounts::AuditAct act{decider.user, decider.role, "moderation.user",
                         args.notes ? args.notes->value : std::string()};
  act.user_id = user;
  act.case_id = one.case_id.ToText();
  act.before = protocol::StatesOf({{"state", protocol::NameOf(before)}});
  act.after = protocol::StatesOf({{"state", protocol::NameOf(after)}});
  PARLEY_CHECK_OK(accounts::RecordAct(tx, std::move(act)));
  return protocol::Ok();
}

// A mute and a lock that one of two approvers proposes are in force at once, until the case is decided.
protocol::Status HoldMeanwhile(accounts::RecordTransaction& tx, const Decider& decider,
                               const DecideArgs& args, CaseRecord* record) {
  const Case& one = record->shown;
  const std::string reason = args.notes ? args.notes->value : std::string();
  for (const CaseAction& action : one.actions.items) {
    if (action.action == CaseActionKind::kLock)
      AddEffect(CaseEffectKind::kHold, {}, &decider, reason, record);
    if (action.action != CaseActionKind::kMute) continue;
    const SanctionChange mute{protocol::UserState::kMuted, action.until, reason, decider.user};
    PARLEY_TRY(held, HoldIn(tx, *action.user_id, mute, record));
    if (held) PARLEY_CHECK_OK(OnRecordOf(tx, decider, args, one, *action.user_id, held->state, mute.state));
  }
  return protocol::Ok();
}

std::vector<protocol::UserId> UsersOf(const Case& one) {
  std::vector<protocol::UserId> out;
  if (one.status != CaseStatus::kResolved) return out;
  for (const CaseAction& action : one.actions.items) {
    if (IsOfUser(action.action)) out.push_back(*action.user_id);
  }
  return out;
}

// Sanctions on users are written together with the decision.
protocol::Status ActOnUsers(accounts::RecordTransaction& tx, const Decider& decider, const DecideArgs& args,
                            const Case& one, std::vector<accounts::SessionsToEnd>* ends) {
  const std::string reason = args.notes ? args.notes->value : std::string();
  for (const CaseAction& action : one.actions.items) {
    if (!IsOfUser(action.action) || !action.user_id) continue;
    const protocol::UserState state = StateOf(action.action);
    PARLEY_TRY(before, ReadSanction(tx, *action.user_id));
    PARLEY_TRY(ended, AddSanction(tx, *action.user_id, {state, action.until, reason, decider.user}));
    if (ended) ends->push_back(*std::move(ended));
    PARLEY_CHECK_OK(OnRecordOf(tx, decider, args, one, *action.user_id, before.state, state));
  }
  return protocol::Ok();
}

}  // namespace

Result<Decided> DecideCase(accounts::RecordTransaction& tx, const Decider& decider, const DecideArgs& args,
                           const CaseRules& rules) {
  PARLEY_TRY(found, FindCase(tx, args.case_id));
  if (!found || !MayKnow(found->record.shown, decider.user)) return ErrorFor(Reason::kNoCase, "no such case");
  CaseRecord after = found->record;
  PARLEY_CHECK_OK(MayDecide(tx, after.shown, decider));
  PARLEY_CHECK_OK(RequireAsSeen(after.shown, args));
  after.shown.requires_dual_approval = NeedsTwo(after.shown, rules.dual);
  const bool acts = args.decision == CaseDecision::kApprove || args.decision == CaseDecision::kOverride;
  if (!acts && args.actions && !args.actions->items.empty())
    return BadAction("only with approve and override");
  PARLEY_TRY(actions, CompletedAll(after.shown, args, decider, rules, tx.now()));
  PARLEY_CHECK_OK(RequireNoOtherCase(tx, after.shown, actions, rules.dual));
  Apply(decider, args, std::move(actions), tx.now(), &after);
  after.shown.updated_at = tx.now();
  ++after.shown.version;
  EndAccess(found->record.shown.status, &decider, &after);
  PARLEY_CHECK_OK(OnRecord(tx, decider, args, found->record.shown, after.shown));
  Decided out;
  if (after.shown.status == CaseStatus::kAwaitingSecondApproval)
    PARLEY_CHECK_OK(HoldMeanwhile(tx, decider, args, &after));
  if (after.shown.status == CaseStatus::kResolved)
    PARLEY_CHECK_OK(ActOnUsers(tx, decider, args, after.shown, &out.ends));
  if (!IsOpen(after.shown.status)) PARLEY_CHECK_OK(EndHolds(tx, UsersOf(after.shown), &decider, &after));
  out.now = after.shown;
  out.effects = after.effects;
  PARLEY_CHECK_OK(PutCase(tx, found, std::move(after)));
  PARLEY_CHECK_OK(tx.Commit());
  return out;
}

}  // namespace parley::features
