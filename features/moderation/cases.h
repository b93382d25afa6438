// Cases: a member's report opens one, reports of the same subject join it while it is open, and staff decide
// it. A decision acts on users in its own transaction; its effects in threads are recorded with the case in
// the same transaction, and the gateway carries them out, each exactly once (case_effects.h there).
//
// A case that needs two approvals is decided only when both have named the same decision with the same
// actions: nothing is done that only one person has seen.
//
// Thread contract: records.h. The caller checks that a reporter can see the subject.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "accounts/records/records.h"
#include "accounts/users/user_standing.h"
#include "features/moderation/case_item.h"
#include "features/moderation/ops.h"

namespace parley::features {

// Severities that need the decision of two people.
using DualSeverities = std::vector<protocol::Severity>;

// The subject of a case.
struct CaseSubject {
  CaseType type = CaseType::kMessage;
  CaseOrigin origin = CaseOrigin::kReport;
  std::optional<protocol::ThreadId> thread_id = {};
  std::optional<protocol::MessageId> message_id = {};
  std::optional<protocol::UserId> user_id = {};  // a message: its author
};

struct NewReport {
  CaseSubject subject;
  protocol::CaseId new_id;  // for a new case
  protocol::UserId reporter;
  protocol::Text<200> reason;
  std::optional<protocol::Severity> severity;
  std::optional<protocol::Text<2000>> notes;
};

inline constexpr size_t kReportsPerDay = 50;  // per user

struct Reported {
  ReportReply reply;
  std::vector<CaseEffect> effects;  // not yet carried out
};
// A decision. RATE_LIMITED: too many reports in 24 hours. A repeat changes nothing. A reporter who had
// approved a decision in the case loses that approval: reporters do not decide.
protocol::Result<Reported> FileReport(accounts::RecordTransaction& tx, const NewReport& report,
                                      const DualSeverities& dual);

// A card that is a case: a safety report, or a dispute.
struct CardCase {
  CaseOrigin origin = CaseOrigin::kSafety;
  protocol::MessageId message_id;
  protocol::UserId reporter;
  std::optional<protocol::UserId> about;  // the other one of two parties
  protocol::Severity severity = protocol::Severity::kHigh;
  std::string reason;
};
// A decision, atomic per case: each open card of the thread gets its case, and cases whose cards have ended
// are resolved. Repeats change nothing.
protocol::Status FollowCards(accounts::RecordTransaction& tx, const protocol::ThreadId& thread,
                             const std::vector<CardCase>& open, const DualSeverities& dual);

struct Decided {
  Case now;
  std::vector<CaseEffect> effects;  // not yet carried out
  std::vector<accounts::SessionsToEnd> ends;
};
// Whether a message exists and can be redacted; only threads/ knows that.
using MayRedact =
    std::function<protocol::Result<bool>(const protocol::ThreadId&, const protocol::MessageId&)>;
// The tenant's settings, and the facts of threads.
struct CaseRules {
  DualSeverities dual;
  MayRedact may_redact;
};
// A decision. NOT_FOUND also for the person whom the case is about; FORBIDDEN: the decider
// reported it, or an action is about the decider; ACTION_INVALID_STATE: it has ended;
// BAD_REQUEST: an action that it cannot have; VERSION_CONFLICT: it has changed since the decider
// read it.
protocol::Result<Decided> DecideCase(accounts::RecordTransaction& tx, const Decider& decider,
                                     const ModerationDecide::Args& args, const CaseRules& rules);

// Returns the open case about the message, or about the thread as a whole, or nullopt.
protocol::Result<std::optional<CaseRecord>> OpenCaseAboutMessage(const accounts::RecordReads& reads,
                                                                 const protocol::ThreadId& thread,
                                                                 const protocol::MessageId& message);
protocol::Result<std::optional<CaseRecord>> OpenCaseAboutThread(const accounts::RecordReads& reads,
                                                                const protocol::ThreadId& thread);
// The severity that decides how many must approve: the default of its kind. It ignores the reporters'
// severity, so that a report cannot slow staff down.
protocol::Severity CountedSeverity(const Case& one);
// Whether two must approve: it was so when the case was opened, or the tenant's settings demand it now.
bool NeedsTwo(const Case& one, const DualSeverities& dual);
// Returns an open case about the user that needs two approvals, whatever else it is about, or nullopt.
protocol::Result<std::optional<protocol::CaseId>> DualCaseAboutUser(const accounts::RecordReads& reads,
                                                                    const protocol::UserId& user,
                                                                    const DualSeverities& dual);

// Whether the viewer may see the case; the person whom it is about may not.
inline bool MayKnow(const Case& one, const std::optional<protocol::UserId>& viewer) {
  return !viewer || one.user_id != viewer;
}

// The cases that are hidden from a viewer, by id; caches its reads. For one reader.
class HiddenCases {
 public:
  HiddenCases(const accounts::RecordReads& reads, std::optional<protocol::UserId> viewer)
      : reads_(reads), viewer_(std::move(viewer)) {}
  protocol::Result<bool> Contain(const std::string& case_id);

 private:
  const accounts::RecordReads& reads_;
  const std::optional<protocol::UserId> viewer_;
  std::map<std::string, bool> known_;
};

// Lets one person mute the user of a case that needs two, until it is decided. Adds to the decision, which
// commits. FORBIDDEN, naming the case: a sanction at least as strong is in force, or the person may not
// decide it.
struct SanctionChange;
protocol::Status MuteMeanwhile(accounts::RecordTransaction& tx, const protocol::CaseId& id,
                               const protocol::UserId& user, const SanctionChange& mute);

// Cases with effects that are not yet carried out, oldest first.
protocol::Result<std::vector<CaseRecord>> CasesWithEffects(const accounts::RecordReads& reads, size_t limit);
// A decision: the effects up to this number are carried out.
protocol::Status NoteEffectsDone(accounts::RecordTransaction& tx, const protocol::CaseId& id,
                                 int64_t through);

// NOT_FOUND.
protocol::Result<CaseRecord> GetCase(const accounts::RecordReads& reads, const protocol::CaseId& id);
// A decision, because the read is recorded. NOT_FOUND also for the person whom the case is about. `enters`:
// gives the reader access to its thread until its status changes.
protocol::Result<CaseRecord> LookAtCase(accounts::RecordTransaction& tx, const Decider& who,
                                        const protocol::CaseId& id, bool enters);
// The first reports in order of reporters.
protocol::Result<std::vector<CaseReport>> ReportsOf(const accounts::RecordReads& reads,
                                                    const protocol::CaseId& id);

}  // namespace parley::features
