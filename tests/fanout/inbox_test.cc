// Tests the inbox: places and owners of entries, the cost of a page, and cursors.
#include "fanout/inbox_projection.h"

#include <numeric>

#include "tests/fanout/fanout_scene.h"
#include "tests/fanout/naive_index.h"

namespace parley::fanout {
namespace {

class InboxTest : public testing::Test {
 protected:
  void Later(std::string_view lines) { scene.RunLater(lines); }
  void TearDown() override { ExpectExactIndexes(*scene.core.table); }
  FanoutScene scene;
};

TEST_F(InboxTest, orders_threads_by_newest_message_or_by_creation_if_empty) {
  Later("buyer thread.create; buyer thread.create; buyer thread.create");
  EXPECT_EQ(scene.Inbox("buyer"), "T3:0 T2:0 T:0");
  Later("seller message.send body=x");
  EXPECT_EQ(scene.Inbox("buyer"), "T:1 T3:0 T2:0");
  EXPECT_EQ(scene.Inbox("seller"), "T:0 T3:0 T2:0") << "also for the author";
  Later("seller message.send body=y threadId=T2");
  EXPECT_EQ(scene.Inbox("buyer"), "T2:1 T:1 T3:0");
}

TEST_F(InboxTest, threads_of_one_millisecond_are_ordered_by_descending_id) {
  scene.Run("buyer thread.create; buyer thread.create; buyer thread.create");
  EXPECT_EQ(scene.Inbox("buyer"), "T3:0 T2:0 T:0");
  scene.Run(
      "seller message.send body=a threadId=T2; seller message.send body=b; seller message.send body=c "
      "threadId=T3");
  EXPECT_EQ(scene.Inbox("buyer"), "T3:1 T2:1 T:1");
}

TEST_F(InboxTest, edits_deletes_members_and_updates_do_not_move_an_entry) {
  Later(
      "buyer thread.create; seller message.send body=x; buyer thread.create; seller message.send body=y "
      "threadId=T2");
  Later(
      "seller message.edit messageId=M1 body=z; buyer participant.add userId=carol; buyer read.mark "
      "messageId=M1");
  Later(
      "buyer thread.update version=1 subject=S; seller message.delete messageId=M1; buyer inbox.set "
      "pinned=true");
  EXPECT_EQ(scene.Inbox("buyer"), "T2:1 T:0");
  EXPECT_EQ(scene.Read("buyer inbox.list", "entries.1.subject"), "S");
  EXPECT_EQ(scene.Inbox("carol"), "T:0");
}

TEST_F(InboxTest, a_removed_members_row_is_deleted_and_returns_with_them) {
  Later("buyer thread.create; buyer participant.add userId=carol; seller message.send body=x");
  EXPECT_EQ(scene.Inbox("carol"), "T:1");
  Later("buyer participant.remove userId=carol");
  EXPECT_EQ(scene.Inbox("carol"), "");
  Later("seller message.send body=y");
  EXPECT_EQ(scene.Inbox("carol"), "");
  Later("buyer participant.add userId=carol");
  EXPECT_EQ(scene.Inbox("carol"), "T:0");
}

TEST_F(InboxTest, membership_and_place_change_within_one_pass) {
  Later("buyer thread.create; buyer participant.add userId=carol; carol inbox.set archived=true");
  scene.core.clock.Advance(5);
  scene.Do(
      "seller message.send body=x; buyer participant.remove userId=carol; buyer participant.remove "
      "userId=seller");
  scene.Do(
      "buyer participant.add userId=dan; buyer message.send body=y; buyer participant.add userId=seller");
  scene.Settle();
  EXPECT_EQ(scene.Inbox("carol") + scene.Inbox("carol", "folder=archived"), "");
  EXPECT_EQ(scene.Inbox("dan"), "T:1");
  EXPECT_EQ(scene.Inbox("seller"), "T:0");
}

// Regression: the rows that a pass reads may be ahead of its log entries. If the rows showed a removal whose
// log entry came in the next pass, a row remained that no later pass deleted.
TEST(InboxRegression, a_removal_read_before_its_log_entry_leaves_no_row) {
  WorkerSettings settings;
  settings.pass_entries = 1;
  FanoutScene scene(settings);
  scene.Run("buyer thread.create; buyer participant.add userId=carol");
  scene.core.clock.Advance(1000);
  scene.Do("seller message.send body=x; buyer participant.remove userId=carol");
  scene.worker->Step();
  scene.worker->Step();
  EXPECT_EQ(scene.Inbox("carol"), "");
  ExpectExactIndexes(*scene.core.table);
}

TEST(InboxRegression, an_unarchiving_read_before_its_log_entry_leaves_no_row) {
  WorkerSettings settings;
  settings.pass_entries = 1;
  FanoutScene scene(settings);
  scene.Run("buyer thread.create; seller message.send body=x; buyer inbox.set archived=true");
  scene.core.clock.Advance(1000);
  // Archived after the new message, then restored: the first pass has only the message's log entry.
  scene.Do("seller message.send body=y; buyer inbox.set archived=true; buyer inbox.set archived=false");
  scene.Settle();
  EXPECT_EQ(scene.Inbox("buyer"), "T:2");
  EXPECT_EQ(scene.Inbox("buyer", "folder=archived"), "");
  ExpectExactIndexes(*scene.core.table);
}

TEST_F(InboxTest, folders_and_kinds_partition_the_entries) {
  Later("buyer thread.create; buyer thread.create; buyer thread.create kind=project; buyer thread.create");
  Later(
      "seller message.send body=x; seller message.send body=y threadId=T3; buyer inbox.set pinned=true "
      "threadId=T2");
  Later("buyer inbox.set archived=true threadId=T4; buyer inbox.set pinned=true threadId=T4");
  EXPECT_EQ(scene.Inbox("buyer"), "T3:1 T:1 T2:0");
  EXPECT_EQ(scene.Inbox("buyer", "folder=unread"), "T3:1 T:1");
  EXPECT_EQ(scene.Inbox("buyer", "folder=pinned"), "T2:0");
  EXPECT_EQ(scene.Inbox("buyer", "folder=archived"), "T4:0");
  EXPECT_EQ(scene.Inbox("buyer", "folder=requests"), "");
  EXPECT_EQ(scene.Inbox("buyer", "folder=action"), "");
  EXPECT_EQ(scene.Inbox("buyer", "kind=project"), "T3:1");
  EXPECT_EQ(scene.Inbox("buyer", "kind=inquiry folder=unread"), "T:1");
  EXPECT_EQ(scene.Inbox("seller"), "T3:0 T:0 T4:0 T2:0") << "flags are private";
  EXPECT_EQ(scene.Read("service inbox.list", ""), "FORBIDDEN");
  EXPECT_EQ(scene.Inbox("buyer@acme"), "");
}

TEST_F(InboxTest, an_archived_entry_changes_its_box_and_returns_at_the_next_message) {
  Later("buyer thread.create; seller message.send body=x; buyer inbox.set archived=true");
  EXPECT_EQ(scene.Inbox("buyer") + "|" + scene.Inbox("buyer", "folder=archived"), "|T:1");
  Later("seller message.edit messageId=M1 body=z; buyer read.mark messageId=M1");
  EXPECT_EQ(scene.Inbox("buyer") + "|" + scene.Inbox("buyer", "folder=archived"), "|T:0");
  Later("seller message.send body=y");
  EXPECT_EQ(scene.Inbox("buyer") + "|" + scene.Inbox("buyer", "folder=archived"), "T:1|");
  Later("buyer inbox.set archived=true; buyer inbox.set archived=false");
  EXPECT_EQ(scene.Inbox("buyer") + "|" + scene.Inbox("buyer", "folder=archived"), "T:1|");
}

TEST(InboxMute, an_expired_mute_is_omitted_without_writing_a_row) {
  FanoutScene scene;
  scene.Run("buyer thread.create; buyer participant.mute muted=true until=2025-11-05T15:00:00.000Z");
  scene.Run("seller message.send body=x");
  const auto muted = [&] {
    return scene.Read("buyer inbox.list", "entries.0.muted") + " " +
           scene.Read("buyer inbox.list", "entries.0.mutedUntil");
  };
  const std::string rows = scene.core.Dump(storage::TableTag::kInboxIndex);
  scene.core.clock.Advance(3'600'000 - 1);
  EXPECT_EQ(muted(), "true 2025-11-05T15:00:00.000Z");
  scene.core.clock.Advance(1);
  EXPECT_EQ(muted(), "false null");
  EXPECT_EQ(scene.Inbox("buyer"), "T:1") << "an archived thread still counts unread messages";
  EXPECT_EQ(scene.Read("buyer thread.get", "me.muted"), "false");
  EXPECT_EQ(scene.core.Dump(storage::TableTag::kInboxIndex), rows);
}

TEST_F(InboxTest, explain_agrees_with_the_entry) {
  Later(
      "buyer thread.create; seller message.send body=a; seller message.send body=b; buyer message.send "
      "body=c");
  Later("seller message.send body=d; seller message.send body=e; seller message.delete messageId=M4");
  Later("buyer participant.add userId=carol; seller message.send body=f; carol read.mark messageId=M5");
  EXPECT_EQ(scene.Inbox("buyer"), "T:2");
  const auto explain = [&](const std::string& user) {
    std::string out;
    for (const char* path : {"unread", "asOfSeq", "readNo", "lastMsgNo", "excluded.own", "excluded.deleted",
                             "excluded.readBySending"})
      out += scene.Read(user + " inbox.explain", path) + " ";
    return out;
  };
  EXPECT_EQ(explain("buyer"), "2 11 3 6 1 1 2 ");
  EXPECT_EQ(explain("carol"), "1 11 5 6 0 0 0 ");
  EXPECT_EQ(explain("seller"), "0 11 6 6 5 0 1 ");
  EXPECT_EQ(scene.Read("dan inbox.explain", ""), "THREAD_NOT_MEMBER");
}

// The read cursor is at message 1 and the last own message is 1502, long before the messages examined.
TEST_F(InboxTest, explain_reads_a_bounded_number_of_messages_and_still_adds_up) {
  Later("buyer thread.create; seller message.send body=first; buyer read.mark messageId=M1");
  const auto reads = [&] {
    scene.core.table->TakeRowsRead();
    std::vector<int64_t> parts;
    for (const char* path : {"unread", "excluded.own", "excluded.deleted", "excluded.readBySending"})
      parts.push_back(std::stoll(scene.Read("buyer inbox.explain", path)));
    EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), int64_t{0}),
              std::stoll(scene.Read("buyer inbox.explain", "lastMsgNo")) - 1);
    return scene.core.table->TakeRowsRead() / 5;
  };
  const auto send = [&](const std::string& line, int count) {
    for (int i = 0; i < count; ++i) scene.core.Submit(line + std::to_string(i));
    scene.core.Step();
  };
  send("seller message.send body=s", 1500);
  EXPECT_LE(reads(), 3u) << "all messages are unread, so none is read";
  send("buyer message.send body=mine", 1);
  send("seller message.send body=t", 800);
  scene.Do("seller message.delete messageId=M1800; seller message.delete messageId=M700");
  EXPECT_LE(reads(), 1010u);
  EXPECT_EQ(scene.Read("buyer inbox.explain", "partial"), "true");
  EXPECT_EQ(scene.Read("buyer inbox.explain", "excluded.own"), "1");
  EXPECT_EQ(scene.Read("buyer inbox.explain", "excluded.deleted"), "2");
  scene.Settle();
}

