// A trim removes every entry up to its position, even after the last reader.
#include "storage/store_rows.h"
#include "tests/storage/rocksdb_fixture.h"

namespace parley::storage {
namespace {

TEST_F(RocksdbFailure, trims_leave_no_entry_that_would_never_be_removed) {
  auto table = Open();
  ASSERT_NE(table, nullptr);
  for (int i = 1; i <= 10; ++i) CommitText(*table, {thread_, {}, {}, "entry"});
  for (const Position through : {2, 3, 7}) ASSERT_TRUE(table->TrimLog(through).ok());
  table.reset();
  WithRawDatabase([](const Database& database) {
    const std::unique_ptr<rocksdb::Iterator> at(database.db->NewIterator({}, database.family(Family::kLog)));
    size_t left = 0;
    for (at->SeekToFirst(); at->Valid(); at->Next()) ++left;
    EXPECT_EQ(left, 3u);
  });
}

}  // namespace
}  // namespace parley::storage
