#include "threads/staff/case_steps.h"

#include <algorithm>

#include "protocol/base/clusters.h"
#include "protocol/base/reason.h"
#include "threads/files/condemn.h"
#include "threads/files/file_upkeep.h"
#include "threads/model/message_acts.h"
#include "threads/model/record_act.h"
#include "threads/model/retention.h"
#include "threads/staff/case_cards.h"
#include "threads/staff/redact.h"

namespace parley::threads {

using protocol::Moderation;

namespace {

Caller StaffOf(const TenantId& tenant, const CaseStepWish& wish) {
  Caller caller;
  caller.tenant = tenant;
  caller.user = wish.by;
  caller.role = protocol::EnumFromName<Role>(wish.by_role).value_or(Role::kModerator);
  return caller;
}

// Cuts the text between characters.
std::string CutText(const std::string& text, size_t bytes_max) {
  return std::string(protocol::FirstBytes(text, bytes_max));
}

StaffAct ActOf(const CaseStepWish& wish, std::string action) {
  StaffAct act{std::move(action), wish.reason, wish.message_id};
  act.case_id = wish.case_id;
  return act;
}

// One step while it is decided.
class Step {
 public:
  Step(Transaction& tx, const TenantId& tenant, const CaseStepWish& wish, ThreadRow head)
      : tx_(tx), tenant_(tenant), wish_(wish), draft_(std::move(head), tx.moment().now) {}

  Result<Decision> Take() {
    PARLEY_CHECK_OK(Change());
    draft_.Write(KeyOf(wish_), EncodeEventTime(draft_.now()));
    draft_.WillAge(kEventRound);
    return draft_.Finish({});
  }
  static storage::SortKey KeyOf(const CaseStepWish& wish) {
    // No clientId begins like this, so no client's event can be mistaken for a step.
    const std::string name = "\x01" + wish.case_id + "/" + std::to_string(wish.number);
    return ExternalEventKey(ClientId{protocol::KeyText::UpToNul(name)});
  }

 private:
  protocol::Status Change() {
    switch (wish_.step) {
      case CaseStep::kFlag:
      case CaseStep::kUnflag:
        return Flag(wish_.step == CaseStep::kFlag);
      case CaseStep::kRedact:
        return Redact();
      case CaseStep::kLock:
        Lock();
        break;
      case CaseStep::kHold:
        if (draft_.head().item.status != protocol::ThreadStatus::kOpen) break;
        Lock();
        draft_.Write(HoldKey(wish_.case_id), EncodeEventTime(draft_.now()));
        break;
      case CaseStep::kRelease:
        return Release();
      case CaseStep::kOpenCard:
        return OpenCaseCard(tx_, tenant_, wish_, &draft_);
      case CaseStep::kEndStop:
        PARLEY_CHECK_OK(EndStop(tx_, tenant_, wish_));
        return ResolveCaseCard(tx_, tenant_, wish_, StaffDoer(), &draft_);
      case CaseStep::kRevoke:
        Revoke();
    }
    return protocol::Ok();
  }

  CardDoer StaffDoer() const { return DoerOf(StaffOf(tenant_, wish_), wish_.reason); }

  Result<std::optional<MessageRow>> Message() {
    if (!wish_.message_id) return std::optional<MessageRow>();
    return tx_.Rows(tenant_).Message(wish_.thread_id, *wish_.message_id);
  }

  protocol::Status LeaveEvidenceOf(const MessageRow& flagged) {
    PARLEY_TRY(evidence, FindEvidence(tx_.Rows(tenant_), flagged));
    LeaveEvidence(tenant_, wish_.thread_id, evidence, &draft_);
    return protocol::Ok();
  }

  // Takes no seq, so that only staff notice.
  protocol::Status Flag(bool on) {
    PARLEY_TRY(row, Message());
    if (!row || row->item.flags.moderation != Moderation::kClean ||
        row->hidden.flagged.value.has_value() == on)
      return protocol::Ok();
    PARLEY_CHECK_OK(LeaveEvidenceOf(*row));
    row->hidden.flagged = {};
    if (on) row->hidden.flagged.value = true;
    draft_.MessageFollows(*row);
    return protocol::Ok();
  }

  protocol::Status Redact() {
    PARLEY_TRY(row, Message());
    if (!row || row->item.flags.moderation == Moderation::kRedacted ||
        !RequirePossible(*row, MessageAct::kRedact).ok())
      return protocol::Ok();
    PARLEY_TRY(kept, FindKept(tx_.Rows(tenant_), wish_.thread_id, *wish_.message_id));
    StaffAct act = ActOf(wish_, "moderation.redact");
    act.user_id = row->item.author_user_id;
    LeaveFiles(tenant_, *row, &draft_);
    if (wish_.illegal) CondemnFiles(tenant_, *row, wish_.reason, tx_.moment().ids, &draft_);
    PARLEY_CHECK_OK(LeaveEvidenceOf(*row));
    act.before = protocol::StatesOf({{"content", SetModeration(Moderation::kRedacted, &*row)}});
    act.after = protocol::StatesOf({{"moderation", protocol::NameOf(Moderation::kRedacted)}});
    const Caller staff = StaffOf(tenant_, wish_);
    RecordAct(&draft_, staff, std::move(act), tx_.moment().ids);
    CardWriter cards(&draft_, tx_.policy(tenant_).card_ports, tx_.moment().ids);
    ContentChanged(*std::move(row), std::move(kept), DoerOf(staff, wish_.reason), &cards, &draft_);
    return protocol::Ok();
  }

