#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "fanout/inbox_projection.h"
#include "fanout/keys.h"
#include "tests/fanout/naive_index.h"
#include "tests/threads/op_text.h"
#include "threads/model/message_row.h"
#include "threads/model/rows.h"

namespace parley::fanout {
namespace {

const std::set<std::string> kProposals = {"RESCHEDULE", "REQUEST_EXTRA", "EXPENSE", "OVERTIME_START"};

struct WholeThread {
  std::string tenant;
  threads::ThreadRow head;
  std::vector<threads::ParticipantRow> people;
  std::vector<threads::MessageRow> messages;
};

std::vector<WholeThread> ReadThreads(const storage::Reader& reader) {
  std::map<std::string, WholeThread> found;
  const auto status = reader.ScanAll(
      storage::TableTag::kThreads,
      [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView row) {
        WholeThread& thread = found[partition.bytes()];
        thread.tenant = partition.tenant();
        switch (static_cast<storage::ThreadTag>(sort.bytes()[0])) {
          case storage::ThreadTag::kThread:
            EXPECT_TRUE(DecodeItem(row.payload, &thread.head));
            break;
          case storage::ThreadTag::kParticipant:
            EXPECT_TRUE(DecodeItem(row.payload, &thread.people.emplace_back()));
            break;
          case storage::ThreadTag::kMessage:
            EXPECT_TRUE(DecodeItem(row.payload, &thread.messages.emplace_back()));
            break;
          default:
            break;
        }
        return true;
      });
  EXPECT_TRUE(status.ok());
  std::vector<WholeThread> out;
  for (auto& [key, thread] : found) out.push_back(std::move(thread));
  return out;
}

int64_t ReadUpTo(const WholeThread& thread, const threads::ParticipantRow& me) {
  int64_t base = me.hidden.join_no;
  for (const auto& message : thread.messages) {
    const bool own =
        message.item.author_user_id == me.item.user_id && message.item.msg_no > me.hidden.join_no;
    const bool read = me.item.last_read_msg_id && message.item.message_id <= *me.item.last_read_msg_id;
    if (own || read) base = std::max(base, message.item.msg_no);
  }
  return base;
}

int64_t CountUnread(const WholeThread& thread, const threads::ParticipantRow& me) {
  const int64_t base = ReadUpTo(thread, me);
  int64_t unread = 0;
  for (const auto& message : thread.messages)
    unread += message.item.msg_no > base && !message.item.deleted_at;
  return unread;
}

std::string EntryText(const protocol::Entry& entry) {
  std::string out = entry.thread_id.ToText() + " " + std::string(protocol::NameOf(entry.kind));
  out += " seq=" + std::to_string(entry.last_seq) + " unread=" + std::to_string(entry.unread);
  if (entry.last_message_at) out += " at=" + protocol::FormatTime(*entry.last_message_at);
  if (entry.last_message)
    out += " last=" + entry.last_message->message_id.ToText() + "'" + entry.last_message->preview + "'";
  if (entry.pinned) out += " pinned";
  if (entry.archived) out += " archived";
  if (entry.spam.value) out += " spam";
  if (entry.subtype.value) out += " " + std::string(protocol::NameOf(*entry.subtype.value));
  if (entry.muted) out += " muted";
  if (entry.label) out += " label=" + entry.label->text();
  if (entry.snoozed_until) out += " snoozed until " + protocol::FormatTime(*entry.snoozed_until);
  if (const auto& event = entry.snoozed_until_event.value)
    out += " snoozed until " + std::string(protocol::NameOf(*event));
  if (entry.status != protocol::ThreadStatus::kOpen) out += " " + std::string(protocol::NameOf(entry.status));
  if (entry.subject) out += " subject=" + *entry.subject;
  out += " made=" + (entry.created_at ? protocol::FormatTime(*entry.created_at) : "?");
  out += " read=" + std::to_string(entry.read_no.value_or(-1));
  if (entry.safe_mode_required.value_or(true)) out += " safe";
  return out;
}

// Returns true if the member's snooze has not ended yet.
bool Snoozed(const WholeThread& thread, const threads::ParticipantRow& me) {
  const auto& event = me.hidden.snoozed_for.value;
  if (!me.hidden.snoozed_until.value && !event) return false;
  const auto& head = thread.head.hidden;
  if (event == protocol::SnoozeEvent::kCard)
    return !head.card_seq.value || *head.card_seq.value <= *me.hidden.snoozed_at_seq.value;
  if (event == protocol::SnoozeEvent::kStatus)
    return !head.status_seq.value || *head.status_seq.value <= *me.hidden.snoozed_at_seq.value;
  return *me.hidden.snoozed_at_no.value >= static_cast<int64_t>(thread.messages.size());
}

protocol::Entry NaiveEntry(const WholeThread& thread, const threads::ParticipantRow& me) {
  protocol::Entry entry;
  entry.thread_id = thread.head.item.thread_id;
  entry.kind = thread.head.item.kind;
  entry.subject = thread.head.item.subject;
  entry.last_seq = thread.head.item.last_seq;
  entry.unread = CountUnread(thread, me);
  if (!thread.messages.empty()) {
    const protocol::Message& last = thread.messages.back().item;
    entry.last_message_at = last.created_at;
    entry.last_message =
        protocol::LastMessage{last.message_id, last.author_user_id, last.type, last.body,
                              last.created_at};  // bodies without markdown are their own preview
  }
  entry.pinned = me.hidden.pinned;
  entry.spam = me.hidden.spam;
  entry.subtype = thread.head.item.subtype;
  entry.muted = me.hidden.muted;
  entry.label = me.hidden.label;
  entry.created_at = thread.head.item.created_at;
  entry.safe_mode_required = thread.head.item.safe_mode_required;
  entry.read_no = ReadUpTo(thread, me);
  entry.status = thread.head.item.status;
  if (const auto& cards = thread.head.hidden.open_cards.value)
    entry.open_cards = static_cast<int64_t>(cards->items.size());
  if (Snoozed(thread, me)) {
    entry.snoozed_until = me.hidden.snoozed_until.value;
    entry.snoozed_until_event = me.hidden.snoozed_for;
  }
  entry.archived =
      me.hidden.archived_at_no && *me.hidden.archived_at_no >= static_cast<int64_t>(thread.messages.size());
  return entry;
}

// Returns a letter for each bit: U unread, P pinned, J project, A archived, S snoozed, K cards, L locked, C
// closed by staff, O an offer, D a dispute, X spam, I an invite, G a direct thread or (with J) a group, M
// muted, F a thread in Safe-Mode. Returns "-" if no bit is set.
std::string CellText(Cell cell) {
  constexpr std::pair<CellBit, char> kLetters[] = {
      {kUnreadBit, 'U'}, {kPinnedBit, 'P'}, {kProjectBit, 'J'}, {kArchivedBit, 'A'}, {kSnoozedBit, 'S'},
      {kActionBit, 'K'}, {kLockedBit, 'L'}, {kClosedBit, 'C'},  {kOfferBit, 'O'},    {kDisputeBit, 'D'},
      {kSpamBit, 'X'},   {kInviteBit, 'I'}, {kPeersBit, 'G'},   {kMutedBit, 'M'},    {kSafeModeBit, 'F'}};
  std::string out;
  for (const auto& [bit, letter] : kLetters) {
    if (cell.bits & bit) out += letter;
    cell.bits = static_cast<uint16_t>(cell.bits & ~bit);
  }
  EXPECT_EQ(cell.bits, 0);
  return out.empty() ? "-" : out;
}

std::string NaiveCellText(const protocol::Entry& entry, const threads::ThreadRow& head) {
  std::string out;
  if (entry.unread > 0) out += 'U';
  if (entry.pinned) out += 'P';
  const bool group = entry.kind == protocol::ThreadKind::kGroup;
  if (entry.kind == protocol::ThreadKind::kProject || group) out += 'J';
  if (entry.archived) out += 'A';
  if (entry.snoozed_until || entry.snoozed_until_event.value) out += 'S';
  bool offer = false, dispute = false;
  if (const auto& cards = head.hidden.open_cards.value) {
    for (const threads::OpenCard& card : cards->items) {
      offer |= kProposals.contains(card.type.value);
      dispute |= card.type.value == "DISPUTE_OPEN";
    }
  }
  if (entry.open_cards > 0) out += 'K';
  if (entry.status == protocol::ThreadStatus::kLocked) out += 'L';
  if (entry.status == protocol::ThreadStatus::kArchived) out += 'C';
  if (offer) out += 'O';
  if (dispute) out += 'D';
  if (entry.spam.value) out += 'X';
  if (entry.subtype.value) out += 'I';
  if (group || entry.kind == protocol::ThreadKind::kDirect) out += 'G';
  if (entry.muted) out += 'M';
  if (head.item.safe_mode_required) out += 'F';
  return out.empty() ? "-" : out;
}

}  // namespace

std::set<std::string> ExpectedInboxRows(const storage::Reader& reader) {
  std::set<std::string> out;
  std::map<std::string, std::map<std::string, int>> counts;
  for (const WholeThread& thread : ReadThreads(reader)) {
    for (const threads::ParticipantRow& me : thread.people) {
      if (me.item.removed_at) continue;
      const protocol::Entry entry = NaiveEntry(thread, me);
      const protocol::Time place = entry.last_message_at.value_or(thread.head.item.created_at);
      const std::string owner = thread.tenant + "/" + me.item.user_id.value,
                        cell = NaiveCellText(entry, thread.head);
      const std::string row = cell + " " + protocol::FormatTime(place) + " " + EntryText(entry);
      out.insert(owner + " " + row);
      if (entry.label) out.insert(owner + " under " + entry.label->text() + " " + row);
      ++counts[owner][cell];
    }
  }
  for (const auto& [owner, cells] : counts) {
    for (const auto& [cell, count] : cells)
      out.insert(owner + " counts " + cell + "=" + std::to_string(count));
  }
  return out;
}

std::set<std::string> StoredInboxRows(const storage::Reader& reader) {
  std::set<std::string> out;
  const auto status = reader.ScanAll(
      storage::TableTag::kInboxIndex,
      [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView stored) {
        const std::string user(partition.id().substr(0, partition.id().size() - 1));
        const std::string owner = std::string(partition.tenant()) + "/" + user;
        InboxKeyParts key;
        EXPECT_TRUE(ParseInboxKey(sort.bytes(), &key));
        if (key.kind == InboxRowKind::kCounts) {
          CellCounts counts;
          EXPECT_TRUE(DecodeCounts(stored.payload, &counts));
          for (const auto& [cell, count] : counts)
            out.insert(owner + " counts " + CellText(cell) + "=" + std::to_string(count));
          return true;
        }
        InboxRow row;
        EXPECT_TRUE(DecodeInboxRow(stored.payload, &row));
        const auto entry = threads::ItemFrom<protocol::Entry>(row.entry);
        EXPECT_EQ(entry.thread_id, key.place.thread);
        out.insert(owner + (key.kind == InboxRowKind::kLabel ? " under " + key.label + " " : " ") +
                   CellText(key.cell) + " " + protocol::FormatTime(key.place.at) + " " + EntryText(entry));
        return true;
      });
  EXPECT_TRUE(status.ok());
  return out;
}

std::set<std::string> ExpectedProjectRows(const storage::Reader& reader) {
  std::set<std::string> out;
  for (const WholeThread& thread : ReadThreads(reader)) {
    const protocol::Thread& head = thread.head.item;
    const std::string where = " " + protocol::FormatTime(head.created_at) + " " + head.thread_id.ToText();
    if (head.lbg_id) out.insert(thread.tenant + " lbg:" + head.lbg_id->value + where);
    if (head.leg_id) out.insert(thread.tenant + " leg:" + head.leg_id->value + where);
  }
  return out;
}

std::set<std::string> StoredProjectRows(const storage::Reader& reader) {
  std::set<std::string> out;
  const auto status = reader.ScanAll(
      storage::TableTag::kProjectIndex,
      [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView) {
        protocol::Time created_at;
        ThreadId thread;
        EXPECT_TRUE(ParseProjectKey(sort.bytes(), &created_at, &thread));
        const std::string_view id = partition.id();
        const bool lbg = id[0] == static_cast<char>(storage::ProjectTag::kLbg);
        out.insert(std::string(partition.tenant()) + (lbg ? " lbg:" : " leg:") +
                   std::string(id.substr(1, id.size() - 2)) + " " + protocol::FormatTime(created_at) + " " +
                   thread.ToText());
        return true;
      });
  EXPECT_TRUE(status.ok());
  return out;
}

namespace {
void ExpectSameRows(const std::set<std::string>& stored, const std::set<std::string>& expected) {
  for (const std::string& row : stored) EXPECT_TRUE(expected.contains(row)) << "an extra row: " << row;
  for (const std::string& row : expected) EXPECT_TRUE(stored.contains(row)) << "missing: " << row;
}
}  // namespace

void ExpectExactIndexes(const storage::Reader& reader) {
  ExpectSameRows(StoredInboxRows(reader), ExpectedInboxRows(reader));
  ExpectSameRows(StoredProjectRows(reader), ExpectedProjectRows(reader));
}

}  // namespace parley::fanout
