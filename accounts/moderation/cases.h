// Cases: what members report becomes one, reports of the same thing join it while it is open, and staff
// decide it. What a decision does to users happens in its own transaction; what it does in threads is noted
// as the case's effects, in the same transaction, and carried out by the gateway, each once (case_effects.h
// there).
//
// Where two have to agree, both must have named the same decision with the same actions: nothing is done that
// only one has seen.
//
// Thread contract: records.h. Whether a reporter may see what they report is the caller's to judge.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "accounts/moderation/case_item.h"
#include "accounts/records/records.h"
#include "accounts/users/standing.h"

namespace parley::accounts {

// Severities of which two people have to decide.
using DualSeverities = std::vector<protocol::Severity>;

// What a case is about.
struct CaseSubject {
  protocol::CaseType type = protocol::CaseType::kMessage;
  protocol::CaseOrigin origin = protocol::CaseOrigin::kReport;
  std::optional<protocol::ThreadId> thread_id = {};
  std::optional<protocol::MessageId> message_id = {};
  std::optional<protocol::UserId> user_id = {};  // of a message: its author
};

struct NewReport {
  CaseSubject subject;
  protocol::CaseId new_id;  // of the case, if it is a new one
  protocol::UserId reporter;
  protocol::Text<200> reason;
  std::optional<protocol::Severity> severity;
  std::optional<protocol::Text<2000>> notes;
};

inline constexpr size_t kReportsPerDay = 50;  // of one user

struct Reported {
  protocol::ReportReply reply;
  std::vector<CaseEffect> effects;  // yet to be carried out
};
// A decision. RATE_LIMITED: they reported too much in 24 hours. A repeat changes nothing. Whoever reports
// what they had a part in deciding takes their approval back: nobody decides what they reported.
protocol::Result<Reported> FileReport(RecordStage& stage, const NewReport& report,
                                      const DualSeverities& dual);

// A card that is a case: a safety report, or a dispute.
struct CardCase {
  protocol::CaseOrigin origin = protocol::CaseOrigin::kSafety;
  protocol::MessageId message_id;
  protocol::UserId reporter;
  std::optional<protocol::UserId> about;  // of two parties, the other one
  protocol::Severity severity = protocol::Severity::kHigh;
  std::string reason;
};
// A decision, of which each case is a part of its own: each card that is open in the thread has had its case
// made, and cases whose cards have ended are resolved. What is so already is left as it is.
protocol::Status FollowCards(RecordStage& stage, const protocol::ThreadId& thread,
                             const std::vector<CardCase>& open, const DualSeverities& dual);

struct Decided {
  protocol::Case now;
  std::vector<CaseEffect> effects;  // yet to be carried out
  std::vector<SessionsToEnd> ends;
};
// Whether a message is there and can be redacted, which only threads/ knows.
using MayRedact =
    std::function<protocol::Result<bool>(const protocol::ThreadId&, const protocol::MessageId&)>;
// What the tenant says, and what lies in threads.
struct CaseRules {
  DualSeverities dual;
  MayRedact may_redact;
};
// A decision. NOT_FOUND, which it is for whom it is about; FORBIDDEN: they reported it, or an action is about
// them;
// ACTION_INVALID_STATE: it has ended; BAD_REQUEST: an action that it cannot have; VERSION_CONFLICT: it is not
// as they saw it.
protocol::Result<Decided> DecideCase(RecordStage& stage, const Decider& decider,
                                     const protocol::ModerationDecide::Args& args, const CaseRules& rules);

// The open case about the message, or about the thread as a whole. nullopt: there is none.
protocol::Result<std::optional<CaseRecord>> OpenCaseAboutMessage(const RecordReads& reads,
                                                                 const protocol::ThreadId& thread,
                                                                 const protocol::MessageId& message);
protocol::Result<std::optional<CaseRecord>> OpenCaseAboutThread(const RecordReads& reads,
                                                                const protocol::ThreadId& thread);
// The severity by which it counts how many have to decide: the default of its kind. What reporters say of it
// counts for nothing here, so that none of them can slow staff down.
protocol::Severity CountedSeverity(const protocol::Case& one);
// Whether two have to decide it: it was so when it was opened, or the tenant says so now.
bool NeedsTwo(const protocol::Case& one, const DualSeverities& dual);
// An open case about the user that two have to decide, whatever it is about besides. nullopt: there is none.
protocol::Result<std::optional<protocol::CaseId>> DualCaseAboutUser(const RecordReads& reads,
                                                                    const protocol::UserId& user,
                                                                    const DualSeverities& dual);

// Whether somebody is told of the case: whom it is about, is not.
inline bool MayKnow(const protocol::Case& one, const std::optional<protocol::UserId>& viewer) {
  return !viewer || one.user_id != viewer;
}

// Which cases somebody is not told of, by their ids as texts; remembers what it read. For one reader.
class HiddenCases {
 public:
  HiddenCases(const RecordReads& reads, std::optional<protocol::UserId> viewer)
      : reads_(reads), viewer_(std::move(viewer)) {}
  protocol::Result<bool> Contain(const std::string& case_id);

 private:
  const RecordReads& reads_;
  const std::optional<protocol::UserId> viewer_;
  std::map<std::string, bool> known_;
};

// One person mutes the user of a case that two have to decide, until it is decided. Adds to the decision,
// which commits. FORBIDDEN, with the case: as much holds already, or they may not.
struct ConductChange;
protocol::Status MuteMeanwhile(RecordStage& stage, const protocol::CaseId& id, const protocol::UserId& user,
                               const ConductChange& mute);

// Cases with something yet to be done in threads, oldest first.
protocol::Result<std::vector<CaseRecord>> CasesWithEffects(const RecordReads& reads, size_t limit);
// A decision: the effects up to this number are done.
protocol::Status NoteEffectsDone(RecordStage& stage, const protocol::CaseId& id, int64_t through);

// NOT_FOUND.
protocol::Result<CaseRecord> GetCase(const RecordReads& reads, const protocol::CaseId& id);
// A decision: whoever asks for it looks at it, which is on record; NOT_FOUND, which it is for whom it is
// about. `enters`: they are let into its thread until its status changes.
protocol::Result<CaseRecord> LookAtCase(RecordStage& stage, const Decider& who, const protocol::CaseId& id,
                                        bool enters);
// The first of them in order of reporters.
protocol::Result<std::vector<protocol::CaseReport>> ReportsOf(const RecordReads& reads,
                                                              const protocol::CaseId& id);

}  // namespace parley::accounts