  // Locks the thread for good, even if a case held it until its decision.
  void Lock() {
    ThreadRow& head = draft_.head();
    draft_.Erase(HoldKey(wish_.case_id));
    if (head.item.status != protocol::ThreadStatus::kLocked)
      SetStatus(protocol::ThreadStatus::kLocked, "moderation.lock");
  }

  protocol::Status Release() {
    PARLEY_TRY(held, tx_.Rows(tenant_).Exists(wish_.thread_id, HoldKey(wish_.case_id)));
    if (!held) return protocol::Ok();
    draft_.Erase(HoldKey(wish_.case_id));
    if (draft_.head().item.status == protocol::ThreadStatus::kLocked)
      SetStatus(protocol::ThreadStatus::kOpen, "moderation.release");
    return protocol::Ok();
  }

  void SetStatus(protocol::ThreadStatus status, std::string action) {
    ThreadRow& head = draft_.head();
    StaffAct act = ActOf(wish_, std::move(action));
    act.before = protocol::StatesOf({{"status", protocol::NameOf(head.item.status)}});
    act.after = protocol::StatesOf({{"status", protocol::NameOf(status)}});
    RecordAct(&draft_, StaffOf(tenant_, wish_), std::move(act), tx_.moment().ids);
    head.item.status = status;
    draft_.ThreadChanged(protocol::EventKind::kThreadUpdated);
    head.hidden.status_seq.value = draft_.last_seq();
    head.hidden.locked_at.value =
        status == protocol::ThreadStatus::kOpen ? std::nullopt : std::optional(draft_.now());
    head.hidden.status_reason.value.emplace().value = CutText(wish_.reason, 1000);
    head.hidden.status_by.value = wish_.by;
    draft_.Write(HistoryKey(MessageId{}, draft_.last_seq()),
                 protocol::Encode(*head.hidden.status_reason.value));
  }

  void Revoke() {
    auto& list = draft_.head().hidden.case_access.value;
    if (!list) return;
    std::erase_if(list->items, [&](const CaseAccess& one) { return one.case_id.value == wish_.case_id; });
    if (list->items.empty()) list.reset();
    draft_.HeadKept();
  }

  Transaction& tx_;
  const TenantId& tenant_;
  const CaseStepWish& wish_;
  Draft draft_;
};

}  // namespace

namespace {
// No clientId begins like this, nor does the key of a step.
constexpr std::string_view kHold = "\x01hold/";
}  // namespace

storage::SortKey HoldKey(const std::string& case_id) {
  return ExternalEventKey(ClientId{protocol::KeyText::UpToNul(std::string(kHold) + case_id)});
}

Result<std::vector<std::string>> HoldsOf(const RowReader& rows, const ThreadId& thread) {
  std::string first = HoldKey("").bytes();
  first.resize(first.find(kHold) + kHold.size());
  std::vector<std::string> out;
  const auto status = rows.raw().Scan(
      ThreadPartition(rows.tenant(), thread), storage::SortRange::Prefix(storage::SortKey(first)),
      storage::Direction::kForward, kMaxCaseAccess, [&](std::string_view sort, storage::RowView) {
        out.emplace_back(sort.substr(first.size(), sort.find('\0', first.size()) - first.size()));
        return true;
      });
  if (!status.ok()) return FromStorage(status);
  return out;
}

Result<Decision> TakeCaseStep(Transaction& tx, const TenantId& tenant, const CaseStepWish& wish) {
  if (wish.thread_id == ThreadId{}) {
    PARLEY_CHECK_OK(EndStop(tx, tenant, wish));
    Decision decision = AnswerOnly({});
    decision.reserves_only = true;
    return decision;
  }
  PARLEY_TRY(head, tx.Thread(tenant, wish.thread_id));
  if (!head) return AnswerOnly({});
  PARLEY_TRY(done, tx.Rows(tenant).Exists(wish.thread_id, Step::KeyOf(wish)));
  if (done) return AnswerOnly({});
  return Step(tx, tenant, wish, *std::move(head)).Take();
}

Result<Decision> LetIn(Transaction& tx, const TenantId& tenant, const ThreadId& thread, const UserId& user,
                       const std::string& case_id, bool escalated) {
  PARLEY_TRY(head, tx.Thread(tenant, thread));
  if (!head) return NotMember();
  const protocol::Time now = tx.moment().now;
  Draft draft(*std::move(head), now);
  auto& list = draft.head().hidden.case_access.value;
  if (!list) list.emplace();
  std::erase_if(list->items, [&](const CaseAccess& one) {
    return one.until <= now || (one.user == user && one.case_id.value == case_id);
  });
  if (list->items.size() >= kMaxCaseAccess)
    return ErrorFor(protocol::Reason::kTooManyOnlookers, "too many staff look into this thread");
  CaseAccess& access = list->items.emplace_back();
  access = {user, {case_id}, {now.ms + kCaseAccessMs}, {}};
  if (escalated) access.escalated.value = true;
  draft.HeadKept();
  return draft.Finish({});
}

}  // namespace parley::threads