// --- pages

class InboxPages : public testing::Test {
 protected:
  void Create(int threads) {
    for (int i = 0; i < threads; ++i) {
      scene.core.clock.Advance(1);
      scene.core.Submit("buyer thread.create role=r" + std::to_string(created_++));
      if (i % 500 == 0) scene.core.Step();
    }
    scene.Settle();
  }
  // Returns all pages from the first on; runs `between` after each.
  std::vector<std::string> Walk(
      const std::string& more, const std::function<void()>& between = [] {}) {
    std::vector<std::string> out;
    std::string cursor;
    do {
      const std::string line =
          "buyer inbox.list " + more + (cursor.empty() ? "" : " cursor='" + cursor + "'");
      for (const std::string& id : threads::SplitText(scene.Read(line, "entries.*.threadId"), ' '))
        out.push_back(id);
      cursor = scene.Read(line, "cursor");
      between();
    } while (cursor != "null");
    return out;
  }
  FanoutScene scene;
  int created_ = 0;
};

TEST_F(InboxPages, a_page_of_an_inbox_with_ten_thousand_threads_reads_about_as_many_rows_as_it_shows) {
  Create(10'000);
  const auto cursor_of = [&](const std::string& line) {
    scene.core.table->TakeRowsRead();
    std::string cursor = scene.Read(line, "cursor");
    const size_t read = scene.core.table->TakeRowsRead();
    EXPECT_GE(read, 25u) << line;
    EXPECT_LE(read, 27u) << line;
    EXPECT_EQ(scene.Read(line, "entries"), "25 items") << line;
    return cursor;
  };
  std::string cursor = cursor_of("buyer inbox.list");
  for (int page = 0; page < 5; ++page) cursor = cursor_of("buyer inbox.list cursor='" + cursor + "'");
  cursor_of("seller inbox.list kind=inquiry");
}

TEST_F(InboxPages, paging_returns_every_entry_once_in_order) {
  Create(60);
  for (const char* limit : {"limit=1", "limit=7", "limit=20", "limit=60", "limit=200"}) {
    const auto all = Walk(limit);
    ASSERT_EQ(all.size(), 60u) << limit;
    for (size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(all[i], i == 59 ? "T" : "T" + std::to_string(60 - i)) << limit;
  }
}

TEST_F(InboxPages, an_entry_that_does_not_move_while_paging_is_returned_once) {
  Create(40);
  int round = 0;
  const auto all = Walk("limit=5", [&] {
    scene.core.clock.Advance(1000);
    // A thread further down moves up, and so does one that was returned already.
    scene.Run("seller message.send body=x" + std::to_string(round) + " threadId=T" +
              std::to_string(2 + round));
    scene.Run("seller message.send body=y" + std::to_string(round) + " threadId=T40");
    ++round;
  });
  std::map<std::string, int> given;
  for (const std::string& thread : all) ++given[thread];
  for (int i = 10; i < 40; ++i) EXPECT_EQ(given["T" + std::to_string(i)], 1) << i;
  for (const auto& [thread, times] : given) EXPECT_EQ(times, 1) << thread;
}

TEST_F(InboxPages, a_cursor_is_valid_only_for_its_caller_and_its_query) {
  Create(5);
  const std::string cursor = scene.Read("buyer inbox.list limit=2", "cursor");
  const auto with = [&](const std::string& line) {
    return scene.Read(line + " cursor='" + cursor + "'", "cursor");
  };
  EXPECT_NE(with("buyer inbox.list limit=1"), "BAD_REQUEST cursor") << "the limit may change";
  EXPECT_EQ(with("seller inbox.list limit=2"), "BAD_REQUEST cursor");
  EXPECT_EQ(with("buyer@acme inbox.list limit=2"), "BAD_REQUEST cursor");
  EXPECT_EQ(with("buyer inbox.list limit=2 folder=unread"), "BAD_REQUEST cursor");
  EXPECT_EQ(with("buyer inbox.list limit=2 kind=inquiry"), "BAD_REQUEST cursor");
  EXPECT_EQ(with("buyer thread.byProject legId=G1"), "BAD_REQUEST cursor");
  EXPECT_EQ(with("buyer participant.list"), "BAD_REQUEST cursor");
  EXPECT_EQ(scene.Read("buyer inbox.list cursor=x", ""), "BAD_REQUEST cursor");
  EXPECT_EQ(scene.Read("buyer inbox.list limit=0", ""), "BAD_REQUEST limit");
  EXPECT_EQ(scene.Read("buyer inbox.list limit=201", ""), "BAD_REQUEST limit");
}

// --- rows

TEST(InboxRowCodec, reads_the_needed_fields_without_decoding_the_entry) {
  protocol::Entry entry;
  entry.muted_until = protocol::Time{1'700'000'000'000};
  const std::string bytes = EncodeInboxRow(entry);
  InboxRow row;
  ASSERT_TRUE(DecodeInboxRow(bytes, &row));
  EXPECT_EQ(row.muted_until_ms, 1'700'000'000'000);
  EXPECT_EQ(row.entry, protocol::Encode(entry));
  for (size_t size = 0; size < 7; ++size) EXPECT_FALSE(DecodeInboxRow(bytes.substr(0, size), &row)) << size;
}

}  // namespace
}  // namespace parley::fanout
