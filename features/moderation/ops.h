// The ops of moderation: reports, cases and their decisions, sanctions, and the audit. moderation.message and
// the ops for one thread's past are the core's (protocol/ops/staff.h).
#pragma once

#include "features/moderation/shown_case.h"
#include "protocol/audit.h"
#include "protocol/ops/base.h"
#include "protocol/ops/list.h"
#include "protocol/states.h"

namespace parley::features {

using protocol::Bounded;
using protocol::Empty;
using protocol::EncodedListOf;
using protocol::EncodedOf;
using protocol::OpKind;
using protocol::PageLimit;
using protocol::ThreadStatus;
using protocol::UserState;

struct ModerationAudit {
  static constexpr std::string_view kName = protocol::kAuditOp;
  static constexpr OpKind kKind = OpKind::kRead;
  static constexpr std::string_view kDoc =
      "staff: every act and access of staff in the tenant, as entries of a chain of hashes; this op is "
      "recorded "
      "as an access, once for all pages of a query";
  struct Args {
    std::optional<ThreadId> thread_id;
    std::optional<UserId> actor;
    std::optional<UserId> user_id;
    std::optional<Text<protocol::kAuditNameBytes>> case_id;
    std::optional<Time> from;
    std::optional<Time> to;
    std::optional<std::string> cursor;
    std::optional<PageLimit> limit;
    static constexpr void Fields(auto& field) {
      field("threadId", &Args::thread_id,
            "only entries about this thread; staff bound to cases must name one");
      field("actor", &Args::actor, "only acts of this user");
      field("userId", &Args::user_id, "only entries about this user");
      field("caseId", &Args::case_id, "only entries about this case");
      field("from", &Args::from, "only entries of this time or later");
      field("to", &Args::to, "only entries before this time");
      field("cursor", &Args::cursor, "continue from here");
      field("limit", &Args::limit, "50 if not given");
    }
  };
  struct Reply {
    EncodedListOf<protocol::ChainEntry> entries;
    std::optional<std::string> cursor;
    static constexpr void Fields(auto& field) {
      field("entries", &Reply::entries, "newest first; may be fewer than asked for, even none");
      field("cursor", &Reply::cursor, "null at the end");
    }
  };
};

// A user's strikes under the text policy in one thread.
struct LadderPlace {
  std::optional<ThreadId> thread_id;
  int64_t points = 0;
  int64_t finds = 0;
  Time at;
  std::optional<Time> rests_until, stopped_until;
  static constexpr void Fields(auto& field) {
    using T = LadderPlace;
    field("threadId", &T::thread_id, "the thread; null: threads that the user tried to begin");
    field("points", &T::points, "the points that count now, rounded up");
    field("finds", &T::finds, "number of the user's texts with findings");
    field("at", &T::at, "time of the last finding");
    field("restsUntil", &T::rests_until,
          "end of the pause for the user in that thread; null: there is no pause");
    field("stoppedUntil", &T::stopped_until,
          "end of the time in which the thread takes no text of the user; null: it takes them");
  }
};
inline constexpr size_t kStrikePlacesMax = 100;

// A user with their sanctions, as staff see them.
struct ModeratedUser {
  UserId user_id;
  UserState state = UserState::kOk;
  std::optional<Time> until;
  std::optional<std::string> reason;
  std::optional<UserId> by;
  std::optional<Time> at;
  List<LadderPlace, kStrikePlacesMax> ladder;
  static constexpr void Fields(auto& field) {
    using T = ModeratedUser;
    field("userId", &T::user_id, "the user");
    field("state", &T::state, "the present state");
    field("until", &T::until, "end of the sanction; null: until staff end it");
    field("reason", &T::reason, "the reason that staff gave; null: there is no decision");
    field("by", &T::by, "the moderator");
    field("at", &T::at, "time of the decision");
    field("ladder", &T::ladder,
          "strikes under the text policy that count now, most points first; at most 100");
  }
};

struct ModerationUser {
  static constexpr std::string_view kName = "moderation.user";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "staff: sets a user's sanction, or returns it if no state is given; staff cannot sanction themselves";
  struct Args {
    UserId user_id;
    std::optional<UserState> state;
    std::optional<Time> until;
    std::optional<Text<1000>> reason;
    static constexpr void Fields(auto& field) {
      field("userId", &Args::user_id, "the user");
      field("state", &Args::state, "the new state; if left out, the sanction is only returned");
      field("until", &Args::until, "time at which the sanction ends by itself");
      field("reason", &Args::reason, "kept for audit; required with a state");
    }
  };
  struct Reply {
    ModeratedUser user;
    static constexpr void Fields(auto& field) { field("user", &Reply::user, "the present state"); }
  };
};

struct ReportReply {
  CaseId case_id;
  CaseStatus status = CaseStatus::kPending;
  Severity severity = Severity::kMedium;
  std::optional<Text<64>> audit_id;
  static constexpr void Fields(auto& field) {
    using T = ReportReply;
    field("caseId", &T::case_id, "the case; the same for a repeat");
    field("status", &T::status, "pending while the case is open, then its final status");
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
      field("reason", &Args::reason, "the reason");
      field("severity", &Args::severity, "the severity; never lowers the default, which is medium");
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
      field("reason", &Args::reason, "the reason");
      field("severity", &Args::severity, "the severity; never lowers the default, which is high");
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
      field("threadId", &Args::thread_id,
            "the thread in which it happened; the reporter is a member, and the user is or was one");
      field("reason", &Args::reason, "the reason");
      field("severity", &Args::severity, "the severity; never lowers the default, which is medium");
      field("notes", &Args::notes, "a note for the moderators");
    }
  };
  using Reply = ReportReply;
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

struct ModerationCaseOp {
  static constexpr std::string_view kName = "moderation.case";
  static constexpr OpKind kKind = OpKind::kWrite;  // because the read is recorded
  static constexpr std::string_view kDoc =
      "staff: a case with its context; recorded in the audit. It opens the thread for two hours to staff who "
      "are "
      "bound to cases";
  struct Args {
    CaseId case_id;
    static constexpr void Fields(auto& field) { field("caseId", &Args::case_id, "the case"); }
  };
  struct Reply {
    Case of;
    List<CaseReport, kListedReporters> reports;
    EncodedOf<protocol::CaseContext> context;
    bool masked = false;
    std::optional<Time> access_until;
    static constexpr void Fields(auto& field) {
      field("case", &Reply::of, "the case");
      field("reports", &Reply::reports, "the first 50 reports");
      field("context", &Reply::context, "the thread, its messages and members");
      field("masked", &Reply::masked,
            "phones, addresses and codes are masked, because the case was not escalated");
      field("accessUntil", &Reply::access_until,
            "the end of access to the thread by this case; null: the case gives none");
    }
  };
};

struct ModerationDecide {
  static constexpr std::string_view kName = "moderation.decide";
  static constexpr OpKind kKind = OpKind::kWrite;
  static constexpr std::string_view kDoc =
      "staff: decides a case. If two have to agree, both name the same decision and actions (the second may "
      "leave out the actions); other ones are a new proposal. Staff cannot decide a case that they reported "
      "or "
      "that is about them";
  struct Args {
    CaseId case_id;
    CaseDecision decision = CaseDecision::kApprove;
    std::optional<Text<2000>> notes;
    std::optional<CaseActions> actions;
    std::optional<Bounded<1, protocol::kMaxSafeInteger>> version;
    static constexpr void Fields(auto& field) {
      field("caseId", &Args::case_id, "the case");
      field("decision", &Args::decision, "approve, reject, escalate or override");
      field("notes", &Args::notes, "a note on the decision");
      field("actions", &Args::actions, "the actions; with approve and override only");
      field("version", &Args::version,
            "the version of the case on which the decision is based; another one is VERSION_CONFLICT");
    }
  };
  struct Reply {
    Case of;
    static constexpr void Fields(auto& field) { field("case", &Reply::of, "the case"); }
  };
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
      field("userId", &Args::user_id, "the user");
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
      "staff: the tenant's threads, newest first; staff who are bound to cases see those with an open case";
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
    EncodedListOf<protocol::Thread> threads;
    std::optional<std::string> cursor;
    static constexpr void Fields(auto& field) {
      field("threads", &Reply::threads, "as staff see them; may be fewer than asked for");
      field("cursor", &Reply::cursor, "null at the end");
    }
  };
};

using ModerationOps = protocol::OpList<ModerationAudit, ModerationUser, MessageReport, ThreadReport,
                                       UserReport, ModerationQueue, ModerationCaseOp, ModerationDecide,
                                       ModerationResetLadder, ModerationThreads>;

}  // namespace parley::features
