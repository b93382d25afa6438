// Features of the memory backend beyond the contract: crashes, injected faults, and counting.
#include "storage/memory_table.h"

#include <gtest/gtest.h>

#include "tests/storage/table_text.h"

namespace parley::storage {
namespace {

class MemoryTableTest : public testing::Test {
 protected:
  void Reopen() { table_ = OpenMemoryTable(disk_); }
  void Apply(std::string_view sort, std::string_view payload, Position cursor) {
    ASSERT_TRUE(table_
                    ->Apply(std::vector<DerivedWrite>{{inbox_, Sort(sort), Row{1, std::string(payload)}}},
                            "inbox", cursor)
                    .ok());
  }

  const PartitionKey thread_ = ThreadPartition("acme", 1);
  const PartitionKey inbox_ = InboxPartition("acme", "ann");
  const std::shared_ptr<MemoryDisk> disk_ = NewMemoryDisk({"ep_test", "secret"});
  std::unique_ptr<MemoryTable> table_ = OpenMemoryTable(disk_);
};

TEST_F(MemoryTableTest, a_crash_loses_a_suffix_of_the_unsynced_applies_rows_and_cursor_together) {
  for (size_t kept = 0; kept <= 4; ++kept) {
    const auto disk = NewMemoryDisk({"ep_test", "secret"});
    auto table = OpenMemoryTable(disk);
    CommitText(*table, {thread_, {}, {Set("a", "1")}, "one"});
    for (Position i = 1; i <= 3; ++i) {
      const std::vector<DerivedWrite> writes{{inbox_, Sort("last"), Row{i, std::to_string(i)}},
                                             {inbox_, Sort("row" + std::to_string(i)), Row{1, ""}}};
      ASSERT_TRUE(table->Apply(writes, "inbox", i).ok());
    }
    EXPECT_EQ(table->UnsyncedApplies(), 3u);
    table->Crash(kept);
    table = OpenMemoryTable(disk);
    const char* expected[] = {"", "last=1 row1=", "last=2 row1= row2=", "last=3 row1= row2= row3="};
    EXPECT_EQ(ScanText(*table, inbox_), expected[std::min<size_t>(kept, 3)]);
    EXPECT_EQ(CursorOf(*table, "inbox"), std::min<Position>(kept, 3));
    EXPECT_EQ(ScanText(*table, thread_), "a=1");
    EXPECT_EQ(LogText(*table), "1:one");
  }
}

TEST_F(MemoryTableTest, a_commit_syncs_every_apply_before_it) {
  Apply("a", "1", 1);
  Apply("a", "2", 2);
  CommitText(*table_, {thread_, {}, {Set("x", "1")}, ""});
  EXPECT_EQ(table_->UnsyncedApplies(), 0u);
  Apply("a", "3", 3);
  table_->Crash(0);
  Reopen();
  EXPECT_EQ(ScanText(*table_, inbox_), "a=2");
  EXPECT_EQ(CursorOf(*table_, "inbox"), 2u);
}

TEST_F(MemoryTableTest, a_commit_that_writes_nothing_syncs_nothing) {
  Apply("a", "1", 1);
  EXPECT_EQ(CommitText(*table_, {thread_, {Present("x")}, {Set("x", "1")}, "e"}), "in the way: nothing");
  EXPECT_EQ(table_->UnsyncedApplies(), 1u);
}

TEST_F(MemoryTableTest, a_crash_brings_back_rows_that_an_unsynced_apply_deleted) {
  Apply("a", "1", 1);
  CommitText(*table_, {thread_, {}, {Set("x", "1")}, ""});
  ASSERT_TRUE(table_->Apply(std::vector<DerivedWrite>{{inbox_, Sort("a"), std::nullopt}}, "inbox", 2).ok());
  EXPECT_EQ(ScanText(*table_, inbox_), "");
  table_->Crash(0);
  Reopen();
  EXPECT_EQ(ScanText(*table_, inbox_), "a=1");
}

TEST_F(MemoryTableTest, closing_is_not_a_power_cut) {
  Apply("a", "1", 1);
  Reopen();
  EXPECT_EQ(table_->UnsyncedApplies(), 0u);
  table_->Crash(0);
  Reopen();
  EXPECT_EQ(ScanText(*table_, inbox_), "a=1");
}

TEST_F(MemoryTableTest, after_a_crash_the_table_and_its_snapshots_refuse_everything) {
  const Snapshot snapshot = table_->NewSnapshot();
  table_->Crash(0);
  std::vector<CommitResult> results;
  std::optional<Row> row;
  Position position = 0;
  EXPECT_EQ(table_->Commit({}, &results).code, StatusCode::kUnavailable);
  EXPECT_EQ(table_->Apply({}, "p", 1).code, StatusCode::kUnavailable);
  EXPECT_EQ(table_->TrimLog(1).code, StatusCode::kUnavailable);
  EXPECT_EQ(table_->ReadCursor("p", &position).code, StatusCode::kUnavailable);
  EXPECT_EQ(table_->Get(thread_, Sort("a"), &row).code, StatusCode::kUnavailable);
  EXPECT_EQ(snapshot->Get(thread_, Sort("a"), &row).code, StatusCode::kUnavailable);
  EXPECT_NE(table_->WriteFault(), "");
}

TEST_F(MemoryTableTest, a_second_table_on_the_disk_fences_off_the_first) {
  const auto second = OpenMemoryTable(disk_);
  std::vector<CommitResult> results;
  EXPECT_EQ(table_->Commit({}, &results).code, StatusCode::kUnavailable);
  EXPECT_EQ(CommitText(*second, {thread_, {}, {Set("a", "1")}, ""}), "ok");
}

TEST_F(MemoryTableTest, a_failed_commit_changes_nothing_and_stops_writes_until_reopened) {
  CommitText(*table_, {thread_, {}, {Set("a", "1")}, "one"});
  table_->InjectFault(MemoryFault::kCommitFails);
  std::vector<CommitResult> results;
  const std::vector<CommitRequest> group{{thread_, {}, {Set("a", "2")}, "two"}};
  EXPECT_EQ(table_->Commit(group, &results).code, StatusCode::kUnavailable);
  EXPECT_NE(table_->WriteFault(), "");
  EXPECT_EQ(table_->Commit(group, &results).code, StatusCode::kUnavailable);
  EXPECT_EQ(table_->Apply({}, "p", 1).code, StatusCode::kUnavailable);
  EXPECT_EQ(ScanText(*table_, thread_), "a=1");
  Reopen();
  EXPECT_EQ(table_->WriteFault(), "");
  EXPECT_EQ(ScanText(*table_, thread_), "a=1");
  EXPECT_EQ(CommitText(*table_, group), "ok@2");
}

TEST_F(MemoryTableTest, an_unknown_outcome_shows_nothing_until_the_store_is_reopened) {
  for (const bool kept : {false, true}) {
    const auto disk = NewMemoryDisk({"ep_test", "secret"});
    auto table = OpenMemoryTable(disk);
    CommitText(*table, {thread_, {}, {Set("a", "1")}, "one"});
    table->InjectFault(kept ? MemoryFault::kCommitUnknownKept : MemoryFault::kCommitUnknownLost);
    std::vector<CommitResult> results;
    const std::vector<CommitRequest> group{{thread_, {}, {Set("a", "2")}, "two"}};
    EXPECT_EQ(table->Commit(group, &results).code, StatusCode::kUnknown);
    EXPECT_EQ(table->Commit(group, &results).code, StatusCode::kUnavailable);
    EXPECT_EQ(ScanText(*table, thread_), "a=1");
    EXPECT_EQ(GetText(*table->NewSnapshot(), thread_, "a"), "1");
    EXPECT_EQ(LogText(*table), "1:one");
    EXPECT_EQ(table->LastPosition(), 1u);
    table->Crash(0);
    table = OpenMemoryTable(disk);
    EXPECT_EQ(ScanText(*table, thread_), kept ? "a=2" : "a=1");
    EXPECT_EQ(LogText(*table), kept ? "1:one 2:two" : "1:one");
  }
}

TEST_F(MemoryTableTest, rows_handed_out_are_counted) {
  CommitText(*table_, {thread_, {}, {Set("a", "1"), Set("b", "2"), Set("c", "3")}, ""});
  EXPECT_EQ(table_->TakeRowsRead(), 0u);
  GetText(*table_, thread_, "a");
  GetText(*table_, thread_, "missing");
  EXPECT_EQ(table_->TakeRowsRead(), 1u);
  ScanText(*table_->NewSnapshot(), thread_, SortRange::All(), Direction::kForward, 2);
  EXPECT_EQ(table_->TakeRowsRead(), 2u);
  std::vector<std::optional<Row>> rows;
  ASSERT_TRUE(table_->MultiGet(std::vector<RowKey>{{thread_, Sort("a")}, {thread_, Sort("c")}}, &rows).ok());
  EXPECT_EQ(table_->TakeRowsRead(), 2u);
}

}  // namespace
}  // namespace parley::storage
