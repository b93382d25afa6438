// Reports, the cases that they open, and the decisions of moderators.
#pragma once

#include "protocol/items.h"
#include "protocol/ops/base.h"

namespace parley::protocol {

// The subject of a case. WARNING: names are on disk.
enum class CaseType : uint8_t { kMessage, kThread, kUser };
template <>
struct EnumNames<CaseType> {
  static constexpr std::string_view kNames[] = {"message", "thread", "user"};
};

// The origin of a case: a member's report, a SAFETY or DISPUTE card, or the text policy.
enum class CaseOrigin : uint8_t { kReport, kSafety, kDispute, kPolicy };
template <>
struct EnumNames<CaseOrigin> {
  static constexpr std::string_view kNames[] = {"report", "safety", "dispute", "policy"};
};

enum class CaseStatus : uint8_t { kPending, kAwaitingSecondApproval, kEscalated, kResolved, kRejected };
template <>
struct EnumNames<CaseStatus> {
  static constexpr std::string_view kNames[] = {"pending", "awaiting_second_approval", "escalated",
                                                "resolved", "rejected"};
};
// Whether the case still needs a decision.
constexpr bool IsOpen(CaseStatus status) {
  return status < CaseStatus::kResolved;
}

enum class Severity : uint8_t { kLow, kMedium, kHigh, kCritical };
template <>
struct EnumNames<Severity> {
  static constexpr std::string_view kNames[] = {"low", "medium", "high", "critical"};
};

enum class CaseDecision : uint8_t { kApprove, kReject, kEscalate, kOverride };
template <>
struct EnumNames<CaseDecision> {
  static constexpr std::string_view kNames[] = {"approve", "reject", "escalate", "override"};
};

enum class CaseActionKind : uint8_t { kRedact, kWarn, kMute, kShadow, kSuspend, kLock };
template <>
struct EnumNames<CaseActionKind> {
  static constexpr std::string_view kNames[] = {"redact", "warn", "mute", "shadow", "suspend", "lock"};
};

struct CaseAction {
  CaseActionKind action = CaseActionKind::kRedact;
  std::optional<MessageId> message_id;
  std::optional<UserId> user_id;
  std::optional<Time> until;
  friend bool operator==(const CaseAction&, const CaseAction&) = default;
  static constexpr void Fields(auto& field) {
    using T = CaseAction;
    field("action", &T::action, "redact, warn, mute, shadow, suspend or lock");
    field("messageId", &T::message_id, "to redact; null: the message that the case is about");
    field("userId", &T::user_id, "to warn, mute, shadow or suspend; null: the user that the case is about");
    field("until", &T::until, "when a mute, shadow or suspension ends; null: when staff end it");
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
    field("actorId", &T::actor_id, "who decided");
    field("actorRole", &T::actor_role, "as what");
    field("decision", &T::decision, "approve, reject, escalate or override");
    field("notes", &T::notes, "the note");
    field("at", &T::at, "when");
  }
};

struct CaseResolution {
  CaseDecision outcome = CaseDecision::kApprove;
  std::optional<Text<2000>> notes;
  std::optional<UserId> resolved_by;
  Time resolved_at;
  static constexpr void Fields(auto& field) {
    using T = CaseResolution;
    field("outcome", &T::outcome, "the decision that ended it, or handed it on");
    field("notes", &T::notes, "the note");
    field("resolvedBy", &T::resolved_by, "the moderator; null: its card was resolved");
    field("resolvedAt", &T::resolved_at, "when");
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
    field("reason", &T::reason, "why");
    field("severity", &T::severity, "as they see it, and never below the default");
    field("notes", &T::notes, "the note");
    field("at", &T::at, "when");
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
    field("threadId", &T::thread_id, "where; null: no thread was named");
    field("messageId", &T::message_id, "which message; null: none in particular");
    field("userId", &T::user_id, "the user whom it is about; null: no particular user");
    field("status", &T::status, "pending, awaiting_second_approval, escalated, resolved or rejected");
    field("severity", &T::severity, "the highest that was reported");
    field("reason", &T::reason, "the reason of the first report");
    field("reportedBy", &T::reported_by, "the first 50 who reported it");
    field("reportCount", &T::report_count, "how many reported it");
    field("reportedAt", &T::reported_at, "when it was opened");
    field("updatedAt", &T::updated_at, "when it last changed");
    field("requiresDualApproval", &T::requires_dual_approval, "two people have to agree");
    field("escalated", &T::escalated, "it was escalated, which lifts the masking");
    field("approvals", &T::approvals, "decisions since its proposal last changed");
    field("actions", &T::actions, "the actions decided or proposed");
    field("resolution", &T::resolution, "how it ended; null: it is open");
    field("auditId", &T::audit_id, "its entry in the audit");
    field("version", &T::version, "rises with each change");
  }
};

struct ReportReply {
  CaseId case_id;
  CaseStatus status = CaseStatus::kPending;
  Severity severity = Severity::kMedium;
  std::optional<Text<64>> audit_id;
  static constexpr void Fields(auto& field) {
    using T = ReportReply;
    field("caseId", &T::case_id, "the case; the same for a repeat");
    field("status", &T::status, "pending while it is open, then how it ended");
    field("severity", &T::severity, "the severity that the reporter chose");
    field("auditId", &T::audit_id, "its entry in the audit");
  }
};

struct MessageReport {
  static constexpr std::string_view kName = "message.report";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "reports a message to the moderators; other users do not see the report";
  struct Args {
    ThreadId thread_id;
    std::optional<MessageId> message_id;
    Text<200> reason;
    std::optional<Severity> severity;
    std::optional<Text<2000>> notes;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("messageId", &Args::message_id, "the message; without one the thread is reported");
      field("reason", &Args::reason, "why");
      field("severity", &Args::severity, "how bad it is; never lowers the default, which is medium");
      field("notes", &Args::notes, "a note for the moderators");
    }
  };
  using Reply = ReportReply;
};

