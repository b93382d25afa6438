// A limit counts the rows that remain after the batch's removals, not the rows in storage.
#include <gtest/gtest.h>

#include "storage/memory_table.h"
#include "storage/overlay.h"
#include "threads/model/keys.h"

namespace parley::threads {
namespace {

TEST(OverlayLimit, counts_the_rows_that_remain_after_the_batchs_removals) {
  const auto table = storage::NewMemoryTable();
  const auto partition = ThreadPartition(TenantId{"demo"}, ThreadId{});
  storage::CommitRequest stored;
  stored.partition = partition;
  for (int64_t seq = 1; seq <= 6; ++seq) stored.writes.push_back({LogKey(seq), storage::Row{1, "x"}});
  std::vector<storage::CommitResult> results;
  ASSERT_TRUE(table->Commit({&stored, 1}, &results).ok());

  const storage::RowWrite gone[] = {{LogKey(1), std::nullopt}, {LogKey(2), std::nullopt}};
  storage::Overlay overlay(*table);
  for (const storage::RowWrite& write : gone) overlay.Put(partition, write);
  for (const auto direction : {storage::Direction::kForward, storage::Direction::kReverse}) {
    std::vector<int64_t> given;
    const auto status = overlay.Scan(partition, RangeOf(storage::ThreadTag::kLog), direction, 3,
                                     [&](std::string_view sort, storage::RowView) {
                                       int64_t seq = 0;
                                       EXPECT_TRUE(ParseLogKey(sort, &seq));
                                       given.push_back(seq);
                                       return true;
                                     });
    ASSERT_TRUE(status.ok());
    const bool forward = direction == storage::Direction::kForward;
    EXPECT_EQ(given, forward ? (std::vector<int64_t>{3, 4, 5}) : (std::vector<int64_t>{6, 5, 4}));
  }
}

}  // namespace
}  // namespace parley::threads
