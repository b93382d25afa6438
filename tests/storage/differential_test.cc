// The same random steps on both backends, with restarts; everything observable is compared after each.
#include <gtest/gtest.h>

#include <random>

#include "storage/memory_table.h"
#include "storage/rocksdb_testing.h"
#include "tests/storage/forgetful_env.h"
#include "tests/storage/table_text.h"
#include "tests/storage/temp_dir.h"

namespace parley::storage {
namespace {

constexpr int kSteps = 400;
constexpr size_t kSnapshotsMax = 3;

// One backend and the snapshots taken of it.
struct Side {
  std::unique_ptr<Table> table;
  std::vector<Snapshot> snapshots;
};

std::string DumpText(const Reader& reader) {
  std::string out;
  const Status status =
      reader.ScanAll(std::nullopt, [&](const PartitionKey& partition, const SortKey& sort, RowView row) {
        out += partition.bytes() + "/" + sort.bytes() + " v" + std::to_string(row.version) + "=" +
               std::string(row.payload) + "\n";
        return true;
      });
  return out + std::to_string(static_cast<int>(status.code));
}

std::string StateText(const Table& table) {
  return DumpText(table) + "\nlog " + LogText(table) + "\nlast " + std::to_string(table.LastPosition()) +
         "\ncursors " + std::to_string(CursorOf(table, "p0")) + " " + std::to_string(CursorOf(table, "p1")) +
         "\nfault " + table.WriteFault();
}

class TableDifferential : public testing::TestWithParam<uint64_t> {
 protected:
  TableDifferential() { OpenBoth(); }

  void OpenBoth() {
    memory_.table = OpenMemoryTable(disk_);
    // The Env omits the real syncs. Memtables are small, so that rows are read from files, too.
    auto opened = OpenRocksdbOn(
        {.dir = dir_.path(), .block_cache_bytes = 1 << 20, .memtable_bytes = 64 << 10}, env_.env());
    if (const auto* error = std::get_if<OpenError>(&opened)) {
      ADD_FAILURE() << error->message;
      return;
    }
    rocksdb_.table = std::move(std::get<0>(opened));
  }
  void CloseBoth() {
    for (Side* side : {&memory_, &rocksdb_}) {
      side->snapshots.clear();
      side->table.reset();
    }
  }

  size_t Draw(size_t n) { return random_() % n; }
  std::string DrawSort() {
    // Few keys, so that steps collide; some are prefixes of others, some are the highest possible.
    static const std::string kSorts[] = {"a", "ab", "abc", "b", "c", "\xff", "\xff\xff", "m", "n", "zz"};
    return kSorts[Draw(std::size(kSorts))];
  }
  PartitionKey DrawPartition() {
    switch (Draw(3)) {
      case 0:
        return ThreadPartition("acme", static_cast<uint8_t>(Draw(2)));
      case 1:
        return InboxPartition("acme", Draw(2) == 0 ? "ann" : "anna");
      default:
        return InboxPartition("zeta", "ann");
    }
  }
  std::optional<Row> DrawRow() {
    if (Draw(4) == 0) return std::nullopt;
    return Row{Draw(4), std::to_string(random_()) + std::string(Draw(10) == 0 ? 4000 : 10, 'x')};
  }
  SortRange DrawRange() {
    switch (Draw(4)) {
      case 0:
        return SortRange::All();
      case 1:
        return SortRange::Prefix(Sort(DrawSort()));
      default:
        return {Draw(4) == 0 ? SortKey() : Sort(DrawSort()), Draw(4) == 0 ? SortKey() : Sort(DrawSort())};
    }
  }
  Precondition DrawPrecondition() {
    constexpr Precondition::Kind kKinds[] = {Precondition::Kind::kAbsent, Precondition::Kind::kPresent,
                                             Precondition::Kind::kVersionIs};
    return {Sort(DrawSort()), kKinds[Draw(3)], Draw(4)};
  }
  CommitRequest DrawRequest() {
    CommitRequest request{DrawPartition(), {}, {}, Draw(4) == 0 ? "" : "e" + std::to_string(Draw(100))};
    for (size_t i = Draw(3); i > 0; --i) request.preconditions.push_back(DrawPrecondition());
    for (size_t i = Draw(5); i > 0; --i) request.writes.push_back({Sort(DrawSort()), DrawRow()});
    return request;
  }

  // A step's result must be the same on both.
  template <class Ask>
  void Both(const Ask& ask) {
    ASSERT_EQ(ask(memory_), ask(rocksdb_));
  }

