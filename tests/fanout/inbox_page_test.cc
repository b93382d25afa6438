// The work of a page does not grow with the inbox.
#include <gtest/gtest.h>

#include "fanout/inbox_projection.h"
#include "fanout/index_reads.h"
#include "storage/memory_table.h"

namespace parley::fanout {
namespace {

TEST(InboxPage, of_an_inbox_with_ten_thousand_threads_reads_about_as_many_rows_as_it_shows) {
  constexpr size_t kThreads = 10'000;
  const auto table = storage::NewMemoryTable();
  const auto ids = protocol::NewSeededIdSource(3);
  const threads::Caller caller{{"t1"}, UserId{"usr_a"}, threads::Role::kMember};
  std::vector<storage::DerivedWrite> rows;
  for (size_t i = 0; i < kThreads; ++i) {
    const protocol::Time place{1'762'351'927'123 + static_cast<int64_t>(i)};
    protocol::Entry entry;
    entry.thread_id = ThreadId{ids->Make(place)};
    entry.last_message_at = place;
    rows.push_back({InboxPartition(caller.tenant, *caller.user), InboxKey(Box::kMain, place, entry.thread_id),
                    storage::Row{1, EncodeInboxRow(entry)}});
  }
  ASSERT_TRUE(table->Apply(rows, "inbox", 0).ok());

  const threads::CursorCodec cursors("secret");
  const auto snapshot = table->NewSnapshot();
  const threads::ReadContext context{*snapshot, caller, cursors, {1'762'351'999'999}};
  protocol::InboxList::Args args;
  for (int page = 0; page < 3; ++page) {
    table->TakeRowsRead();
    const auto answer = ListInbox(context, args);
    ASSERT_TRUE(answer.ok());
    const size_t read = table->TakeRowsRead();
    EXPECT_GE(read, 25u);
    EXPECT_LE(read, 27u);
    protocol::Document document;
    ASSERT_EQ(protocol::DecodeMsgpack(*answer, {}, &document), nullptr);
    EXPECT_EQ(document.root.Find("entries")->as_array()->size(), 25u);
    args.cursor = std::string(*document.root.Find("cursor")->as_text());
  }
}

}  // namespace
}  // namespace parley::fanout
