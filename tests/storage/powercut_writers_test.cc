// Several executors on one store, each the only writer of its partition, while a worker applies and trims.
// The power is cut, or a sync fails, under all of them at once. Everything that was acknowledged is there;
// each group under way is there as a whole or not at all.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <thread>

#include "storage/rocksdb_testing.h"
#include "tests/storage/forgetful_env.h"
#include "tests/storage/table_text.h"
#include "tests/storage/temp_dir.h"

namespace parley::storage {
namespace {

constexpr size_t kWriters = 4;

// An executor: its n-th commit adds two rows, sets a third to n, and adds one entry to the log.
struct Writer {
  PartitionKey partition;
  std::string name;
  size_t acknowledged = 0;
  std::map<Position, size_t> positions;  // log positions of acknowledged commits → n
  size_t refused_late = 0;               // commits acknowledged after a failure; must stay 0

  CommitRequest Next() const {
    const std::string n = std::to_string(acknowledged + 1);
    return {partition,
            {{Sort("a" + n), Precondition::Kind::kAbsent, 0}},
            {Set("a" + n, n + std::string(500, 'x')), Set("b" + n, n), Set("count", n)},
            name + " " + n};
  }
  void Run(Table& table, const std::atomic<bool>& failed) {
    for (;;) {
      const bool late = failed;
      std::vector<CommitResult> results;
      const std::vector<CommitRequest> group{Next()};
      if (!table.Commit(group, &results).ok()) return;
      refused_late += late;
      positions[results[0].position] = ++acknowledged;
    }
  }
};

class SeveralWriters : public testing::TestWithParam<uint64_t> {
 protected:
  void SetUp() override {
    for (uint8_t i = 0; i < kWriters; ++i)
      writers_.push_back({ThreadPartition("acme", i), "w" + std::to_string(i), 0, {}, 0});
  }
  bool Open(uint64_t seed, size_t memtable_bytes = 64 << 10) {
    env_ = std::make_unique<ForgetfulEnv>(seed);
    auto opened = OpenRocksdbOn(
        {.dir = dir_.path() + "/store", .block_cache_bytes = 1 << 20, .memtable_bytes = memtable_bytes},
        env_->env());
    if (const auto* error = std::get_if<OpenError>(&opened)) ADD_FAILURE() << error->message;
    table_ = std::holds_alternative<OpenError>(opened) ? nullptr : std::move(std::get<0>(opened));
    return table_ != nullptr;
  }

  // Runs until writes fail. `happen` is called after `after_commits` commits.
  void RunUntilFailure(size_t after_commits, const std::function<void()>& happen) {
    std::atomic<bool> failed = false;
    std::vector<std::thread> threads;
    for (Writer& writer : writers_) threads.emplace_back([&] { writer.Run(*table_, failed); });
    threads.emplace_back([&] {
      const Position before = table_->LastPosition();
      bool happened = false;
      for (Position at = before;; at = table_->LastPosition()) {
        if (!happened && at >= before + after_commits) {
          happen();
          happened = true;
        }
        if (at == 0) continue;  // nothing to apply yet
        const std::vector<DerivedWrite> rows{{inbox_, Sort("at"), Row{1, std::to_string(at)}}};
        if (!table_->Apply(rows, "inbox", at).ok()) break;
        if (at % 7 == 0 && !table_->TrimLog(at > 3 ? at - 3 : 0).ok()) break;
      }
      failed = true;
    });
    for (std::thread& thread : threads) thread.join();
  }

  void Judge() {
    std::map<Position, std::string> log;
    EXPECT_TRUE(table_
                    ->ReadLog(0, SIZE_MAX,
                              [&](Position position, std::string_view entry) {
                                log[position] = entry;
                                return true;
                              })
                    .ok());
    const Position first = log.empty() ? table_->LastPosition() + 1 : log.begin()->first;
    EXPECT_EQ(table_->LastPosition() + 1 - first, log.size()) << "positions without holes";
    const Position cursor = CursorOf(*table_, "inbox");
    EXPECT_GE(cursor + 1, first) << "a cursor whose entries are gone cannot catch up";
    EXPECT_EQ(GetText(*table_, inbox_, "at"), cursor == 0 ? "-" : std::to_string(cursor));
    for (Writer& writer : writers_) JudgeWriter(log, first, &writer);
  }