  void Commit() {
    std::vector<CommitRequest> group(1 + Draw(6));
    for (CommitRequest& request : group) request = DrawRequest();
    Both([&](Side& side) { return CommitText(*side.table, group); });
  }
  void Apply() {
    std::vector<DerivedWrite> writes(Draw(5));
    for (DerivedWrite& write : writes) write = {DrawPartition(), Sort(DrawSort()), DrawRow()};
    const std::string projection = "p" + std::to_string(Draw(2));
    const Position cursor = Draw(50);
    Both([&](Side& side) { return side.table->Apply(writes, projection, cursor).code; });
  }
  void Read() {
    const PartitionKey partition = DrawPartition();
    const SortRange range = DrawRange();
    const Direction direction = Draw(2) == 0 ? Direction::kForward : Direction::kReverse;
    const size_t limit = Draw(3) == 0 ? Draw(5) : SIZE_MAX;
    std::vector<RowKey> keys(Draw(8));
    for (RowKey& key : keys) key = {DrawPartition(), Sort(DrawSort())};
    const size_t which = Draw(1 + memory_.snapshots.size());
    Both([&](Side& side) {
      const Reader& reader = which == 0 ? *side.table : *side.snapshots[which - 1];
      std::vector<std::optional<Row>> rows;
      std::string out = ScanText(reader, partition, range, direction, limit);
      EXPECT_TRUE(reader.MultiGet(keys, &rows).ok());
      for (size_t i = 0; i < keys.size(); ++i) {
        out += "\n" + (rows[i] ? std::to_string(rows[i]->version) + rows[i]->payload : "-");
        out += "|" + GetText(reader, keys[i].partition, keys[i].sort.bytes());
      }
      return out;
    });
  }
  void ReadLog() {
    const Position after = Draw(100);
    const size_t limit = Draw(20);
    Both([&](Side& side) { return LogText(*side.table, after, limit); });
  }
  void TakeOrDropSnapshot() {
    const bool full = memory_.snapshots.size() == kSnapshotsMax;
    const size_t victim = full ? Draw(kSnapshotsMax) : 0;
    for (Side* side : {&memory_, &rocksdb_}) {
      if (full) {
        side->snapshots.erase(side->snapshots.begin() + static_cast<ptrdiff_t>(victim));
      } else {
        side->snapshots.push_back(side->table->NewSnapshot());
      }
    }
  }
  void Trim() {
    const Position through = Draw(memory_.table->LastPosition() + 3);
    Both([&](Side& side) { return side.table->TrimLog(through).code; });
  }
  void Restart() {
    if (Draw(2) == 0) {
      auto& memory = static_cast<MemoryTable&>(*memory_.table);
      // RocksDB is merely closed, so nothing may be lost; powercut_test.cc compares power cuts with losses.
      memory.Crash(memory.UnsyncedApplies() == 0 ? 0 : SIZE_MAX);
    }
    CloseBoth();
    OpenBoth();
  }

  void Step() {
    switch (Draw(100)) {
      case 0:
        return Restart();
      case 1:
      case 2:
      case 3:
        return Trim();
      case 4:
      case 5:
      case 6:
      case 7:
      case 8:
      case 9:
        return TakeOrDropSnapshot();
      default:
        break;
    }
    switch (Draw(5)) {
      case 0:
      case 1:
        return Commit();
      case 2:
        return Apply();
      case 3:
        return Read();
      default:
        return ReadLog();
    }
  }

  std::mt19937_64 random_{GetParam()};
  const TempDir dir_;
  ForgetfulEnv env_{1};
  const std::shared_ptr<MemoryDisk> disk_ = NewMemoryDisk({"ep_test", std::string(32, 's')});
  Side memory_, rocksdb_;
};

TEST_P(TableDifferential, both_backends_return_and_contain_the_same_after_every_step) {
  for (int step = 0; step < kSteps; ++step) {
    SCOPED_TRACE("seed " + std::to_string(GetParam()) + ", step " + std::to_string(step));
    Step();
    ASSERT_FALSE(HasFailure());
    ASSERT_EQ(StateText(*memory_.table), StateText(*rocksdb_.table));
    for (size_t i = 0; i < memory_.snapshots.size(); ++i) {
      ASSERT_EQ(DumpText(*memory_.snapshots[i]), DumpText(*rocksdb_.snapshots[i])) << "snapshot " << i;
    }
  }
  CloseBoth();
}

INSTANTIATE_TEST_SUITE_P(Seeds, TableDifferential, testing::Range<uint64_t>(1, 11));

}  // namespace
}  // namespace parley::storage
