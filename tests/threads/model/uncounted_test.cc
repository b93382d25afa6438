// Uncounted messages: equal counts to a set, with one row for thousands of messages, in new threads and in
// those of earlier versions.
#include "threads/model/uncounted.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/threads/executor_scene.h"

namespace parley::threads {
namespace {

TEST(DeletedBlocks, are_read_as_written_and_other_bytes_are_refused) {
  DeletedBlock block, again;
  for (const int64_t place : {0, 1, 8, 4095, 8}) block.Add(place);
  EXPECT_EQ(block.count, 4);
  ASSERT_TRUE(DecodeDeletedBlock(EncodeDeletedBlock(block), &again));
  EXPECT_EQ(again.bits, block.bits);
  EXPECT_EQ(again.CountAbove(-1), 4);
  EXPECT_EQ(again.CountAbove(0), 3);
  EXPECT_EQ(again.CountAbove(8), 1);
  EXPECT_EQ(again.CountAbove(4095), 0);
  const std::string written = EncodeDeletedBlock(block);
  for (const std::string& wrong :
       {std::string(), "\x05" + written.substr(1), written + '\x01', std::string("\x01\x01\0", 3)})
    EXPECT_FALSE(DecodeDeletedBlock(wrong, &again));
}

TEST(DeletedBlocks, count_like_a_set_from_any_start) {
  std::mt19937 random(5);
  std::set<int64_t> expected;
  std::map<int64_t, DeletedBlock> blocks;
  for (int i = 0; i < 3000; ++i) {
    const int64_t msg_no = 1 + static_cast<int64_t>(random() % 30'000);
    if (msg_no / kBlockMessages == 3 || !expected.insert(msg_no).second) continue;  // keeps one block empty
    blocks[msg_no / kBlockMessages].Add(msg_no % kBlockMessages);
  }
  Uncounted uncounted;
  for (auto& [number, block] : blocks) uncounted.AddBlock(number, std::move(block));
  uncounted.AddRow(40'000);
  uncounted.AddRow(50'000);
  expected.insert({40'000, 50'000});
  for (int64_t above = 0; above < 51'000; above += 97)
    ASSERT_EQ(uncounted.Above(above), std::distance(expected.upper_bound(above), expected.end())) << above;
}

class DeletedMessages : public testing::Test {
 protected:
  void Send(int count) {
    for (int i = 0; i < count; ++i) {
      scene.Submit("seller message.send body=b" + std::to_string(++sent_));
      if (i % 100 == 0) Step();
    }
    Step();
  }
  void Delete(int first, int last) {
    for (int i = first; i <= last; ++i) {
      scene.Submit("seller message.delete messageId=M" + std::to_string(i));
      if (i % 100 == 0) Step();
    }
    Step();
  }
  void Step() {
    scene.Step();
    scene.ForgetAnswers();
    scene.changes.clear();
  }
  std::string Unread() {
    const size_t number =
        scene.Submit("buyer inbox.set pinned=" + std::string(++flips_ % 2 ? "true" : "false"));
    scene.Step();
    return scene.Reply(number, "entry.unread");
  }
  storage::PartitionKey Partition() const {
    return ThreadPartition(TenantId{"demo"}, scene.ThreadNamed("T"));
  }
  std::vector<int64_t> OldRows() const {
    std::vector<int64_t> out;
    EXPECT_TRUE(scene.table
                    ->Scan(Partition(), RangeOf(storage::ThreadTag::kDeleted), storage::Direction::kForward,
                           SIZE_MAX,
                           [&](std::string_view sort, storage::RowView) {
                             return ParseDeletedKey(sort, &out.emplace_back());
                           })
                    .ok());
    return out;
  }
  // Converts the rows to those of an earlier version.
  void MakeOld() {
    storage::CommitRequest old;
    old.partition = Partition();
    EXPECT_TRUE(
        scene.table
            ->Scan(
                old.partition, RangeOf(storage::ThreadTag::kDeletedBlock), storage::Direction::kForward,
                SIZE_MAX,
                [&](std::string_view sort, storage::RowView row) {
                  int64_t number = 0;
                  DeletedBlock block;
                  EXPECT_TRUE(ParseDeletedBlockKey(sort, &number));
                  old.writes.push_back({storage::SortKey(std::string(sort)), std::nullopt});
                  if (number == kAllFolded) return true;
                  EXPECT_TRUE(DecodeDeletedBlock(row.payload, &block));
                  for (int64_t at = 0; at < kBlockMessages; ++at) {
                    if (block.Holds(at))
                      old.writes.push_back({DeletedKey(number * kBlockMessages + at), storage::Row{1, {}}});
                  }
                  return true;
                })
            .ok());
    std::vector<storage::CommitResult> results;
    ASSERT_TRUE(scene.table->Commit({&old, 1}, &results).ok());
    scene.Restart();
  }

  ExecutorScene scene;
  int sent_ = 0, flips_ = 0;
};

// Regression: setting a flag took 18 ms in a thread with fifty thousand deleted messages.
TEST_F(DeletedMessages, an_unread_count_reads_one_row_for_thousands_of_them) {
  scene.Do("buyer thread.create");
  Send(5000);
  Delete(1, 4900);
  EXPECT_EQ(Unread(), "100");
  scene.table->TakeRowsRead();
  EXPECT_EQ(Unread(), "100");
  EXPECT_LE(scene.table->TakeRowsRead(), 4u) << "two blocks, and that there are no others";
  EXPECT_TRUE(OldRows().empty());
}

TEST_F(DeletedMessages, of_earlier_versions_are_counted_and_converted_as_the_thread_is_used) {
  scene.Do("buyer thread.create");
  Send(1000);
  Delete(101, 900);
  MakeOld();
  ASSERT_EQ(OldRows().size(), 800u);
  const auto above_500 = [&] { return scene.Rows().UncountedAbove(scene.ThreadNamed("T"), 500)->Above(500); };
  EXPECT_EQ(above_500(), 400);
  EXPECT_EQ(Unread(), "200");
  int left = static_cast<int>(OldRows().size());
  EXPECT_EQ(left, 800 - static_cast<int>(kFoldedAtOnce)) << "a slice";
  for (int next = 901; left > 0; ++next) {
    Delete(next, next);
    const int now = static_cast<int>(OldRows().size());
    EXPECT_EQ(left - now, std::min<int>(left, kFoldedAtOnce)) << "in slices";
    left = now;
    EXPECT_EQ(above_500(), 400 + next - 900);
  }
  const std::string unread = Unread();
  scene.Restart();
  EXPECT_EQ(Unread(), unread);
  scene.table->TakeRowsRead();
  Unread();
  EXPECT_LE(scene.table->TakeRowsRead(), 4u);
}

}  // namespace
}  // namespace parley::threads
