#include "features/events/telemetry.h"

namespace parley::features {
namespace {

using protocol::EventKind;
using storage::Item;

struct TelemetryName {
  enum class Where : uint8_t {
    kEvent,  // the event `kind` itself
    kNamed,  // an event of `kind` with the name in its `telemetry`
    kAudit,  // the tenant's audit; `note` names the action
  };
  std::string_view name;
  Where where = Where::kEvent;
  EventKind kind = EventKind::kSkip;  // kSkip if it has none
  // For kNamed: returns true if the event with this item has the name.
  bool (*tells)(const Item& item) = nullptr;
  std::string_view note = {};
};
using Where = TelemetryName::Where;

std::string_view TextIn(const Item& item, std::string_view name) {
  const auto* value = item.Find(name);
  return value && value->text() ? std::string_view(*value->text()) : std::string_view();
}
bool HasList(const Item& item, std::string_view name) {
  const auto* value = item.Find(name);
  const auto* list = value ? value->As<storage::List>() : nullptr;
  return list && !list->empty();
}

constexpr char kBrief[] = "brief", kMoodboard[] = "moodboard", kShotlist[] = "shotlist", kFiles[] = "files";
constexpr char kProof[] = "DELIVERABLE_PROOF", kFinal[] = "DELIVERABLE_FINAL", kCancel[] = "CANCEL_REQUEST",
               kRefund[] = "REFUND_REQUEST", kDeposit[] = "DEPOSIT_CLAIM_OPEN", kDispute[] = "DISPUTE_OPEN",
               kSafety[] = "SAFETY";
constexpr char kSubmitted[] = "SUBMITTED", kApproved[] = "APPROVED", kDenied[] = "DENIED";

bool HasAttachments(const Item& item) {
  return HasList(item, "attachments");
}
bool IsBroadcast(const Item& item) {
  return item.Has("broadcast");
}
template <const char* kTab>
bool IsTab(const Item& item) {
  return TextIn(item, "tab") == kTab;
}
// Versions count transitions, from 1; other changes of a card leave its version.
bool IsNewCard(const Item& item) {
  const auto* version = item.Find("version");
  return version && version->number() && version->number()->ToInt64() == 1 &&
         TextIn(item, "createdAt") == TextIn(item, "updatedAt");
}
bool IsOldCard(const Item& item) {
  return !IsNewCard(item);
}
template <const char* kType>
bool IsNew(const Item& item) {
  return TextIn(item, "type") == kType && IsNewCard(item);
}
template <const char* kType, const char* kState>
bool IsCard(const Item& item) {
  return TextIn(item, "type") == kType && TextIn(item, "state") == kState;
}
bool IsApproved(const Item& item) {
  return IsCard<kProof, kApproved>(item) ||
         (TextIn(item, "type") == kFinal && TextIn(item, "state") == "ACCEPTED");
}
bool IsAccepted(const Item& item) {
  const std::string_view by = TextIn(item, "lastIntent");
  return by == "accept" || by == "approve" || by == "acknowledge" || by == "confirm";
}
bool IsDeclined(const Item& item) {
  const std::string_view by = TextIn(item, "lastIntent");
  return by == "decline" || by == "deny";
}

constexpr TelemetryName kNames[] = {
    {"thread.create", Where::kEvent, EventKind::kThreadCreated, nullptr, ""},
    {"thread.promoted_to_project", Where::kEvent, EventKind::kThreadPromoted, nullptr,
     "also an outside effect of this name if the tenant's `cardPorts` include `events`"},
    {"message.send", Where::kEvent, EventKind::kMessageCreated, nullptr, ""},
    {"message.asset.attach", Where::kNamed, EventKind::kMessageCreated, HasAttachments,
     "the message has attachments"},
    {"message.blocked", Where::kEvent, EventKind::kMessageBlocked, nullptr,
     "also `policy.block` and `policy.stop` in `moderation.audit`"},
    {"panel.brief.update", Where::kNamed, EventKind::kTabUpdated, IsTab<kBrief>, "each change of the tab"},
    {"panel.moodboard.pin", Where::kNamed, EventKind::kTabUpdated, IsTab<kMoodboard>,
     "each change of the tab"},
    {"panel.shotlist.update", Where::kNamed, EventKind::kTabUpdated, IsTab<kShotlist>,
     "each change of the tab"},
    {"panel.files.add", Where::kNamed, EventKind::kTabUpdated, IsTab<kFiles>, "each change of the tab"},
    {"action.create", Where::kNamed, EventKind::kCardUpdated, IsNewCard, "the card is new"},
    {"action.state_change", Where::kNamed, EventKind::kCardUpdated, IsOldCard, "the card is not new"},
    {"deliverable.proof.posted", Where::kNamed, EventKind::kCardUpdated, IsCard<kProof, kSubmitted>,
     "proofs, for the first time or after a revision"},
    {"deliverable.final.posted", Where::kNamed, EventKind::kCardUpdated, IsCard<kFinal, kSubmitted>,
     "the final delivery, for the first time or after a revision"},
    {"deliverable.approved", Where::kNamed, EventKind::kCardUpdated, IsApproved,
     "proofs or a final delivery"},
    {"cancel.requested", Where::kNamed, EventKind::kCardUpdated, IsNew<kCancel>, ""},
    {"refund.requested", Where::kNamed, EventKind::kCardUpdated, IsNew<kRefund>, ""},
    {"deposit.claim.opened", Where::kNamed, EventKind::kCardUpdated, IsNew<kDeposit>, ""},
    {"deposit.claim.approved", Where::kNamed, EventKind::kCardUpdated, IsCard<kDeposit, kApproved>, ""},
    {"deposit.claim.denied", Where::kNamed, EventKind::kCardUpdated, IsCard<kDeposit, kDenied>, ""},
    {"dispute.opened", Where::kNamed, EventKind::kCardUpdated, IsNew<kDispute>, ""},
    {"admin.moderation.*", Where::kAudit, EventKind::kSkip, nullptr, "`moderation.*`, `case.*` and `look.*`"},
    {"msg.send", Where::kEvent, EventKind::kMessageCreated, nullptr, ""},
    {"card.send", Where::kNamed, EventKind::kCardUpdated, IsNewCard, "the card is new"},
    {"card.accept", Where::kNamed, EventKind::kCardUpdated, IsAccepted,
     "it was accepted, approved or acknowledged"},
    {"card.decline", Where::kNamed, EventKind::kCardUpdated, IsDeclined, "it was declined or denied"},
    {"msg.report", Where::kNamed, EventKind::kCardUpdated, IsNew<kSafety>,
     "a safety report; its text stays in the thread"},
    {"msg.thread_open", Where::kEvent, EventKind::kThreadCreated, nullptr,
     "`item.subtype` is `invite` if it began as an invite"},
    {"broadcast.send", Where::kNamed, EventKind::kMessageCreated, IsBroadcast,
     "one for each thread that received it"},
    {"offplatform.detect", Where::kAudit, EventKind::kSkip, nullptr,
     "`policy.block` and `policy.stop`, whose reason names the rules"},
    {"message.thread.posted", Where::kEvent, EventKind::kMessageCreated, nullptr, ""},
};

std::string WhereText(const TelemetryName& one) {
  std::string event = "`" + std::string(protocol::NameOf(one.kind)) + "`";
  switch (one.where) {
    case Where::kEvent:
      return event;
    case Where::kNamed:
      return event + " with the name in `telemetry`";
    case Where::kAudit:
      return "`moderation.audit`";
  }
  return {};
}

}  // namespace

std::vector<std::string_view> TelemetryOf(EventKind kind, const Item& item) {
  std::vector<std::string_view> out;
  for (const TelemetryName& one : kNames) {
    if (one.where == Where::kNamed && one.kind == kind && one.tells(item)) out.push_back(one.name);
  }
  return out;
}

std::string TelemetryManual() {
  std::string out =
      "# Event types and telemetry names\n\n"
      "Printed by `parleyd --telemetry` from the tables in `protocol/events.h` and "
      "`features/events/telemetry.cc`.\n\n"
      "## Types\n\n"
      "The types that a tenant may list in its setting `events.types`. Each event becomes exactly one row, "
      "which\n"
      "`GET /v1/inbox` returns:\n"
      "`{type, tenant, threadId, seq, at, item, onlyFor?, telemetry?}`. If `onlyFor` names a user, only they "
      "and staff\n"
      "may see the change (a safety report, a message of a shadowed user): show it to no other user.\n"
      "`message.blocked` has `auditId` instead of `seq`, and no `threadId` if the text would have begun a "
      "thread. Its\n"
      "`item` is `{auditId, userId, rules, content, stopped}` with the SHA-256 of the text. The `item` of\n"
      "`thread.promoted_to_project` is the thread. `file.scanning` and `file.ready` report an upload that is "
      "complete or\n"
      "can be fetched; they have `attachmentId` and a unique `changeId` instead of `seq`, and their `item` "
      "is "
      "the attachment.\n\n";
  for (const protocol::EventKindInfo& info : protocol::kEventKinds) {
    if (protocol::IsForBackEnds(info)) out += "- `" + std::string(info.name) + "`\n";
  }
  out +=
      "\n## Names\n\n"
      "The names under which products count events, and the event that reports each. A name reports only "
      "that "
      "something happened.\n\n"
      "| name | reported by | remark |\n|---|---|---|\n";
  for (const TelemetryName& one : kNames)
    out += "| `" + std::string(one.name) + "` | " + WhereText(one) + " | " + std::string(one.note) + " |\n";
  return out;
}

}  // namespace parley::features
