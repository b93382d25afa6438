// Scans merge the batch's rows with storage without copying either, and a limit ends both.
#include "storage/overlay.h"

#include <gtest/gtest.h>

#include <list>
#include <random>

#include "tests/threads/watched_table.h"
#include "threads/model/keys.h"

namespace parley::threads {
namespace {

using storage::Direction;

class OverlayTest : public testing::Test {
 protected:
  static storage::SortKey Key(int n) { return LogKey(n); }
  void Store(int n) {
    storage::CommitRequest request;
    request.partition = partition_;
    request.writes.push_back({Key(n), storage::Row{1, "stored"}});
    std::vector<storage::CommitResult> results;
    ASSERT_TRUE(memory_->Commit({&request, 1}, &results).ok());
    expected_[n] = "stored";
  }
  void Put(int n) {
    overlay_.Put(partition_, written_.emplace_back(storage::RowWrite{Key(n), storage::Row{1, "batch"}}));
    expected_[n] = "batch";
  }
  void Erase(int n) {
    overlay_.Put(partition_, written_.emplace_back(storage::RowWrite{Key(n), std::nullopt}));
    expected_.erase(n);
  }
  std::vector<std::pair<int, std::string>> Scan(int begin, int end, Direction direction, size_t limit) {
    std::vector<std::pair<int, std::string>> out;
    table_.scanned = 0;
    EXPECT_TRUE(overlay_
                    .Scan(partition_, {Key(begin), Key(end)}, direction, limit,
                          [&](std::string_view sort, storage::RowView row) {
                            int64_t n = 0;
                            EXPECT_TRUE(ParseLogKey(sort, &n));
                            out.emplace_back(static_cast<int>(n), row.payload);
                            return true;
                          })
                    .ok());
    return out;
  }
  std::vector<std::pair<int, std::string>> Expected(int begin, int end, Direction direction, size_t limit) {
    std::vector<std::pair<int, std::string>> out(expected_.lower_bound(begin), expected_.lower_bound(end));
    if (direction == Direction::kReverse) std::reverse(out.begin(), out.end());
    if (out.size() > limit) out.resize(limit);
    return out;
  }

  const storage::PartitionKey partition_ = ThreadPartition(TenantId{"demo"}, ThreadId{});
  std::unique_ptr<storage::MemoryTable> memory_ = storage::NewMemoryTable();
  WatchedTable table_{*memory_};
  storage::Overlay overlay_{table_};
  std::list<storage::RowWrite> written_;
  std::map<int, std::string> expected_;
};

TEST_F(OverlayTest, scans_as_if_everything_were_stored) {
  std::minstd_rand random(5);
  for (int i = 0; i < 60; ++i) Store(static_cast<int>(random() % 100));
  for (int i = 0; i < 60; ++i) {
    const int n = static_cast<int>(random() % 100);
    random() % 2 == 0 ? Put(n) : Erase(n);
    for (const Direction direction : {Direction::kForward, Direction::kReverse}) {
      const int begin = static_cast<int>(random() % 100), end = begin + static_cast<int>(random() % 50);
      const size_t limit = random() % 30;
      EXPECT_EQ(Scan(begin, end, direction, limit), Expected(begin, end, direction, limit));
      EXPECT_EQ(Scan(0, 100, direction, SIZE_MAX), Expected(0, 100, direction, SIZE_MAX));
    }
  }
}

TEST_F(OverlayTest, reads_no_more_of_a_long_range_than_it_returns) {
  for (int i = 0; i < 5000; ++i) Store(i);
  Erase(0);
  Put(4999);
  EXPECT_EQ(Scan(0, 5000, Direction::kForward, 10).size(), 10u);
  EXPECT_LE(table_.scanned, 12u);
  EXPECT_EQ(Scan(0, 5000, Direction::kReverse, 10).size(), 10u);
  EXPECT_LE(table_.scanned, 12u);
}

TEST_F(OverlayTest, stops_when_the_visitor_returns_false) {
  for (int i = 0; i < 100; ++i) Store(i);
  Put(1);
  size_t given = 0;
  EXPECT_TRUE(overlay_
                  .Scan(partition_, {Key(0), Key(100)}, Direction::kForward, SIZE_MAX,
                        [&](std::string_view, storage::RowView) { return ++given < 2; })
                  .ok());
  EXPECT_EQ(given, 2u);
}

}  // namespace
}  // namespace parley::threads
