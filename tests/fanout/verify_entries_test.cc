// Tests verify's reports on reused keys and on the content of inbox rows.
#include <gmock/gmock.h>

#include "fanout/inbox_rows.h"
#include "fanout/keys.h"
#include "tests/fanout/verify_scene.h"

namespace parley::fanout {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class VerifyEntries : public VerifyScene {
 protected:
  void Given(std::string_view lines) { ASSERT_EQ(scene.Run(lines), "ok"); }
  std::vector<std::string> Verify() { return VerifyAll(); }

  // Changes the seller's row as no command could.
  void Plant(const std::function<void(protocol::Entry&)>& change) {
    const auto inbox = InboxPartition(kTenant, {"seller"});
    std::vector<std::pair<storage::SortKey, std::string>> rows;
    const auto found = [&](const storage::PartitionKey& partition, const storage::SortKey& sort,
                           storage::RowView row) {
      if (partition == inbox && sort != InboxCountsKey()) rows.emplace_back(sort, row.payload);
      return true;
    };
    ASSERT_TRUE(scene.core.table->ScanAll(storage::TableTag::kInboxIndex, found).ok());
    ASSERT_EQ(rows.size(), 1u);
    InboxRow row;
    protocol::Entry entry;
    ASSERT_TRUE(DecodeInboxRow(rows[0].second, &row) && threads::DecodeStored(row.entry, &entry));
    change(entry);
    VerifyScene::Plant(inbox, rows[0].first, EncodeInboxRow(entry));
  }
};

TEST_F(VerifyEntries, finds_the_preview_of_a_deleted_text) {
  Given("buyer thread.create; buyer message.send body='what was *said*'");
  protocol::LastMessage before;
  Plant([&](protocol::Entry& entry) { before = *entry.last_message; });
  EXPECT_THAT(Verify(), IsEmpty());
  Given("buyer message.delete messageId=M1");
  EXPECT_THAT(Verify(), IsEmpty());
  Plant([&](protocol::Entry& entry) { entry.last_message = before; });
  EXPECT_THAT(Verify(), Contains(HasSubstr("inbox of seller: lastMessage.preview differs")));
  EXPECT_THAT(Verify(), Not(Contains(HasSubstr("said")))) << "the text is not repeated";
}

// Covers each field of an entry; verify reports a new one as unexpected.
TEST_F(VerifyEntries, finds_any_field_that_differs_from_the_rows) {
  using protocol::Entry;
  Given("buyer thread.create subject=S; buyer message.send body=x; seller participant.mute muted=true");
  const struct {
    const char* field;
    std::function<void(Entry&)> change;
  } faults[] = {
      {"subject", [](Entry& e) { e.subject = "T"; }},
      {"kind", [](Entry& e) { e.kind = protocol::ThreadKind::kProject; }},
      {"status", [](Entry& e) { e.status = protocol::ThreadStatus::kLocked; }},
      {"lastMessageAt", [](Entry& e) { e.last_message_at->ms += 1; }},
      {"lastSeq", [](Entry& e) { e.last_seq += 1; }},
      {"unread", [](Entry& e) { e.unread += 1; }},
      {"openCards", [](Entry& e) { e.open_cards += 1; }},
      {"lastMessage.messageId", [](Entry& e) { e.last_message->message_id.ulid = e.thread_id.ulid; }},
      {"lastMessage.authorUserId", [](Entry& e) { e.last_message->author_user_id.reset(); }},
      {"lastMessage.type", [](Entry& e) { e.last_message->type = protocol::MessageType::kAsset; }},
      {"lastMessage.createdAt", [](Entry& e) { e.last_message->created_at.ms += 1; }},
      {"lastMessage.preview", [](Entry& e) { e.last_message.reset(); }},
      {"pinned", [](Entry& e) { e.pinned = true; }},
      {"archived", [](Entry& e) { e.archived = true; }},
      {"subtype", [](Entry& e) { e.subtype.value = protocol::ThreadSubtype::kInvite; }},
      {"spam", [](Entry& e) { e.spam.value = true; }},
      {"label", [](Entry& e) { e.label = "L"; }},
      {"snoozedUntil", [](Entry& e) { e.snoozed_until = protocol::Time{1}; }},
      {"muted", [](Entry& e) { e.muted = false; }},
      {"mutedUntil", [](Entry& e) { e.muted_until = protocol::Time{1}; }},
      {"request", [](Entry& e) { e.request.emplace().from_user_id = protocol::UserId{"usr_stranger"}; }},
  };
  for (const auto& fault : faults) {
    Entry sound;
    Plant([&](Entry& entry) { sound = entry; });
    ASSERT_THAT(Verify(), IsEmpty()) << fault.field;
    Plant(fault.change);
    EXPECT_THAT(Verify(), Contains(HasSubstr(std::string("inbox of seller: ") + fault.field + " ")));
    Plant([&](Entry& entry) { entry = sound; });
  }
}

TEST_F(VerifyEntries, accepts_a_mute_that_has_expired_since) {
  Given("buyer thread.create; seller participant.mute muted=true until=2025-11-05T15:00:00.000Z");
  EXPECT_THAT(Verify(), IsEmpty());
  scene.core.clock.Advance(int64_t{2} * 3600 * 1000);
  EXPECT_THAT(Verify(), IsEmpty());
  Given("buyer message.send body=x");
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(VerifyEntries, accepts_a_key_reused_after_it_expired) {
  Given("buyer thread.create clientId=c firstMessage=hi; buyer message.send clientId=c body=x");
  scene.core.clock.Advance(int64_t{48} * 3600 * 1000);
  Given("buyer message.send clientId=c body=x");
  EXPECT_THAT(Verify(), IsEmpty());
}

}  // namespace
}  // namespace parley::fanout
