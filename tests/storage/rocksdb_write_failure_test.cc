// Writes that fail: no part of them is visible, writes stop, and reopening finds everything that was
// acknowledged.
#include <sys/resource.h>

#include <csignal>

#include "tests/storage/forgetful_env.h"
#include "tests/storage/rocksdb_fixture.h"

namespace parley::storage {
namespace {

class RocksdbWriteFailure : public RocksdbFailure {
 protected:
  void SetUp() override {
    table_ = Succeed(OpenRocksdbOn({.dir = dir_, .memtable_bytes = 64 << 10}, env_.env()));
    ASSERT_NE(table_, nullptr);
    ASSERT_EQ(CommitText(*table_, {thread_, {}, {Set("a", "1")}, "one"}), "ok@1");
  }

  void ExpectEverythingRefused() {
    EXPECT_NE(table_->WriteFault(), "");
    std::vector<CommitResult> results;
    const std::vector<CommitRequest> group{{thread_, {}, {Set("a", "3")}, "three"}};
    EXPECT_EQ(table_->Commit(group, &results).code, StatusCode::kUnavailable);
    EXPECT_EQ(table_->Apply({}, "inbox", 1).code, StatusCode::kUnavailable);
    EXPECT_EQ(table_->TrimLog(1).code, StatusCode::kUnavailable);
  }
  void ExpectOnlyTheFirstCommitSeen() {
    EXPECT_EQ(ScanText(*table_, thread_), "a=1");
    EXPECT_EQ(GetText(*table_->NewSnapshot(), thread_, "a"), "1");
    EXPECT_EQ(LogText(*table_), "1:one");
    EXPECT_EQ(table_->LastPosition(), 1u);
  }

  ForgetfulEnv env_{1};
  std::unique_ptr<Table> table_;
};

TEST_F(RocksdbWriteFailure,
       a_commit_that_cannot_be_written_or_synced_is_unknown_shows_nothing_and_stops_writes) {
  using Fault = ForgetfulEnv::Fault;
  for (const Fault fault : {Fault::kWalAppend, Fault::kWalNoSpace, Fault::kWalSync}) {
    SCOPED_TRACE(static_cast<int>(fault));
    env_.Fail(fault);
    std::vector<CommitResult> results;
    const std::vector<CommitRequest> group{{thread_, {}, {Set("a", "2"), Set("b", "2")}, "two"}};
    EXPECT_EQ(table_->Commit(group, &results).code, StatusCode::kUnknown);
    ExpectOnlyTheFirstCommitSeen();
    env_.Fail(Fault::kNone);
    ExpectEverythingRefused();  // even when the disk works again, because its content is unknown
    ExpectOnlyTheFirstCommitSeen();
    table_.reset();

    table_ = Open();
    ASSERT_NE(table_, nullptr);
    EXPECT_EQ(table_->WriteFault(), "");
    const bool kept = table_->LastPosition() == 2;
    EXPECT_EQ(LogText(*table_), kept ? "1:one 2:two" : "1:one");
    EXPECT_EQ(ScanText(*table_, thread_), kept ? "a=2 b=2" : "a=1") << "as a whole or not at all";
    table_.reset();
    fs::remove_all(dir_);
    SetUp();
  }
}

TEST_F(RocksdbWriteFailure, an_apply_that_cannot_be_written_stops_writes_too) {
  env_.Fail(ForgetfulEnv::Fault::kWalAppend);
  const std::vector<DerivedWrite> writes{{inbox_, Sort("a"), Row{1, "1"}}};
  EXPECT_EQ(table_->Apply(writes, "inbox", 1).code, StatusCode::kUnknown);
  env_.Fail(ForgetfulEnv::Fault::kNone);
  ExpectEverythingRefused();
  EXPECT_EQ(GetText(*table_, inbox_, "a"), "-");
  EXPECT_EQ(CursorOf(*table_, "inbox"), 0u);
}

TEST_F(RocksdbWriteFailure, a_flush_that_fails_stops_writes_before_they_pile_up) {
  env_.Fail(ForgetfulEnv::Fault::kTableAppend);
  Position acknowledged = 1;
  std::string answer;
  for (int i = 0; i < 1000; ++i) {
    answer =
        CommitText(*table_, {thread_, {}, {Set("big" + std::to_string(i), std::string(10000, 'x'))}, "e"});
    if (!answer.starts_with("ok@")) break;
    ++acknowledged;
  }
  EXPECT_TRUE(answer.starts_with("error")) << answer;
  EXPECT_NE(table_->WriteFault().find("background"), std::string::npos) << table_->WriteFault();
  table_.reset();
  table_ = Open();
  ASSERT_NE(table_, nullptr);
  EXPECT_GE(table_->LastPosition(), acknowledged);
}

TEST_F(RocksdbFailure, on_a_full_disk_a_commit_fails_and_after_making_room_all_acknowledged_ones_are_there) {
  auto table = Open();
  ASSERT_NE(table, nullptr);
  struct rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = signal(SIGXFSZ, SIG_IGN);
  const struct rlimit full = {200000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
  Position acknowledged = 0;
  Status status;
  while (status.ok() && acknowledged < 1000) {
    std::vector<CommitResult> results;
    const std::string name = "row" + std::to_string(acknowledged + 1);
    const std::vector<CommitRequest> group{{thread_, {}, {Set(name, std::string(1000, 'x'))}, name}};
    status = table->Commit(group, &results);
    if (status.ok()) ++acknowledged;
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, old_handler);
  EXPECT_EQ(status.code, StatusCode::kUnknown) << status.detail;
  EXPECT_GT(acknowledged, 100u);
  EXPECT_NE(table->WriteFault(), "");
  EXPECT_EQ(table->LastPosition(), acknowledged);
  EXPECT_EQ(GetText(*table, thread_, "row" + std::to_string(acknowledged + 1)), "-");

  table.reset();
  table = Open();
  ASSERT_NE(table, nullptr);
  EXPECT_GE(table->LastPosition(), acknowledged);
  EXPECT_LE(table->LastPosition(), acknowledged + 1);
  for (Position i = 1; i <= acknowledged; ++i)
    EXPECT_NE(GetText(*table, thread_, "row" + std::to_string(i)), "-");
  EXPECT_EQ(CommitText(*table, {thread_, {}, {Set("after", "1")}, ""}), "ok");
}

}  // namespace
}  // namespace parley::storage
