// A case as the wire shows it to staff. The stored case is in case_item.h.
#pragma once

#include "protocol/cases.h"

namespace parley::features {

// The subject of a case. WARNING: names are on disk.
enum class CaseType : uint8_t { kMessage, kThread, kUser };

// The origin of a case: a member's report, a SAFETY or DISPUTE card, or the text policy.
enum class CaseOrigin : uint8_t { kReport, kSafety, kDispute, kPolicy };

enum class CaseStatus : uint8_t { kPending, kAwaitingSecondApproval, kEscalated, kResolved, kRejected };

// Whether the case still needs a decision.
constexpr bool IsOpen(CaseStatus status) {
  return status < CaseStatus::kResolved;
}

enum class CaseDecision : uint8_t { kApprove, kReject, kEscalate, kOverride };

enum class CaseActionKind : uint8_t { kRedact, kWarn, kMute, kShadow, kSuspend, kLock };

}  // namespace parley::features

template <>
struct parley::protocol::EnumNames<parley::features::CaseType> {
  static constexpr std::string_view kNames[] = {"message", "thread", "user"};
};
template <>
struct parley::protocol::EnumNames<parley::features::CaseOrigin> {
  static constexpr std::string_view kNames[] = {"report", "safety", "dispute", "policy"};
};
template <>
struct parley::protocol::EnumNames<parley::features::CaseStatus> {
  static constexpr std::string_view kNames[] = {"pending", "awaiting_second_approval", "escalated",
                                                "resolved", "rejected"};
};
template <>
struct parley::protocol::EnumNames<parley::features::CaseDecision> {
  static constexpr std::string_view kNames[] = {"approve", "reject", "escalate", "override"};
};
template <>
struct parley::protocol::EnumNames<parley::features::CaseActionKind> {
  static constexpr std::string_view kNames[] = {"redact", "warn", "mute", "shadow", "suspend", "lock"};
};

