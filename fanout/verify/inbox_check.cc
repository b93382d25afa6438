#include "fanout/verify/inbox_check.h"

#include <algorithm>
#include <set>

#include "fanout/inbox_rows.h"
#include "fanout/verify/card_facts.h"
#include "fanout/verify/entry_facts.h"

namespace parley::fanout {

using threads::ClockTask;

namespace {

// Cards that propose something, and so make their thread an offer; duplicated on purpose.
const std::set<std::string_view> kProposals = {"RESCHEDULE", "REQUEST_EXTRA", "EXPENSE", "OVERTIME_START"};

// Computes the thread's place in an inbox from its text fields.
protocol::Time PlaceOf(const RawItem& head) {
  const std::string at = head.IsNull("lastMessageAt") ? head.Text("createdAt") : head.Text("lastMessageAt");
  return protocol::ParseTime(at).value_or(protocol::Time{0});
}

// The cell without the unread bit, which depends on the messages.
uint16_t CellButUnread(const RawItem& head, const RawItem& member) {
  unsigned bits = 0;
  if (member.HiddenFlag("pinned")) bits |= kPinnedBit;
  const std::string kind_of_thread = head.Text("kind");
  if (kind_of_thread == "project" || kind_of_thread == "group") bits |= kProjectBit;
  if (kind_of_thread == "direct" || kind_of_thread == "group") bits |= kPeersBit;
  if (ArchivedNow(head, member)) bits |= kArchivedBit;
  if (SnoozedNow(head, member)) bits |= kSnoozedBit;
  for (const std::string& kind : OpenCardTypes(head, member)) {
    bits |= kActionBit;
    if (kProposals.contains(kind)) bits |= kOfferBit;
    if (kind == "DISPUTE_OPEN") bits |= kDisputeBit;
  }
  if (KeptOut(head, member)) bits |= kRequestBit;
  if (member.HiddenFlag("spam")) bits |= kSpamBit;
  if (head.Text("subtype") == "invite") bits |= kInviteBit;
  if (member.HiddenFlag("muted")) bits |= kMutedBit;
  const protocol::Value* safe = head.wire.root.Find("safeModeRequired");
  if (safe && safe->as_bool() && *safe->as_bool()) bits |= kSafeModeBit;
  if (head.Text("status") == "locked") bits |= kLockedBit;
  if (head.Text("status") == "archived") bits |= kClosedBit;
  return static_cast<uint16_t>(bits);
}

// Bits that rows of older releases lack until they are rewritten.
constexpr uint16_t kNewBits = kMutedBit | kSafeModeBit;
bool IsOld(const std::string& payload) {
  InboxRow stored;
  protocol::Document entry;
  if (!DecodeInboxRow(payload, &stored) || !threads::DecodeStored(stored.entry, &entry)) return false;
  const protocol::Value* created = entry.root.Find("createdAt");
  return !created || created->is_null();
}

// Bits that an entry may lack: none, or those that an older release did not know.
constexpr uint16_t kOtherCells[] = {0, kNewBits};

// Returns the earliest time limit of the cards that the head lists, or "".
std::string ListedDue(const RawItem& head) {
  std::string first;
  const protocol::Value* cards = head.hidden.root.Find("openCards");
  if (!cards || !cards->as_array()) return first;
  for (const protocol::Value& card : *cards->as_array()) {
    const protocol::Value* due = card.Find("due");
    if (due && due->as_text() && (first.empty() || *due->as_text() < first)) first = *due->as_text();
  }
  return first;
}

// Returns the earliest time at which the thread has rows to remove, or "".
std::string ForgetAt(const RawItem& head) {
  std::string first;
  for (const char* field : {"forgetDueAt", "historyDueAt", "eventsDueAt", "logDueAt"}) {
    const std::string due = head.HiddenText(field);
    if (!due.empty() && (first.empty() || due < first)) first = due;
  }
  return first;
}

// Returns the earliest time at which a pending message request expires, or "".
std::string RequestDueOf(const RawItem& head) {
  std::string due = RequestIn(head, "state") == "pending" ? RequestIn(head, "expiresAt") : "";
  const protocol::Value* invited = head.hidden.root.Find("invited");
  if (!invited || !invited->as_array()) return due;
  for (const protocol::Value& request : *invited->as_array()) {
    const protocol::Value* at = request.as_map() ? request.Find("expiresAt") : nullptr;
    const protocol::Value* state = at ? request.Find("state") : nullptr;
    if (!state || !state->as_text() || *state->as_text() != "pending") continue;
    if (at && at->as_text() && (due.empty() || *at->as_text() < due)) due = *at->as_text();
  }
  return due;
}

// Returns the time of a wake according to the head, or to the member's row for snoozes and mutes; "" if it
// has none.
std::string WokenAt(const RawItem& item, ClockTask kind) {
  switch (kind) {
    case ClockTask::kSnooze:
      return item.HiddenText("snoozedUntil");
    case ClockTask::kIdle:
      return item.HiddenText("idleDueAt");
    case ClockTask::kTip:
      return item.HiddenText("tipDueAt");
    case ClockTask::kCards:
      return ListedDue(item);
    case ClockTask::kForget:
      return ForgetAt(item);
    case ClockTask::kRequest:
      return RequestDueOf(item);
    case ClockTask::kMute:
      return item.HiddenFlag("muted") ? item.HiddenText("mutedUntil") : "";
  }
  return {};
}

std::string UserOf(const storage::PartitionKey& partition) {
  return std::string(partition.id().substr(0, partition.id().size() - 1));
}

}  // namespace

void InboxCheck::ExpectRowsOf(const ThreadFacts& facts) {
  if (pending_.contains({facts.tenant, facts.thread})) return;
  for (const RawItem* member : facts.participants) {
    if (member->IsNull("removedAt")) ExpectMember(facts, *member);
  }
  for (const std::string& user : AllInvited(*facts.head)) {
    if (const auto invited = InvitedIn(*facts.head, user)) ExpectMember(facts, *invited);
  }
  ExpectThread(facts);
}

void InboxCheck::ExpectMember(const ThreadFacts& facts, const RawItem& member) {
  if (IsUnlisted(*facts.head, member)) return;
  ExpectEntry(facts, member);
  ExpectWake(facts, ClockTask::kSnooze, member.HiddenText("snoozedUntil"),
             {protocol::KeyText::UpToNul(member.Text("userId"))});
}

void InboxCheck::ExpectThread(const ThreadFacts& facts) {
  ExpectWake(facts, ClockTask::kIdle, facts.head->HiddenText("idleDueAt"), {});
  ExpectWake(facts, ClockTask::kTip, facts.head->HiddenText("tipDueAt"), {});
  ExpectWake(facts, ClockTask::kCards, FirstDue(facts), {});
  ExpectWake(facts, ClockTask::kForget, ForgetAt(*facts.head), {});
  ExpectWake(facts, ClockTask::kRequest, RequestDueOf(*facts.head), {});
}

void InboxCheck::ExpectWake(const ThreadFacts& facts, ClockTask kind, const std::string& at,
                            const UserId& user) {
  if (at.empty()) return;
  const Wake wake{protocol::ParseTime(at).value_or(protocol::Time{0}), kind, facts.thread, user};
  std::optional<storage::Row> row;
  if (!snapshot_.Get(WakePartition(facts.tenant), WakeKey(wake), &row).ok() || !row)
    differs_(facts.name() + ": its wake at " + at + " is missing");
}

void InboxCheck::ExpectEntry(const ThreadFacts& facts, const RawItem& member) {
  const UserId user{protocol::KeyText::UpToNul(member.Text("userId"))};
  const Differs differ = [&](const std::string& what) {
    differs_(facts.name() + ": inbox of " + user.value + ": " + what);
  };
  Cell cell{CellButUnread(*facts.head, member)};
  if (UnreadShown(facts, member) > 0) cell.bits |= kUnreadBit;
  const InboxPlace place{PlaceOf(*facts.head), facts.thread};
  const std::string label = member.HiddenText("label");
  const auto inbox = InboxPartition(facts.tenant, user);
  ++expected_[inbox.bytes()].entries;

  std::optional<storage::Row> row, labelled, seat;
  for (const uint16_t without : kOtherCells) {
    const Cell other{static_cast<uint16_t>(cell.bits & ~without)};
    if (!snapshot_.Get(inbox, InboxKey(other, place), &row).ok()) return differ("cannot be read");
    if (row && IsOld(row->payload) != (without == kNewBits)) row.reset();
    if (!row) continue;
    cell = other;
    break;
  }
  if (!row) return differ("the row is missing");
  if (cell.bits & kMutedBit) ExpectWake(facts, ClockTask::kMute, member.HiddenText("mutedUntil"), user);
  CompareEntry(facts, member, row->payload, differ);
  if (!label.empty()) {
    ++expected_[inbox.bytes()].labels;
    if (!snapshot_.Get(inbox, LabelKey(protocol::KeyText::UpToNul(label), cell, place), &labelled).ok() ||
        !labelled) {
      differ("the row of its label is missing");
    } else if (labelled->payload != row->payload) {
      differ("the row of its label differs");
    }
  }
  Seat found;
  if (!snapshot_.Get(PlacementPartition(facts.tenant, facts.thread), SeatKey(user), &seat).ok() || !seat ||
      !DecodeSeat(seat->payload, &found)) {
    return differ("the seat is missing");
  }
  if (found.cell != cell || found.label.value_or("") != label) differ("the seat differs");
}

void InboxCheck::CompareEntry(const ThreadFacts& facts, const RawItem& member, const std::string& payload,
                              const Differs& differ) {
  InboxRow stored;
  protocol::Document entry;
  if (!DecodeInboxRow(payload, &stored) || !threads::DecodeStored(stored.entry, &entry))
    return differ("the row cannot be read");
  const EntryFields found = FieldsOf(entry.root);
  const EntryFields expected = ExpectedEntry(facts, member, found, now_);
  for (const auto& [field, value] : expected) {
    const auto shown = found.find(field);
    if (shown == found.end()) {
      differ(field + " is missing");
    } else if (shown->second != value) {
      // Texts may be private, so they are not repeated.
      const bool text = value.starts_with("'") || shown->second.starts_with("'");
      differ(field + (text ? " differs" : " is " + shown->second + ", but should be " + value));
    }
  }
  for (const auto& [field, value] : found) {
    if (!expected.contains(field)) differ(field + " is unexpected");
  }
  // Reads use this time instead of the one in the entry.
  const protocol::Value* until = entry.root.Find("mutedUntil");
  const auto end = until && until->as_text() ? protocol::ParseTime(*until->as_text()) : std::nullopt;
  if (stored.muted_until_ms != (end ? end->ms : 0)) differ("the end of its mute differs");
}

// Returns the current content of a head or a participant row, or nullopt.
std::optional<RawItem> InboxCheck::Item(const TenantId& tenant, const ThreadId& thread,
                                        const storage::SortKey& sort) {
  std::optional<storage::Row> row;
  if (!snapshot_.Get(threads::ThreadPartition(tenant, thread), sort, &row).ok() || !row) return std::nullopt;
  ThreadFacts facts;
  AddRow(sort.bytes(), row->payload, &facts);
  if (facts.items.empty()) return std::nullopt;
  return std::move(facts.items.begin()->second);
}

// Traces a row back to its thread and member. Whether its unread bit is right shows in the number of rows.
void InboxCheck::CheckRow(const TenantId& tenant, const UserId& user, const InboxKeyParts& key) {
  const auto head = Item(tenant, key.place.thread, threads::ThreadKey());
  auto member = Item(tenant, key.place.thread, threads::ParticipantKey(user));
  if (auto invited = head ? InvitedIn(*head, user.ToText()) : std::nullopt) member = std::move(invited);
  const auto fits = [&] {
    const uint16_t cell = CellButUnread(*head, *member);
    return std::any_of(std::begin(kOtherCells), std::end(kOtherCells),
                       [&](uint16_t without) { return (key.cell.bits & ~kUnreadBit) == (cell & ~without); });
  };
  const bool belongs = head && member && member->IsNull("removedAt") && !IsUnlisted(*head, *member) &&
                       PlaceOf(*head) == key.place.at && fits() &&
                       (key.kind == InboxRowKind::kEntry || key.label == member->HiddenText("label"));
  if (!belongs)
    differs_(tenant.value + ": inbox of " + user.value + ": an extra row for " + key.place.thread.ToText());
}

storage::Status InboxCheck::CheckRows(size_t* rows) {
  std::map<std::string, std::string> where;
  auto status = snapshot_.ScanAll(
      storage::TableTag::kInboxIndex,
      [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView row) {
        ++*rows;
        const TenantId tenant{protocol::KeyText::UpToNul(partition.tenant())};
        const UserId user{protocol::KeyText::UpToNul(UserOf(partition))};
        where[partition.bytes()] = tenant.value + ": inbox of " + user.value + ": ";
        InboxKeyParts key;
        if (!ParseInboxKey(sort.bytes(), &key)) {
          differs_(where[partition.bytes()] + "a key cannot be read");
        } else if (key.kind == InboxRowKind::kCounts) {
          if (!DecodeCounts(row.payload, &claimed_[partition.bytes()]))
            differs_(where[partition.bytes()] + "the counts cannot be read");
        } else {
          if (key.kind == InboxRowKind::kEntry) ++counted_[partition.bytes()][key.cell];
          if (pending_.contains({tenant, key.place.thread})) return true;
          Shown& found = found_[partition.bytes()];
          ++(key.kind == InboxRowKind::kEntry ? found.entries : found.labels);
          CheckRow(tenant, user, key);
        }
        return true;
      });
  if (!status.ok()) return status;
  for (const auto& [owner, name] : where) {
    const Shown expected = expected_[owner], found = found_[owner];
    if (found.entries > expected.entries) differs_(name + "more rows than threads");
    if (found.labels > expected.labels) differs_(name + "more label rows than labels");
    if (claimed_[owner] != counted_[owner]) differs_(name + "the counts differ from the rows");
  }
  return {};
}

storage::Status InboxCheck::CheckSeats() {
  return snapshot_.ScanAll(storage::TableTag::kPlacement, [&](const storage::PartitionKey& partition,
                                                              const storage::SortKey& sort,
                                                              storage::RowView) {
    UserId user;
    const auto ulid = protocol::Ulid::FromBytes(partition.id());
    const TenantId tenant{protocol::KeyText::UpToNul(partition.tenant())};
    if (!ulid || !ParseSeatKey(sort.bytes(), &user)) return true;  // another projection's
    if (pending_.contains({tenant, ThreadId{*ulid}})) return true;
    auto member = Item(tenant, ThreadId{*ulid}, threads::ParticipantKey(user));
    const auto head = Item(tenant, ThreadId{*ulid}, threads::ThreadKey());
    if (auto invited = head ? InvitedIn(*head, user.ToText()) : std::nullopt) member = std::move(invited);
    if (!member || !member->IsNull("removedAt") || (head && IsUnlisted(*head, *member)))
      differs_(tenant.value + ": inbox of " + user.value + ": an extra seat in " + ThreadId{*ulid}.ToText());
    return true;
  });
}

storage::Status InboxCheck::CheckWakes() {
  return snapshot_.ScanAll(storage::TableTag::kWake, [&](const storage::PartitionKey& partition,
                                                         const storage::SortKey& sort, storage::RowView) {
    const TenantId tenant{protocol::KeyText::UpToNul(partition.tenant())};
    Wake wake;
    if (!ParseWakeKey(sort.bytes(), &wake)) {
      differs_(tenant.value + ": a wake cannot be read");
      return true;
    }
    if (pending_.contains({tenant, wake.thread})) return true;
    const bool snooze = wake.kind == ClockTask::kSnooze || wake.kind == ClockTask::kMute;
    const auto item =
        Item(tenant, wake.thread, snooze ? threads::ParticipantKey(wake.user) : threads::ThreadKey());
    const bool asked = item && WokenAt(*item, wake.kind) == protocol::FormatTime(wake.at) &&
                       (!snooze || item->IsNull("removedAt"));
    if (!asked)
      differs_(tenant.value + ": an extra wake of " + wake.thread.ToText() + " at " +
               protocol::FormatTime(wake.at));
    return true;
  });
}

}  // namespace parley::fanout