struct ThreadReport {
  static constexpr std::string_view kName = "thread.report";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "reports a thread to the moderators; other users do not see the report";
  struct Args {
    ThreadId thread_id;
    Text<200> reason;
    std::optional<Severity> severity;
    std::optional<Text<2000>> notes;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("reason", &Args::reason, "why");
      field("severity", &Args::severity, "how bad it is; never lowers the default, which is high");
      field("notes", &Args::notes, "a note for the moderators");
    }
  };
  using Reply = ReportReply;
};

struct UserReport {
  static constexpr std::string_view kName = "user.report";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "reports a user to the moderators; other users do not see the report";
  struct Args {
    UserId user_id;
    std::optional<ThreadId> thread_id;
    Text<200> reason;
    std::optional<Severity> severity;
    std::optional<Text<2000>> notes;
    static constexpr void Fields(auto& field) {
      field("userId", &Args::user_id, "the user");
      field("threadId", &Args::thread_id, "where it showed; the reporter is a member, the user is or was");
      field("reason", &Args::reason, "why");
      field("severity", &Args::severity, "how bad it is; never lowers the default, which is medium");
      field("notes", &Args::notes, "a note for the moderators");
    }
  };
  using Reply = ReportReply;
};

// The tenant's numbers of cases, independent of a filter.
struct CaseStats {
  int64_t pending = 0, awaiting_second_approval = 0, escalated = 0, resolved = 0, rejected = 0;
  int64_t dual_approval = 0;
  static constexpr void Fields(auto& field) {
    using T = CaseStats;
    field("pending", &T::pending, "nobody has decided");
    field("awaitingSecondApproval", &T::awaiting_second_approval, "one of two has approved");
    field("escalated", &T::escalated, "handed on");
    field("resolved", &T::resolved, "approved or overridden");
    field("rejected", &T::rejected, "nothing was done");
    field("dualApproval", &T::dual_approval, "open cases that need two approvals");
  }
};

struct ModerationQueue {
  static constexpr std::string_view kName = "moderation.queue";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc = "staff: cases, newest first";
  struct Args {
    std::optional<CaseStatus> status;
    std::optional<CaseType> type;
    std::optional<Severity> severity;
    std::optional<ThreadId> thread_id;
    std::optional<UserId> user_id;
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr void Fields(auto& field) {
      field("status", &Args::status, "only those of this status");
      field("type", &Args::type, "only those of this type");
      field("severity", &Args::severity, "only those of this severity");
      field("threadId", &Args::thread_id, "only those of this thread");
      field("userId", &Args::user_id, "only those about this user");
      field("cursor", &Args::cursor, "continue from here");
      field("limit", &Args::limit, "25 if not given");
    }
  };
  struct Reply {
    List<Case, 200> cases;
    CaseStats stats;
    std::optional<std::string> cursor;
    static constexpr void Fields(auto& field) {
      field("cases", &Reply::cases, "newest first; may be fewer than asked for");
      field("stats", &Reply::stats, "the counts of all the tenant's cases");
      field("cursor", &Reply::cursor, "null at the end");
    }
  };
};

struct CaseContext {
  std::optional<EncodedOf<Thread>> thread;
  EncodedListOf<Message> messages;
  EncodedListOf<Participant> participants;
  static constexpr void Fields(auto& field) {
    using T = CaseContext;
    field("thread", &T::thread, "the thread; null: the case names none");
    field("messages", &T::messages, "around the message, or the newest ones; oldest first");
    field("participants", &T::participants, "the first hundred, removed ones included");
  }
};