  void JudgeWriter(const std::map<Position, std::string>& log, Position first, Writer* writer) {
    SCOPED_TRACE(writer->name);
    for (const auto& [position, n] : writer->positions) {
      if (position < first) continue;
      const auto entry = log.find(position);
      ASSERT_NE(entry, log.end()) << "position " << position << " was acknowledged";
      EXPECT_EQ(entry->second, writer->name + " " + std::to_string(n));
    }
    const std::string count = GetText(*table_, writer->partition, "count");
    const size_t kept = count == "-" ? 0 : std::stoull(count);
    EXPECT_TRUE(kept == writer->acknowledged || kept == writer->acknowledged + 1)
        << kept << " of " << writer->acknowledged << " acknowledged";
    size_t rows = 0;
    const auto status = table_->Scan(writer->partition, SortRange::Prefix(Sort("")), Direction::kForward,
                                     SIZE_MAX, [&](std::string_view, RowView) { return ++rows > 0; });
    EXPECT_TRUE(status.ok());
    EXPECT_EQ(rows, kept == 0 ? 0 : 2 * kept + 1) << "a commit in part";
    EXPECT_EQ(writer->refused_late, 0u) << "acknowledged after writes had failed";
    writer->acknowledged = kept;
  }

  const TempDir dir_;
  const PartitionKey inbox_ = InboxPartition("acme", "ann");
  std::unique_ptr<ForgetfulEnv> env_;
  std::unique_ptr<Table> table_;
  std::vector<Writer> writers_;
};

TEST_P(SeveralWriters, lose_nothing_acknowledged_when_the_power_is_cut_under_all_of_them) {
  for (int cut = 0; cut < 4; ++cut) {
    SCOPED_TRACE("cut " + std::to_string(cut));
    ASSERT_TRUE(Open(GetParam() * 100 + static_cast<uint64_t>(cut)));
    if (cut > 0) Judge();
    if (HasFailure()) return;
    RunUntilFailure(20, [&] { env_->CutAfter(1 + (GetParam() * 7 + static_cast<uint64_t>(cut) * 13) % 50); });
    EXPECT_TRUE(env_->is_cut());
    table_.reset();
    env_->ForgetUnsynced();
  }
  for (const Writer& writer : writers_) EXPECT_GT(writer.acknowledged, 0u) << writer.name;
}

TEST_P(SeveralWriters, are_all_refused_when_a_sync_fails_under_one_of_them) {
  // No flush in between: it would sync the log that failed, and RocksDB 7.8 built with its assertions (as
  // Debian builds it) then aborts. For the store that is a kill like any other.
  ASSERT_TRUE(Open(1, 16 << 20));
  RunUntilFailure(20, [&] { env_->Fail(ForgetfulEnv::Fault::kWalSync); });
  EXPECT_NE(table_->WriteFault(), "");
  env_->Fail(ForgetfulEnv::Fault::kNone);  // the disk works again, but its content is unknown
  for (const Writer& writer : writers_) {
    std::vector<CommitResult> results;
    const std::vector<CommitRequest> group{writer.Next()};
    EXPECT_EQ(table_->Commit(group, &results).code, StatusCode::kUnavailable) << writer.name;
    EXPECT_EQ(GetText(*table_, writer.partition, "count"),
              writer.acknowledged == 0 ? "-" : std::to_string(writer.acknowledged))
        << "nothing is seen that was not acknowledged";
  }
  EXPECT_EQ(table_->TrimLog(1).code, StatusCode::kUnavailable);
  table_.reset();
  ASSERT_TRUE(Open(2));
  Judge();
}

INSTANTIATE_TEST_SUITE_P(Seeds, SeveralWriters, testing::Range<uint64_t>(1, 5));

}  // namespace
}  // namespace parley::storage
