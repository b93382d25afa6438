#include "features/moderation/cases.h"

#include <algorithm>

#include "accounts/audit/audit_chain.h"
#include "accounts/records/item_fields.h"
#include "features/moderation/case_store.h"
#include "features/moderation/sanctions.h"
#include "protocol/base/reason.h"

namespace parley::features {

using protocol::CaseId;
using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;
using protocol::Result;
using protocol::Severity;

namespace {

constexpr int64_t kReportWindowMs = int64_t{24} * 3600 * 1000;
constexpr size_t kOpenAtOnce = 100;

// For reports; other origins set their cases' severity.
Severity DefaultSeverity(CaseType type) {
  return type == CaseType::kThread ? Severity::kHigh : Severity::kMedium;
}

bool IsDual(const DualSeverities& dual, Severity severity) {
  return std::find(dual.begin(), dual.end(), severity) != dual.end();
}

Case NewCase(const NewReport& report, Severity severity, protocol::Time now) {
  Case out;
  out.case_id = report.new_id;
  out.type = report.subject.type;
  out.origin = report.subject.origin;
  out.thread_id = report.subject.thread_id;
  out.message_id = report.subject.message_id;
  out.user_id = report.subject.user_id;
  out.severity = severity;
  out.reason = report.reason;
  out.reported_at = now;
  return out;
}

// The reporter's view: whether it is open, and how it ended, but not the progress of staff.
ReportReply ReplyFor(const Case& one, Severity severity) {
  ReportReply reply;
  reply.case_id = one.case_id;
  reply.status = IsOpen(one.status) ? CaseStatus::kPending : one.status;
  reply.severity = severity;
  reply.audit_id = one.audit_id;
  return reply;
}

Result<std::optional<CaseReport>> FindReport(const accounts::RecordReads& reads, const CaseId& id,
                                             const protocol::UserId& reporter) {
  PARLEY_TRY(item, reads.Find(kCasesTable, CaseHash(id), ReportRange(reporter)));
  if (!item) return std::optional<CaseReport>();
  PARLEY_TRY(report, ReportFromItem(*item));
  return std::optional(std::move(report));
}

Result<std::vector<storage::Item>> LatestReports(const accounts::RecordReads& reads,
                                                 const protocol::UserId& reporter) {
  accounts::RecordReads::Ask ask{kCasesTable, "byReporter", accounts::AllOf(reporter.ToText()),
                                 kReportsPerDay};
  ask.forward = false;
  PARLEY_TRY(page, reads.List(ask));
  return std::move(page.items);
}

protocol::Status RequireFewReports(const std::vector<storage::Item>& latest, protocol::Time now) {
  if (latest.size() < kReportsPerDay) return protocol::Ok();
  PARLEY_TRY(oldest, ReportFromItem(latest.back()));
  const int64_t wait_ms = oldest.at.ms + kReportWindowMs - now.ms;
  if (wait_ms <= 0) return protocol::Ok();
  Error error = ErrorFor(Reason::kTooManyReports, "too many reports in 24 hours");
  error.retry_after_ms = wait_ms;
  return error;
}

// Removes the approval that a reporter gave before the report.
void TakeBackApproval(const protocol::UserId& reporter, CaseRecord* record) {
  Case& one = record->shown;
  const auto theirs = [&](const CaseApproval& approval) { return approval.actor_id == reporter; };
  if (std::erase_if(one.approvals.items, theirs) == 0 || !one.approvals.items.empty()) return;
  if (one.status != CaseStatus::kAwaitingSecondApproval) return;
  one.status = CaseStatus::kPending;
  one.actions = {};
  EndAccess(CaseStatus::kAwaitingSecondApproval, nullptr, record);
}

// Each user reports a message once: afterwards they get the outcome.
Result<std::optional<Case>> EndedCaseOf(const accounts::RecordReads& reads,
                                        const std::vector<storage::Item>& latest,
                                        const std::string& subject) {
  for (const storage::Item& item : latest) {
    const auto id = CaseOfPlace(accounts::TextOf(item, "filedAs"));
    if (!id) continue;
    PARLEY_TRY(found, FindCase(reads, *id));
    if (found && found->record.subject == subject) return std::optional(std::move(found->record.shown));
  }
  return std::optional<Case>();
}

Result<std::optional<Case>> CaseReportedBefore(const accounts::RecordReads& reads, const NewReport& report,
                                               const std::optional<StoredCase>& open,
                                               const std::vector<storage::Item>& latest,
                                               const std::string& subject) {
  if (open) {
    PARLEY_TRY(mine, FindReport(reads, open->record.shown.case_id, report.reporter));
    return mine ? std::optional(open->record.shown) : std::nullopt;
  }
  if (report.subject.type != CaseType::kMessage) return std::optional<Case>();
  return EndedCaseOf(reads, latest, subject);
}

}  // namespace

Result<Reported> FileReport(accounts::RecordTransaction& tx, const NewReport& report,
                            const DualSeverities& dual) {
  const Severity least = DefaultSeverity(report.subject.type);
  const Severity severity = std::max(least, report.severity.value_or(least));
  CaseRecord record;
  record.shown = NewCase(report, severity, tx.now());
  record.subject = SubjectText(record.shown);
  PARLEY_TRY(open, FindOpenCase(tx, record.subject));
  PARLEY_TRY(latest, LatestReports(tx, report.reporter));
  PARLEY_TRY(before, CaseReportedBefore(tx, report, open, latest, record.subject));
  if (before) {
    PARLEY_TRY(mine, FindReport(tx, before->case_id, report.reporter));
    return Reported{ReplyFor(*before, mine ? mine->severity : severity), {}};
  }
  PARLEY_CHECK_OK(RequireFewReports(latest, tx.now()));
  if (open) {
    record = open->record;
    ++record.shown.version;
    TakeBackApproval(report.reporter, &record);
  } else if (report.subject.type == CaseType::kMessage) {
    AddEffect(CaseEffectKind::kFlag, report.subject.message_id, nullptr, {}, &record);
  }
  Case& shown = record.shown;
  shown.severity = std::max(shown.severity, severity);
  shown.requires_dual_approval = NeedsTwo(shown, dual);
  shown.updated_at = tx.now();
  ++shown.report_count;
  if (shown.reported_by.items.size() < kListedReporters) shown.reported_by.items.push_back(report.reporter);
  if (!open) {
    accounts::AuditAct opened{report.reporter, "member", "case.open", report.reason.value};
    opened.thread_id = shown.thread_id;
    opened.message_id = shown.message_id;
    opened.user_id = shown.user_id;
    opened.case_id = shown.case_id.ToText();
    PARLEY_TRY(audit_id, accounts::RecordAct(tx, std::move(opened)));
    shown.audit_id.emplace().value = audit_id.ToText();
  }
  const Reported out{ReplyFor(shown, severity), record.effects};
  tx.Put(kCasesTable, "report",
         ReportToItem(shown.case_id, {report.reporter, report.reason, severity, report.notes, tx.now()}));
  PARLEY_CHECK_OK(PutCase(tx, open, std::move(record)));
  PARLEY_CHECK_OK(tx.Commit());
  return out;
}

Severity CountedSeverity(const Case& one) {
  Severity out = Severity::kMedium;
  if (one.origin == CaseOrigin::kReport) out = DefaultSeverity(one.type);
  if (one.origin == CaseOrigin::kSafety) out = Severity::kHigh;
  return out;
}

bool NeedsTwo(const Case& one, const DualSeverities& dual) {
  return one.requires_dual_approval || IsDual(dual, CountedSeverity(one));
}

Result<bool> HiddenCases::Contain(const std::string& case_id) {
  if (!viewer_) return false;
  if (const auto known = known_.find(case_id); known != known_.end()) return known->second;
  const auto id = CaseId::FromText(case_id);
  if (!id) return false;
  PARLEY_TRY(found, FindCase(reads_, *id));
  return known_[case_id] = found && !MayKnow(found->record.shown, viewer_);
}

protocol::Status MuteMeanwhile(accounts::RecordTransaction& tx, const CaseId& id,
                               const protocol::UserId& user, const SanctionChange& mute) {
  Error refusal = ErrorFor(Reason::kCaseNeedsTwo, "a case about them is open, which two have to decide");
  refusal.fields.emplace_back("caseId", id.ToText());
  PARLEY_TRY(found, FindCase(tx, id));
  if (!found) return refusal;
  CaseRecord after = found->record;
  PARLEY_TRY(held, HoldIn(tx, user, mute, &after));
  if (!held) return refusal;
  return PutCase(tx, found, std::move(after));
}

namespace {

Result<std::optional<CaseRecord>> OpenCaseAbout(const accounts::RecordReads& reads, const Case& about) {
  PARLEY_TRY(open, FindOpenCase(reads, SubjectText(about)));
  return open ? std::optional(std::move(open->record)) : std::nullopt;
}

}  // namespace

Result<std::optional<CaseRecord>> OpenCaseAboutMessage(const accounts::RecordReads& reads,
                                                       const protocol::ThreadId& thread,
                                                       const protocol::MessageId& message) {
  Case about;
  about.thread_id = thread;
  about.message_id = message;
  PARLEY_TRY(reported, OpenCaseAbout(reads, about));
  if (reported) return std::move(reported);
  about.origin = CaseOrigin::kSafety;  // or a dispute: a case of the card that the message shows
  return OpenCaseAbout(reads, about);
}

Result<std::optional<CaseRecord>> OpenCaseAboutThread(const accounts::RecordReads& reads,
                                                      const protocol::ThreadId& thread) {
  Case about;
  about.type = CaseType::kThread;
  about.thread_id = thread;
  return OpenCaseAbout(reads, about);
}

Result<std::optional<CaseId>> DualCaseAboutUser(const accounts::RecordReads& reads,
                                                const protocol::UserId& user, const DualSeverities& dual) {
  std::optional<CaseId> found;
  bool sound = true;
  PARLEY_CHECK_OK(reads.ForEach({kCasesTable, "openUsers", accounts::AllOf(user.ToText()), kOpenAtOnce},
                                [&](const storage::Item& item) {
                                  const auto one = CaseFromItem(item);
                                  sound = one.ok();
                                  if (sound && NeedsTwo(one->shown, dual)) found = one->shown.case_id;
                                  return sound && !found;
                                }));
  if (!sound) return Error(ErrorCode::kInternal, "a case cannot be read");
  return found;
}

Result<std::vector<CaseRecord>> CasesWithEffects(const accounts::RecordReads& reads, size_t limit) {
  PARLEY_TRY(page, reads.List({kCasesTable, "effectsDue", accounts::AllOf("due"), limit}));
  std::vector<CaseRecord> out;
  for (const storage::Item& item : page.items) {
    PARLEY_TRY(one, CaseFromItem(item));
    out.push_back(std::move(one));
  }
  return out;
}

protocol::Status NoteEffectsDone(accounts::RecordTransaction& tx, const CaseId& id, int64_t through) {
  PARLEY_TRY(found, FindCase(tx, id));
  if (!found) return protocol::Ok();
  CaseRecord after = found->record;
  std::erase_if(after.effects, [&](const CaseEffect& effect) { return effect.number <= through; });
  if (after.effects.size() == found->record.effects.size()) return protocol::Ok();
  PARLEY_CHECK_OK(PutCase(tx, found, std::move(after)));
  return tx.Commit();
}

Result<CaseRecord> GetCase(const accounts::RecordReads& reads, const CaseId& id) {
  PARLEY_TRY(found, FindCase(reads, id));
  if (!found) return ErrorFor(Reason::kNoCase, "no such case");
  return std::move(found->record);
}

Result<CaseRecord> LookAtCase(accounts::RecordTransaction& tx, const Decider& who, const CaseId& id,
                              bool enters) {
  PARLEY_TRY(found, FindCase(tx, id));
  if (!found || !MayKnow(found->record.shown, who.user)) return ErrorFor(Reason::kNoCase, "no such case");
  CaseRecord record = found->record;
  accounts::AuditAct look{who.user, who.role, "look.moderation.case"};
  look.thread_id = record.shown.thread_id;
  look.message_id = record.shown.message_id;
  look.user_id = record.shown.user_id;
  look.case_id = id.ToText();
  PARLEY_CHECK_OK(accounts::RecordAct(tx, std::move(look)));
  if (enters && IsOpen(record.shown.status) && !record.gives_access) {
    record.gives_access = true;
    PARLEY_CHECK_OK(PutCase(tx, found, record));
  }
  PARLEY_CHECK_OK(tx.Commit());
  return record;
}

Result<std::vector<CaseReport>> ReportsOf(const accounts::RecordReads& reads, const CaseId& id) {
  PARLEY_TRY(
      page,
      reads.List({kCasesTable, {}, accounts::BeginningWith(CaseHash(id), "reports/"), kListedReporters}));
  std::vector<CaseReport> out;
  for (const storage::Item& item : page.items) {
    PARLEY_TRY(one, ReportFromItem(item));
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace parley::features
