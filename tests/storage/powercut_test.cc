// Power cuts at random moments of a random run. Afterwards every acknowledged commit is there, the group
// under way is there as a whole or not at all, the unsynced applies lose a suffix, each with its cursor, and
// the change log lacks only entries that no cursor needs.
#include <gtest/gtest.h>

#include <rocksdb/env.h>

#include <algorithm>
#include <future>
#include <map>
#include <random>

#include "storage/rocksdb_testing.h"
#include "tests/storage/forgetful_env.h"
#include "tests/storage/table_text.h"
#include "tests/storage/temp_dir.h"

namespace parley::storage {
namespace {

constexpr uint8_t kPartitions = 3;

// The content that the store must have.
struct CommitModel {
  std::map<std::string, std::string> rows;  // "partition/sort" -> payload
  Position last = 0;
  Position trimmed = 0;
  Position applied = 0;  // newest apply
  Position durable_applied = 0;

  void Take(const CommitRequest& request) {
    for (const RowWrite& write : request.writes) {
      const std::string key = request.partition.bytes() + "/" + write.sort.bytes();
      if (write.row)
        rows[key] = write.row->payload;
      else
        rows.erase(key);
    }
    if (!request.log_entry.empty()) ++last;
  }
};

// Occupies the thread that flushes memtables, like a machine with other work.
class BusyFlusher {
 public:
  explicit BusyFlusher(rocksdb::Env* env) { env->Schedule(&Occupy, this, rocksdb::Env::HIGH); }
  ~BusyFlusher() {
    over_.set_value();
    left_.get_future().wait();
  }
  BusyFlusher(const BusyFlusher&) = delete;
  BusyFlusher& operator=(const BusyFlusher&) = delete;

 private:
  static void Occupy(void* self) {
    auto* const busy = static_cast<BusyFlusher*>(self);
    busy->over_.get_future().wait();
    busy->left_.set_value();
  }

  std::promise<void> over_, left_;
};

class PowerCut : public testing::TestWithParam<uint64_t> {
 protected:
  void Open(uint64_t env_seed) {
    env_ = std::make_unique<ForgetfulEnv>(env_seed);
    // Small memtables, so that flushes and compactions are cut short, too.
    auto opened = OpenRocksdbOn(
        {.dir = dir_.path(), .block_cache_bytes = 1 << 20, .memtable_bytes = 64 << 10}, env_->env());
    if (const auto* error = std::get_if<OpenError>(&opened)) {
      table_.reset();
      open_error_ = error->message;
    } else {
      table_ = std::move(std::get<0>(opened));
    }
  }

  std::vector<CommitRequest> DrawGroup() {
    std::vector<CommitRequest> group(1 + random_() % 5);
    for (CommitRequest& request : group) {
      request.partition = ThreadPartition("acme", static_cast<uint8_t>(random_() % kPartitions));
      for (size_t i = random_() % 4; i > 0; --i) {
        const std::string sort = std::to_string(random_() % 40);
        request.writes.push_back(random_() % 5 == 0 ? Delete(sort) : Set(sort, Payload()));
      }
      if (random_() % 4 != 0) request.log_entry = "entry " + std::to_string(random_() % 1000);
    }
    return group;
  }
  std::string Payload() { return std::to_string(random_()) + std::string(random_() % 2000, 'x'); }

  // The n-th apply sets the row "last" to n and adds a row of its own.
  bool Apply() {
    const Position n = model_.applied + 1;
    const std::vector<DerivedWrite> writes{{inbox_, Sort("last"), Row{n, std::to_string(n)}},
                                           {inbox_, Sort("apply" + std::to_string(n)), Row{1, Payload()}}};
    if (!table_->Apply(writes, "inbox", n).ok()) return false;
    model_.applied = n;
    return true;
  }

  // Trims up to the cursor, like a worker. Returns false if the call failed.
  bool Trim() {
    trim_under_way_ = std::min(model_.applied, model_.last);
    if (!table_->TrimLog(trim_under_way_).ok()) return false;
    if (trim_under_way_ > model_.trimmed) model_.durable_applied = model_.applied;  // it was synced
    model_.trimmed = std::max(model_.trimmed, trim_under_way_);
    return true;
  }

  // Runs until the power is off. `under_way_` is then the group whose commit did not return ok.
  void RunUntilCut() {
    under_way_.clear();
    for (;;) {
      if (random_() % 16 == 0) {
        if (!Trim()) return;
        continue;
      }
      if (random_() % 3 == 0) {
        if (!Apply()) {
          // The apply may have been written nevertheless.
          ++model_.applied;
          return;
        }
        continue;
      }
      const std::vector<CommitRequest> group = DrawGroup();
      std::vector<CommitResult> results;
      const Status status = table_->Commit(group, &results);
      if (!status.ok()) {
        under_way_ = group;
        return;
      }
      bool wrote = false;
      for (size_t i = 0; i < group.size(); ++i) {
        model_.Take(group[i]);
        wrote |= !group[i].writes.empty() || !group[i].log_entry.empty();
        if (!group[i].log_entry.empty()) {
          ASSERT_EQ(results[i].position, model_.last);
        }
      }
      if (wrote) model_.durable_applied = model_.applied;
    }
  }

  std::map<std::string, std::string> StoredRows() {
    std::map<std::string, std::string> out;
    EXPECT_TRUE(table_
                    ->ScanAll(TableTag::kThreads,
                              [&](const PartitionKey& partition, const SortKey& sort, RowView row) {
                                out[partition.bytes() + "/" + sort.bytes()] = std::string(row.payload);
                                return true;
                              })
                    .ok());
    return out;
  }

