// Cases that follow cards: a safety report and a dispute open one each, which ends with the card.
#include <algorithm>

#include "accounts/audit/audit_chain.h"
#include "accounts/records/item_fields.h"
#include "features/moderation/case_store.h"
#include "features/moderation/cases.h"
#include "protocol/base/crypto.h"
#include "protocol/base/sure.h"

namespace parley::features {

using protocol::CaseId;
using protocol::Result;
using protocol::Status;

namespace {

constexpr size_t kOpenOfThreadMax = 200;

// Each card has one case: if that was decided, the card opens no second one while it is still open.
CaseId IdOf(const protocol::ThreadId& thread, const protocol::MessageId& message) {
  const std::string hash = protocol::Sha256("card/" + thread.ToText() + "/" + message.ToText());
  return CaseId{protocol::Sure(protocol::Ulid::FromBytes(std::string_view(hash).substr(0, 16)))};
}

accounts::AuditAct ActOn(const Case& one, std::string action) {
  accounts::AuditAct act;
  act.action = std::move(action);
  act.thread_id = one.thread_id;
  act.message_id = one.message_id;
  act.user_id = one.user_id;
  act.case_id = one.case_id.ToText();
  return act;
}

Status Open(accounts::RecordTransaction& tx, const protocol::ThreadId& thread, const CardCase& card,
            const DualSeverities& dual) {
  const CaseId id = IdOf(thread, card.message_id);
  PARLEY_TRY(before, FindCase(tx, id));
  if (before) return protocol::Ok();
  CaseRecord record;
  Case& shown = record.shown;
  shown.case_id = id;
  shown.origin = card.origin;
  shown.thread_id = thread;
  shown.message_id = card.message_id;
  shown.user_id = card.about;
  shown.severity = card.severity;
  shown.requires_dual_approval = NeedsTwo(shown, dual);
  shown.reason.value = card.reason;
  shown.reported_by.items = {card.reporter};
  shown.report_count = 1;
  shown.reported_at = shown.updated_at = tx.now();
  record.subject = SubjectText(shown);
  accounts::AuditAct act = ActOn(shown, "case.open");
  act.actor = card.reporter;
  act.actor_role = "member";
  PARLEY_TRY(audit_id, accounts::RecordAct(tx, std::move(act)));
  shown.audit_id.emplace().value = audit_id.ToText();
  tx.Put(kCasesTable, "report",
         ReportToItem(id, {card.reporter, {card.reason}, card.severity, {}, tx.now()}));
  PARLEY_CHECK_OK(PutCase(tx, {}, std::move(record)));
  return tx.Commit();
}

Status End(accounts::RecordTransaction& tx, StoredCase before) {
  CaseRecord after = before.record;
  after.shown.status = CaseStatus::kResolved;
  after.shown.resolution = CaseResolution{CaseDecision::kApprove, {}, {}, tx.now()};
  after.shown.updated_at = tx.now();
  ++after.shown.version;
  EndAccess(before.record.shown.status, nullptr, &after);
  PARLEY_CHECK_OK(EndHolds(tx, {}, nullptr, &after));
  accounts::AuditAct act = ActOn(after.shown, "case.end");
  act.actor_role = "card";
  PARLEY_CHECK_OK(accounts::RecordAct(tx, std::move(act)));
  PARLEY_CHECK_OK(PutCase(tx, std::move(before), std::move(after)));
  return tx.Commit();
}

}  // namespace

Status FollowCards(accounts::RecordTransaction& tx, const protocol::ThreadId& thread,
                   const std::vector<CardCase>& open, const DualSeverities& dual) {
  for (const CardCase& card : open) PARLEY_CHECK_OK(Open(tx, thread, card, dual));
  accounts::RecordReads::Ask ask{kCasesTable, "openThreads",
                                 accounts::BeginningWith("open", thread.ToText() + "#"), kOpenOfThreadMax};
  std::vector<storage::Item> items;
  PARLEY_CHECK_OK(tx.ForEach(ask, [&](const storage::Item& item) {
    items.push_back(item);
    return true;
  }));
  for (storage::Item& item : items) {
    PARLEY_TRY(record, CaseFromItem(item));
    const bool of_card =
        record.shown.origin == CaseOrigin::kSafety || record.shown.origin == CaseOrigin::kDispute;
    const bool is_open = std::any_of(open.begin(), open.end(), [&](const CardCase& card) {
      return card.message_id == record.shown.message_id;
    });
    if (of_card && !is_open) PARLEY_CHECK_OK(End(tx, {std::move(record), std::move(item)}));
  }
  return protocol::Ok();
}

}  // namespace parley::features