struct ModerationCaseOp {
  static constexpr std::string_view kName = "moderation.case";
  static constexpr OpKind kKind = OpKind::kWrite;  // because the read is recorded
  static constexpr std::string_view kDoc =
      "staff: a case with what it is about; recorded in the audit, and for staff that is bound to cases it "
      "opens the thread for two hours";
  struct Args {
    CaseId case_id;
    static constexpr void Fields(auto& field) { field("caseId", &Args::case_id, "the case"); }
  };
  struct Reply {
    Case of;
    List<CaseReport, kListedReporters> reports;
    EncodedOf<CaseContext> context;
    bool masked = false;
    std::optional<Time> access_until;
    static constexpr void Fields(auto& field) {
      field("case", &Reply::of, "the case");
      field("reports", &Reply::reports, "the first 50 reports");
      field("context", &Reply::context, "where it happened");
      field("masked", &Reply::masked, "phones, addresses and codes are masked, as it was not escalated");
      field("accessUntil", &Reply::access_until,
            "the end of access to the thread by this case; null: the case gives none");
    }
  };
};

struct ModerationDecide {
  static constexpr std::string_view kName = "moderation.decide";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "staff: decides a case. Where two have to agree, both name the same decision and actions (the second "
      "may "
      "leave out the actions); other ones are a new proposal. Nobody decides what they reported, or what is "
      "about them";
  struct Args {
    CaseId case_id;
    CaseDecision decision = CaseDecision::kApprove;
    std::optional<Text<2000>> notes;
    std::optional<CaseActions> actions;
    std::optional<Bounded<1, kMaxSafeInteger>> version;
    static constexpr void Fields(auto& field) {
      field("caseId", &Args::case_id, "the case");
      field("decision", &Args::decision, "approve, reject, escalate or override");
      field("notes", &Args::notes, "why");
      field("actions", &Args::actions, "the actions; with approve and override only");
      field("version", &Args::version,
            "the version of the case as it was seen; another one is VERSION_CONFLICT");
    }
  };
  struct Reply {
    Case of;
    static constexpr void Fields(auto& field) { field("case", &Reply::of, "the case"); }
  };
};

struct ModerationMessage {
  static constexpr std::string_view kName = "moderation.message";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "staff: marks, withholds, restores or redacts a message; a redaction is final";
  struct Args {
    ThreadId thread_id;
    MessageId message_id;
    Moderation moderation = Moderation::kClean;
    std::optional<Bounded<0, 2>> nsfw_band;
    Text<1000> reason;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id, "the thread");
      field("messageId", &Args::message_id, "the message");
      field("moderation", &Args::moderation,
            "clean, flagged (staff see it), blocked (withheld from members) or redacted");
      field("nsfwBand", &Args::nsfw_band, "0 safe, 1 suggestive, 2 mature; unchanged if not given");
      field("reason", &Args::reason, "kept for audit");
    }
  };
  using Reply = MessageReply;
};

struct ModerationResetLadder {
  static constexpr std::string_view kName = "moderation.resetLadder";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "staff: clears a user's strikes under the text policy; recorded in the audit";
  struct Args {
    UserId user_id;
    std::optional<ThreadId> thread_id;
    Text<1000> reason;
    static constexpr void Fields(auto& field) {
      field("userId", &Args::user_id, "whose");
      field("threadId", &Args::thread_id, "only strikes of this thread; null: all");
      field("reason", &Args::reason, "kept for audit");
    }
  };
  using Reply = Empty;
};

struct ModerationThreads {
  static constexpr std::string_view kName = "moderation.threads";
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc =
      "staff: which threads there are, newest first; staff that is bound to cases see those with an open one";
  struct Args {
    std::optional<UserId> user_id;
    std::optional<ThreadStatus> status;
    std::optional<bool> flagged;
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr void Fields(auto& field) {
      field("userId", &Args::user_id, "only threads with this member");
      field("status", &Args::status, "only those of this status");
      field("flagged", &Args::flagged, "true: only those with an open case");
      field("cursor", &Args::cursor, "continue from here");
      field("limit", &Args::limit, "25 if not given");
    }
  };
  struct Reply {
    EncodedListOf<Thread> threads;
    std::optional<std::string> cursor;
    static constexpr void Fields(auto& field) {
      field("threads", &Reply::threads, "as staff see them; may be fewer than asked for");
      field("cursor", &Reply::cursor, "null at the end");
    }
  };
};

}  // namespace parley::protocol