namespace parley::features {

using protocol::CaseId;
using protocol::List;
using protocol::MessageId;
using protocol::Severity;
using protocol::Text;
using protocol::ThreadId;
using protocol::Time;
using protocol::UserId;

struct CaseAction {
  CaseActionKind action = CaseActionKind::kRedact;
  std::optional<MessageId> message_id;
  std::optional<UserId> user_id;
  std::optional<Time> until;
  protocol::Omit<bool> illegal = {};
  friend bool operator==(const CaseAction&, const CaseAction&) = default;
  static constexpr void Fields(auto& field) {
    using T = CaseAction;
    field("action", &T::action, "redact, warn, mute, shadow, suspend or lock");
    field("messageId", &T::message_id, "to redact; null: the message that the case is about");
    field("userId", &T::user_id, "to warn, mute, shadow or suspend; null: the user that the case is about");
    field("until", &T::until, "end of a mute, shadow or suspension; null: until staff end it");
    field("illegal", &T::illegal,
          "true, with redact: files with the same bytes go into quarantine, as moderation.message says");
  }
};
inline constexpr size_t kMaxCaseActions = 10;
using CaseActions = List<CaseAction, kMaxCaseActions>;

struct CaseApproval {
  UserId actor_id;
  Text<16> actor_role;
  CaseDecision decision = CaseDecision::kApprove;
  std::optional<Text<2000>> notes;
  Time at;
  static constexpr void Fields(auto& field) {
    using T = CaseApproval;
    field("actorId", &T::actor_id, "the moderator");
    field("actorRole", &T::actor_role, "the moderator's role");
    field("decision", &T::decision, "approve, reject, escalate or override");
    field("notes", &T::notes, "the note");
    field("at", &T::at, "time of the decision");
  }
};

struct CaseResolution {
  CaseDecision outcome = CaseDecision::kApprove;
  std::optional<Text<2000>> notes;
  std::optional<UserId> resolved_by;
  Time resolved_at;
  static constexpr void Fields(auto& field) {
    using T = CaseResolution;
    field("outcome", &T::outcome, "the decision that ended or escalated the case");
    field("notes", &T::notes, "the note");
    field("resolvedBy", &T::resolved_by, "the moderator; null: the case ended with its card");
    field("resolvedAt", &T::resolved_at, "time of the decision");
  }
};

// One person's report.
struct CaseReport {
  UserId user_id;
  Text<200> reason;
  Severity severity = Severity::kMedium;
  std::optional<Text<2000>> notes;
  Time at;
  static constexpr void Fields(auto& field) {
    using T = CaseReport;
    field("userId", &T::user_id, "the reporter");
    field("reason", &T::reason, "the reason");
    field("severity", &T::severity, "the severity that the reporter chose, never below the default");
    field("notes", &T::notes, "the note");
    field("at", &T::at, "time of the report");
  }
};
inline constexpr size_t kListedReporters = 50;  // the most in one case; further ones are only counted

struct Case {
  CaseId case_id;
  CaseType type = CaseType::kMessage;
  CaseOrigin origin = CaseOrigin::kReport;
  std::optional<ThreadId> thread_id;
  std::optional<MessageId> message_id;
  std::optional<UserId> user_id;
  CaseStatus status = CaseStatus::kPending;
  Severity severity = Severity::kMedium;
  Text<200> reason;
  List<UserId, kListedReporters> reported_by;
  int64_t report_count = 0;
  Time reported_at, updated_at;
  bool requires_dual_approval = false;
  bool escalated = false;
  List<CaseApproval, 8> approvals;
  CaseActions actions;
  std::optional<CaseResolution> resolution;
  std::optional<Text<64>> audit_id;
  int64_t version = 1;
  static constexpr void Fields(auto& field) {
    using T = Case;
    field("caseId", &T::case_id, "the case");
    field("type", &T::type, "message, thread or user");
    field("origin", &T::origin, "its origin: report, safety, dispute or policy");
    field("threadId", &T::thread_id, "the thread; null: the reports name no thread");
    field("messageId", &T::message_id, "the message; null: no particular message");
    field("userId", &T::user_id, "the user that the case is about; null: no particular user");
    field("status", &T::status, "pending, awaiting_second_approval, escalated, resolved or rejected");
    field("severity", &T::severity, "the highest severity of its reports");
    field("reason", &T::reason, "the reason of the first report");
    field("reportedBy", &T::reported_by, "the first 50 reporters");
    field("reportCount", &T::report_count, "number of reporters");
    field("reportedAt", &T::reported_at, "time at which it was opened");
    field("updatedAt", &T::updated_at, "time of its last change");
    field("requiresDualApproval", &T::requires_dual_approval, "two people have to agree");
    field("escalated", &T::escalated, "whether it was escalated, which lifts the masking");
    field("approvals", &T::approvals, "the decisions since its proposal last changed");
    field("actions", &T::actions, "the actions decided or proposed");
    field("resolution", &T::resolution, "its end; null: it is open");
    field("auditId", &T::audit_id, "its entry in the audit");
    field("version", &T::version, "rises with each change");
  }
};

// The tenant's numbers of cases, independent of a filter.
struct CaseStats {
  int64_t pending = 0, awaiting_second_approval = 0, escalated = 0, resolved = 0, rejected = 0;
  int64_t dual_approval = 0;
  static constexpr void Fields(auto& field) {
    using T = CaseStats;
    field("pending", &T::pending, "cases without a decision");
    field("awaitingSecondApproval", &T::awaiting_second_approval,
          "cases that the first of two moderators has approved");
    field("escalated", &T::escalated, "cases that were escalated");
    field("resolved", &T::resolved, "cases that were approved or overridden");
    field("rejected", &T::rejected, "cases that were rejected");
    field("dualApproval", &T::dual_approval, "open cases that need two approvals");
  }
};

}  // namespace parley::features