  void CheckCommits() {
    CommitModel with_last_group = model_;
    for (const CommitRequest& request : under_way_) with_last_group.Take(request);
    const auto rows = StoredRows();
    const Position last = table_->LastPosition();
    const bool kept = rows == with_last_group.rows && last == with_last_group.last;
    const bool lost = rows == model_.rows && last == model_.last;
    EXPECT_TRUE(kept || lost) << "last position " << last << ", acknowledged " << model_.last
                              << ", under way up to " << with_last_group.last;
    if (kept) {
      with_last_group.durable_applied = model_.durable_applied;
      model_ = with_last_group;
    }
    CheckLog(last);
  }

  // The rest of the change log begins at its trim point, has no holes, and ends at the last position.
  void CheckLog(Position last) {
    Position first = 0;
    const auto begin = table_->ReadLog(0, 1, [&](Position position, std::string_view) {
      first = position;
      return true;
    });
    EXPECT_TRUE(begin.ok());
    const Position trimmed = first == 0 ? last : first - 1;
    EXPECT_TRUE(trimmed == model_.trimmed || trimmed == trim_under_way_)
        << "trimmed through " << trimmed << ", acknowledged " << model_.trimmed << ", under way "
        << trim_under_way_;
    EXPECT_GE(CursorOf(*table_, "inbox"), trimmed) << "a cursor whose entries are gone cannot catch up";
    model_.trimmed = trim_under_way_ = trimmed;
    Position expected = trimmed;
    EXPECT_TRUE(table_
                    ->ReadLog(0, SIZE_MAX,
                              [&](Position position, std::string_view) {
                                EXPECT_EQ(position, ++expected);
                                return true;
                              })
                    .ok());
    EXPECT_EQ(expected, last);
  }

  void CheckApplies() {
    const Position cursor = CursorOf(*table_, "inbox");
    EXPECT_GE(cursor, model_.durable_applied) << "a commit that came later was acknowledged";
    EXPECT_LE(cursor, model_.applied);
    size_t rows = 0;
    EXPECT_TRUE(table_
                    ->Scan(inbox_, SortRange::Prefix(Sort("apply")), Direction::kForward, SIZE_MAX,
                           [&](std::string_view sort, RowView) {
                             ++rows;
                             EXPECT_LE(std::stoull(std::string(sort.substr(5))), cursor)
                                 << "a row without its cursor";
                             return true;
                           })
                    .ok());
    EXPECT_EQ(rows, cursor) << "a cursor without its rows";
    EXPECT_EQ(GetText(*table_, inbox_, "last"), cursor == 0 ? "-" : std::to_string(cursor));
    model_.applied = model_.durable_applied = cursor;  // reopening wrote the recovered applies to the disk
  }

  std::mt19937_64 random_{GetParam()};
  const TempDir dir_;
  const PartitionKey inbox_ = InboxPartition("acme", "ann");
  std::unique_ptr<ForgetfulEnv> env_;
  std::unique_ptr<Table> table_;
  std::string open_error_;
  CommitModel model_;
  std::vector<CommitRequest> under_way_;
  Position trim_under_way_ = 0;
};

TEST_P(PowerCut, loses_nothing_acknowledged_and_no_apply_without_its_cursor) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  std::string epoch;
  for (int cut = 0; cut < 6; ++cut) {
    Open(random_());
    ASSERT_NE(table_, nullptr) << open_error_;
    if (cut > 0) {
      EXPECT_EQ(table_->identity().epoch, epoch);
      CheckCommits();
      CheckApplies();
      if (HasFailure()) return;
    }
    epoch = table_->identity().epoch;
    env_->CutAfter(1 + random_() % 600);
    RunUntilCut();
    EXPECT_TRUE(env_->is_cut());
    EXPECT_NE(table_->WriteFault(), "");
    table_.reset();
    env_->ForgetUnsynced();
  }
}

// A full memtable begins a new WAL file. An early flush syncs the older files; the applies in them must not
// survive for this reason alone, because a newer file may reach the disk before an older one.
TEST_P(PowerCut, takes_only_the_newest_applies_when_several_wal_files_are_unsynced) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  for (int cut = 0; cut < 6; ++cut) {
    Open(random_());
    ASSERT_NE(table_, nullptr) << open_error_;
    CheckApplies();
    if (HasFailure()) return;
    {
      const BusyFlusher busy(env_->env());
      env_->CutAfter(60 + random_() % 100);  // some 55 applies fill a memtable; beyond three RocksDB waits
      while (Apply()) {
      }
      ++model_.applied;  // the last may have been written nevertheless
    }
    table_.reset();
    env_->ForgetUnsynced();
  }
}

TEST_P(PowerCut, while_a_store_is_created_or_opened_leaves_a_store_that_opens) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  for (int cut = 0; cut < 8; ++cut) {
    env_ = std::make_unique<ForgetfulEnv>(random_());
    env_->CutAfter(1 + random_() % 40);
    { const auto opened = OpenRocksdbOn({.dir = dir_.path()}, env_->env()); }
    env_->ForgetUnsynced();
  }
  Open(1);
  ASSERT_NE(table_, nullptr) << open_error_;
  EXPECT_EQ(CommitText(*table_, {ThreadPartition("acme", 1), {}, {Set("a", "1")}, "one"}), "ok@1");
  table_.reset();
  env_.reset();
}

INSTANTIATE_TEST_SUITE_P(Seeds, PowerCut, testing::Range<uint64_t>(1, 7));

}  // namespace
}  // namespace parley::storage
