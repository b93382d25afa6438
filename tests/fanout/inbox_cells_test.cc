// Tests folders, filters and orders of the inbox: each stays exact after any change and reads about the rows
// that it shows, and a message moves one entry of each member.
#include "fanout/cell_merge.h"
#include "fanout/inbox_projection.h"
#include "fanout/index_reads.h"
#include "fanout/verify/verify.h"
#include "tests/fanout/fanout_scene.h"
#include "tests/fanout/naive_index.h"

namespace parley::fanout {
namespace {

class InboxCells : public testing::Test {
 protected:
  void Later(std::string_view lines) { scene.RunLater(lines); }
  // Returns the threads and unread threads of the non-empty folders as "all=3/1 unread=1/1".
  std::string Counts(const std::string& user) {
    const storage::Snapshot snapshot = scene.core.table->NewSnapshot();
    const threads::CursorCodec cursors("secret");
    const Caller caller = threads::CallerFrom(user);
    const threads::ReadContext context{*snapshot, caller, cursors, scene.core.clock.Now()};
    const auto reply = CountFolders(context, (1u << protocol::kFolderCount) - 1);
    EXPECT_TRUE(reply.ok());
    std::string out;
    for (const protocol::FolderCount& one : reply->folders.items) {
      if (one.threads == 0) continue;
      out += (out.empty() ? "" : " ") + std::string(protocol::NameOf(one.folder)) + "=" +
             std::to_string(one.threads) + "/" + std::to_string(one.unread);
    }
    return out;
  }
  void TearDown() override { ExpectExactIndexes(*scene.core.table); }
  FanoutScene scene;
};

TEST_F(InboxCells, folders_partition_each_users_entries) {
  Later("buyer thread.create; buyer thread.create kind=project; buyer thread.create; buyer thread.create");
  Later("seller message.send body=x; seller message.send body=y threadId=T2");
  Later("buyer inbox.set pinned=true threadId=T2; buyer inbox.set archived=true threadId=T3");
  Later("buyer inbox.set snoozedUntil=2030-01-01T00:00:00.000Z threadId=T4");
  EXPECT_EQ(scene.Inbox("buyer"), "T2:1 T:1");
  EXPECT_EQ(scene.Inbox("buyer", "folder=unread"), "T2:1 T:1");
  EXPECT_EQ(scene.Inbox("buyer", "folder=pinned"), "T2:1");
  EXPECT_EQ(scene.Inbox("buyer", "folder=starred"), "T2:1");
  EXPECT_EQ(scene.Inbox("buyer", "folder=archived"), "T3:0");
  EXPECT_EQ(scene.Inbox("buyer", "folder=snoozed"), "T4:0");
  EXPECT_EQ(scene.Inbox("buyer", "folder=inquiries"), "T:1");
  EXPECT_EQ(scene.Inbox("buyer", "folder=bookings"), "T2:1");
  for (const char* empty : {"requests", "action", "offers", "disputes", "spam"})
    EXPECT_EQ(scene.Inbox("buyer", std::string("folder=") + empty), "") << empty;
  EXPECT_EQ(scene.Inbox("seller"), "T2:0 T:0 T4:0 T3:0") << "flags are private";
  EXPECT_EQ(Counts("buyer"),
            "all=2/2 unread=2/2 pinned=1/1 archived=1/0 snoozed=1/0 starred=1/1 inquiries=1/1 bookings=1/1");
  EXPECT_EQ(Counts("seller"), "all=4/0 inquiries=3/0 bookings=1/0");
  EXPECT_EQ(Counts("eve"), "");
}

TEST_F(InboxCells, invites_are_separate_from_inquiries_until_they_are_bookings) {
  Later("buyer thread.create subtype=invite; buyer thread.create subtype=invite; buyer thread.create");
  EXPECT_EQ(scene.Inbox("seller", "folder=invites") + "|" + scene.Inbox("seller", "folder=inquiries"),
            "T2:0 T:0|T3:0");
  Later("service thread.promote lbgId=lbg_1 eventId=e1");
  EXPECT_EQ(scene.Inbox("seller", "folder=invites") + "|" + scene.Inbox("seller", "folder=bookings"),
            "T2:0|T:1");
  EXPECT_EQ(Counts("seller"), "all=3/1 unread=1/1 inquiries=1/0 invites=1/0 bookings=1/1");
  EXPECT_EQ(scene.Do("buyer thread.create kind=project subtype=invite"), "BAD_REQUEST subtype");
}

TEST_F(InboxCells, spam_is_in_no_other_folder_until_its_owner_unmarks_it) {
  Later("buyer thread.create; buyer thread.create kind=project");
  Later("seller inbox.set spam=true; seller inbox.set archived=true label=L threadId=T2");
  Later("seller inbox.set spam=true threadId=T2; buyer message.send body=x");
  EXPECT_EQ(scene.Inbox("seller", "folder=spam"), "T:1 T2:0") << "a message does not bring it back";
  for (const char* other : {"all", "unread", "archived", "inquiries", "bookings"})
    EXPECT_EQ(scene.Inbox("seller", std::string("folder=") + other), "") << other;
  EXPECT_EQ(scene.Inbox("buyer"), "T:0 T2:0") << "other inboxes do not change";
  EXPECT_EQ(Counts("seller"), "spam=2/1");
  EXPECT_EQ(scene.Read("seller inbox.list folder=spam", "entries.0.spam"), "true");
  Later("seller inbox.set spam=false; seller inbox.set spam=false threadId=T2");
  EXPECT_EQ(scene.Inbox("seller") + "|" + scene.Inbox("seller", "folder=archived"), "T:1|T2:0");
}

TEST_F(InboxCells, filters_narrow_any_folder) {
  Later(
      "buyer thread.create; buyer thread.create kind=project; buyer thread.create kind=project; buyer "
      "thread.create");
  Later(
      "seller message.send body=x threadId=T2; ann(admin) thread.setStatus status=locked reason=r "
      "threadId=T3");
  Later("buyer inbox.set label=Later threadId=T2; buyer inbox.set label=Later threadId=T4");
  EXPECT_EQ(scene.Inbox("buyer", "kind=project"), "T2:1 T3:0");
  EXPECT_EQ(scene.Inbox("buyer", "status=locked"), "T3:0");
  EXPECT_EQ(scene.Inbox("buyer", "status=open kind=project"), "T2:1");
  EXPECT_EQ(scene.Inbox("buyer", "status=archived"), "");
  EXPECT_EQ(scene.Inbox("buyer", "label=Later"), "T2:1 T4:0");
  EXPECT_EQ(scene.Inbox("buyer", "label=Later folder=unread"), "T2:1");
  EXPECT_EQ(scene.Inbox("buyer", "label=Later kind=inquiry"), "T4:0");
  EXPECT_EQ(scene.Inbox("buyer", "label=Late"), "");
  EXPECT_EQ(scene.Inbox("buyer", "folder=inquiries kind=project"), "") << "no thread matches both";
  EXPECT_EQ(scene.Inbox("seller", "label=Later"), "") << "labels are private";
  Later("buyer inbox.set label=null threadId=T2; seller message.send body=y threadId=T4");
  EXPECT_EQ(scene.Inbox("buyer", "label=Later"), "T4:1");
}

TEST_F(InboxCells, muted_threads_and_safe_mode_threads_have_filters) {
  Later("buyer thread.create; buyer thread.create safeModeRequired=true; buyer thread.create");
  Later("seller participant.mute muted=true threadId=T2; seller participant.mute muted=true threadId=T3");
  EXPECT_EQ(scene.Inbox("seller", "muted=true"), "T3:0 T2:0");
  EXPECT_EQ(scene.Inbox("seller", "muted=false"), "T:0");
  EXPECT_EQ(scene.Inbox("seller", "safeModeRequired=true"), "T2:0");
  EXPECT_EQ(scene.Inbox("seller", "safeModeRequired=false muted=true"), "T3:0");
  EXPECT_EQ(scene.Inbox("buyer", "muted=true"), "") << "a mute is private";
  Later("buyer message.send body=x threadId=T3; seller participant.mute muted=false threadId=T2");
  EXPECT_EQ(scene.Inbox("seller", "muted=true folder=unread"), "T3:1");
  Later("seller thread.update version=1 safeModeRequired=true");
  EXPECT_EQ(scene.Inbox("seller", "safeModeRequired=true"), "T2:0 T:0");
  // A cursor belongs to one query, including its filters.
  const std::string cursor = scene.Read("seller inbox.list safeModeRequired=true limit=1", "cursor");
  EXPECT_EQ(scene.Read("seller inbox.list safeModeRequired=true limit=1 cursor='" + cursor + "'",
                       "entries.*.threadId"),
            "T");
  for (const char* other : {"", " safeModeRequired=false", " safeModeRequired=true muted=false"})
    EXPECT_EQ(
        scene.Read("seller inbox.list" + std::string(other) + " limit=1 cursor='" + cursor + "'", "cursor"),
        "BAD_REQUEST cursor")
        << other;
}

TEST_F(InboxCells, a_page_of_a_filter_reads_no_more_rows_than_it_shows_however_many_do_not_match) {
  for (int i = 0; i < 60; ++i) Later("buyer thread.create");
  Later("seller participant.mute muted=true threadId=T7; seller participant.mute muted=true threadId=T50");
  const storage::Snapshot snapshot = scene.core.table->NewSnapshot();
  size_t rows = 0;
  const Cell muted{kMutedBit};
  ASSERT_TRUE(MergeCells(*snapshot, InboxPartition(TenantId{"demo"}, UserId{"seller"}), {muted}, std::nullopt,
                         "", 100, [&](std::string_view, std::string_view) { return ++rows > 0; })
                  .ok());
  EXPECT_EQ(rows, 2u);
  EXPECT_EQ(scene.Inbox("seller", "muted=true"), "T50:0 T7:0");
}

TEST_F(InboxCells, unread_messages_are_summed_over_the_folder_all) {
  Later("buyer thread.create; buyer thread.create; buyer thread.create");
  Later("buyer message.send body=a; buyer message.send body=b; buyer message.send body=c threadId=T2");
  Later("buyer message.send body=d threadId=T3; seller inbox.set spam=true threadId=T3");
  const auto unread = [&] {
    const storage::Snapshot snapshot = scene.core.table->NewSnapshot();
    const threads::CursorCodec cursors("secret");
    const Caller caller = threads::CallerFrom("seller");
    const threads::ReadContext context{*snapshot, caller, cursors, scene.core.clock.Now()};
    return CountFolders(context, (1u << protocol::kFolderCount) - 1)->unread_messages;
  };
  EXPECT_EQ(unread(), 3);
  Later("seller read.mark messageId=M1; seller inbox.set pinned=true threadId=T2");
  EXPECT_EQ(unread(), 2);
  Later("seller inbox.set archived=true");
  EXPECT_EQ(unread(), 1);
}

TEST_F(InboxCells, unread_first_lists_unread_entries_before_the_rest_each_newest_first) {
  Later("buyer thread.create; buyer thread.create; buyer thread.create; buyer thread.create");
  Later(
      "seller message.send body=x; seller message.send body=y threadId=T3; buyer message.send body=z "
      "threadId=T2");
  EXPECT_EQ(scene.Inbox("buyer"), "T2:0 T3:1 T:1 T4:0");
  EXPECT_EQ(scene.Inbox("buyer", "order=unread"), "T3:1 T:1 T2:0 T4:0");
  EXPECT_EQ(scene.Inbox("buyer", "order=unread folder=unread"), "T3:1 T:1");
  // Reads page by page, across the boundary between cells.
  std::string cursor, all;
  do {
    const std::string line =
        "buyer inbox.list order=unread limit=1" + (cursor.empty() ? "" : " cursor='" + cursor + "'");
    all += scene.Read(line, "entries.*.threadId") + " ";
    cursor = scene.Read(line, "cursor");
  } while (cursor != "null");
  EXPECT_EQ(all, "T3 T T2 T4 ");
}

TEST_F(InboxCells, a_snoozed_entry_is_hidden_until_the_next_message) {
  Later("buyer thread.create; buyer thread.create; seller message.send body=x");
  Later("buyer inbox.set snoozedUntil=2030-01-01T00:00:00.000Z");
  EXPECT_EQ(scene.Inbox("buyer") + "|" + scene.Inbox("buyer", "folder=snoozed"), "T2:0|T:1");
  EXPECT_EQ(scene.Inbox("buyer", "folder=unread"), "");
  EXPECT_EQ(scene.Read("buyer inbox.list folder=snoozed", "entries.0.snoozedUntil"),
            "2030-01-01T00:00:00.000Z");
  Later("seller message.edit messageId=M1 body=z");
  EXPECT_EQ(scene.Inbox("buyer"), "T2:0") << "an edit is no event";
  Later("seller message.send body=y");
  EXPECT_EQ(scene.Inbox("buyer") + "|" + scene.Inbox("buyer", "folder=snoozed"), "T:2 T2:0|");
  Later("buyer inbox.set snoozedUntil=2030-01-01T00:00:00.000Z; buyer inbox.set snoozedUntil=null");
  EXPECT_EQ(scene.Inbox("buyer"), "T:2 T2:0");
  Later("buyer inbox.set snoozedUntil=2020-01-01T00:00:00.000Z");
  EXPECT_EQ(scene.Inbox("buyer"), "T:2 T2:0") << "a time that has passed snoozes nothing";
}

TEST_F(InboxCells, verify_agrees_with_any_combination_of_flags) {
  Later("buyer thread.create; buyer thread.create kind=project; seller message.send body=x");
  Later(
      "buyer inbox.set pinned=true label=A snoozedUntil=2030-01-01T00:00:00.000Z; buyer inbox.set "
      "archived=true");
  Later("buyer participant.add userId=carol; carol inbox.set label=B snoozedUntil=2031-01-01T00:00:00.000Z");
  Later("buyer participant.remove userId=carol; buyer participant.add userId=carol");
  scene.worker->SaveCursors();
  VerifyReport report;
  const auto status = VerifyStore(
      *scene.core.table, scene.core.clock.Now(), {}, [](const std::string& what) { ADD_FAILURE() << what; },
      &report);
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(report.pending, 0u);
}

// --- costs

TEST_F(InboxCells, a_page_reads_about_as_many_rows_as_it_shows_in_every_folder_filter_and_order) {
  constexpr int kThreads = 2000;
  for (int i = 1; i <= kThreads; ++i) {
    const std::string thread = " threadId=T" + (i == 1 ? "" : std::to_string(i));
    scene.core.clock.Advance(1);
    scene.core.Submit(std::string("buyer thread.create kind=") + (i % 2 ? "inquiry" : "project"));
    scene.core.Step();
    if (i % 3 == 0) scene.core.Submit("seller message.send body=x" + thread);
    if (i % 5 == 0) scene.core.Submit("buyer inbox.set pinned=true" + thread);
    if (i % 7 == 0) scene.core.Submit("buyer inbox.set label=L" + thread);
    if (i % 11 == 0) scene.core.Submit("buyer inbox.set archived=true" + thread);
    scene.core.Step();
  }
  scene.Settle();
  size_t most = 0;
  const auto page = [&](const std::string& line) {
    scene.core.table->TakeRowsRead();
    const std::string shown = scene.Read(line, "entries");
    const size_t read = scene.core.table->TakeRowsRead();
    EXPECT_EQ(shown, "25 items") << line;
    EXPECT_LE(read, 25u + 1 + 4 * 8 + 3) << line;  // the page, the next one, a few of each cell, the counts
    most = std::max(most, read);
    return scene.Read(line, "cursor");
  };
  for (const char* more : {"", "order=unread", "folder=unread", "folder=pinned", "folder=archived",
                           "kind=project", "kind=inquiry folder=unread", "label=L", "label=L kind=project",
                           "status=open", "folder=pinned order=unread"}) {
    const std::string line = "buyer inbox.list " + std::string(more);
    const std::string cursor = page(line);
    page(line + " cursor='" + cursor + "'");
  }
  RecordProperty("rows_read_at_most", static_cast<int>(most));
  scene.core.table->TakeRowsRead();
  const std::string counts = Counts("buyer");
  const size_t unread = std::stoul(counts.substr(counts.find("unread=") + 7));
  EXPECT_EQ(scene.core.table->TakeRowsRead(), 1 + unread)
      << "all totals of threads are one row, and each unread thread is read for its messages";
}

class RowsWritten : public testing::Test {
 protected:
  RowsWritten() {
    std::string others;
    for (int i = 1; i <= 8; ++i)
      others += (i > 1 ? "," : "") + std::string("{\"userId\":\"u") + std::to_string(i) + "\"}";
    scene.Run("buyer thread.create participants=[" + others + "]");
  }
  // Returns the number of rows that the inbox projection wrote or deleted for the lines.
  int Written(std::string_view lines) {
    const std::string name = "parley_projection_rows_total{projection=\"inbox\"}";
    const double before = MetricValue(scene.metrics(), name);
    scene.core.clock.Advance(1000);
    EXPECT_EQ(scene.Run(lines), "ok");
    return static_cast<int>(MetricValue(scene.metrics(), name) - before);
  }
  FanoutScene scene{{}, 0, /*piece_rows=*/100};
};

TEST_F(RowsWritten, by_a_message_in_a_thread_of_ten_are_two_for_each_member_and_one_for_the_thread) {
  const int first = Written("buyer message.send body=a"), later = Written("buyer message.send body=b");
  RecordProperty("first_after_reading", first);
  RecordProperty("while_unread", later);
  EXPECT_EQ(later, 10 * 2 + 1);
  EXPECT_EQ(first, 10 * 2 + 1 + 9 * 2 + 1) << "nine entries become unread, with their seats and their "
                                              "owners' counts; the wake to remove the answer";
  EXPECT_EQ(Written("buyer message.edit messageId=M1 body=c"), 10 + 1) << "no entry moves";
  EXPECT_EQ(Written("u1 read.mark messageId=M2"), 2 + 2) << "their entry, seat and counts";
  EXPECT_EQ(Written("u1 inbox.set label=L"), 2 + 1) << "two rows, and the seat";
}

}  // namespace
}  // namespace parley::fanout
