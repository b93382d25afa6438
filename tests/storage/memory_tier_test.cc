// Reader::InMemory() either misses or returns the same as the disk.
#include <random>

#include "storage/guarded_reader.h"
#include "storage/memory_table.h"
#include "storage/rocksdb_reader.h"
#include "storage/row_format.h"
#include "storage/store_rows.h"
#include "tests/storage/rocksdb_fixture.h"

namespace parley::storage {
namespace {

// Rows in many files, more than RocksDB keeps open, none of them cached at first.
class MemoryTier : public RocksdbFailure {
 protected:
  static constexpr size_t kFiles = 40, kRows = 2400, kPartitions = 4;

  PartitionKey Partition(size_t i) const { return ThreadPartition("acme", static_cast<uint8_t>(i)); }
  static SortKey Key(size_t n) { return Sort(std::to_string(100'000 + n)); }
  static std::string Payload(size_t n) { return std::to_string(n) + std::string(300, 'x'); }

  void SetUp() override {
    Open();
    // Row n is in file n % kFiles, so that every scan reads from many files.
    for (size_t file = 0; file < kFiles; ++file) {
      for (size_t n = file; n < kRows; n += kFiles)
        Put(Partition(n % kPartitions), Key(n), EncodeRowHead(1) + Payload(n));
      ASSERT_TRUE(database_->db->Flush({}, database_->family(Family::kRows)).ok());
    }
    Open();
  }
  void Put(const PartitionKey& partition, const SortKey& sort, const std::string& value) {
    ASSERT_TRUE(
        database_->db->Put({}, database_->family(Family::kRows), RowKeyBytes(partition, sort), value).ok());
  }
  void Open(int files_open = 20) {
    snapshot_.reset();
    database_.reset();
    RocksdbSettings settings{.dir = dir_};
    settings.block_cache_bytes = size_t{8} << 20;
    rocksdb::DBOptions options = DatabaseOptions(settings, rocksdb::Env::Default());
    options.max_open_files = files_open;
    auto families = FamilyDescriptors(settings);
    for (auto& family : families) family.options.disable_auto_compactions = true;
    auto database = std::make_unique<Database>();
    rocksdb::DB* db = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(options, dir_, families, &database->handles, &db).ok());
    database->db.reset(db);
    database_ = std::move(database);
    snapshot_ = NewRocksdbSnapshot(*database_);
  }
  // The rows as text; nullopt if the read missed.
  static std::optional<std::string> TextOf(const Reader& reader, const PartitionKey& partition,
                                           const SortRange& range, Direction direction, size_t limit) {
    std::string out;
    const Status status = reader.Scan(partition, range, direction, limit, [&](auto sort, RowView row) {
      out += std::string(sort) + "=" + std::string(row.payload.substr(0, 8)) + " ";
      return true;
    });
    if (status.code == StatusCode::kNotInMemory) return std::nullopt;
    EXPECT_TRUE(status.ok()) << status.detail;
    return out;
  }
  ~MemoryTier() override { snapshot_.reset(); }

  std::unique_ptr<Database> database_;
  Snapshot snapshot_;
};

TEST_F(MemoryTier, misses_in_a_cold_store_and_returns_rows_of_a_warm_one) {
  const Reader& memory = snapshot_->InMemory();
  size_t cold = 0;
  for (size_t n = 0; n < kRows; ++n) {
    std::optional<Row> row;
    const Status status = memory.Get(Partition(n % kPartitions), Key(n), &row);
    cold += status.code == StatusCode::kNotInMemory;
    if (status.ok()) {
      ASSERT_TRUE(row && row->payload == Payload(n)) << n;
    }
  }
  EXPECT_EQ(cold, kRows);
  // A row that was just written needs no file.
  Put(Partition(0), Key(kRows), EncodeRowHead(1) + "new");
  const Snapshot later = NewRocksdbSnapshot(*database_);
  std::optional<Row> row;
  ASSERT_TRUE(later->InMemory().Get(Partition(0), Key(kRows), &row).ok());
  EXPECT_EQ(row->payload, "new");
}

TEST_F(MemoryTier, answers_after_any_reads_as_the_disk_does_or_not_at_all) {
  std::mt19937 random(7);
  const auto roll = [&](size_t below) { return static_cast<size_t>(random() % below); };
  size_t answered = 0, missed = 0;
  for (int step = 0; step < 2000; ++step) {
    if (step % 200 == 0) Open(200);  // cold again, now without a limit of open files
    const Reader& memory = snapshot_->InMemory();
    const PartitionKey partition = Partition(roll(kPartitions));
    size_t from = roll(kRows), to = from + roll(60);
    const SortRange range{Key(from), Key(to)};
    const Direction direction = roll(2) ? Direction::kForward : Direction::kReverse;
    const size_t limit = roll(3) ? SIZE_MAX : 1 + roll(5);
    const auto seen = TextOf(memory, partition, range, direction, limit);
    std::vector<RowKey> keys;
    for (size_t i = 0; i < 3; ++i) keys.push_back({partition, Key(from + i)});
    std::vector<std::optional<Row>> some;
    const Status together = memory.MultiGet(keys, &some);
    if (roll(4) == 0) {  // reads from the disk, too, which caches the blocks
      const auto truth = TextOf(*snapshot_, partition, range, direction, limit);
      if (seen) {
        EXPECT_EQ(*seen, *truth) << "step " << step;
      }
      std::vector<std::optional<Row>> all;
      ASSERT_TRUE(snapshot_->MultiGet(keys, &all).ok());
      for (size_t i = 0; together.ok() && i < keys.size(); ++i) {
        ASSERT_EQ(some[i].has_value(), all[i].has_value()) << "step " << step;
        if (all[i]) {
          EXPECT_EQ(some[i]->payload, all[i]->payload);
        }
      }
    }
    ++(seen ? answered : missed);
  }
  EXPECT_GT(answered, 100u);
  EXPECT_GT(missed, 100u);
}

// Counts the calls by which this thread read from a file.
int64_t ReadCalls() {
  std::ifstream in("/proc/thread-self/io");
  std::string name;
  for (int64_t value = 0; in >> name >> value;) {
    if (name == "syscr:") return value;
  }
  return -1;
}

TEST_F(MemoryTier, never_reads_a_file) {
  Open(200);
  const int64_t start = ReadCalls(), look = ReadCalls() - start;
  // Half of the files are open and cached.
  for (size_t n = 0; n < kRows; ++n) {
    if (n % kFiles < kFiles / 2) GetText(*snapshot_, Partition(n % kPartitions), Key(n).bytes());
  }
  EXPECT_GT(ReadCalls() - start, 2 * look + 20) << "reads are counted";
  const int64_t before = ReadCalls();
  const Reader& memory = snapshot_->InMemory();
  for (size_t n = 0; n < kRows; ++n) {
    GetText(memory, Partition(n % kPartitions), Key(n).bytes());
    TextOf(memory, Partition(n % kPartitions), {Key(n), Key(n + 20)}, Direction::kReverse, SIZE_MAX);
  }
  EXPECT_EQ(ReadCalls() - before, look);
}

TEST_F(MemoryTier, an_attempt_knows_that_it_missed_whatever_its_user_made_of_it) {
  MemoryAttempt attempt(*snapshot_);
  std::optional<Row> row;
  (void)attempt.Get(Partition(0), Key(0), &row);
  EXPECT_TRUE(attempt.missed());
  MemoryAttempt again(*snapshot_);
  ASSERT_TRUE(snapshot_->Get(Partition(0), Key(0), &row).ok());
  ASSERT_TRUE(again.Get(Partition(0), Key(0), &row).ok());
  EXPECT_FALSE(again.missed());
  EXPECT_EQ(row->payload, Payload(0));
}

TEST_F(MemoryTier, an_abandoned_read_ends_at_the_next_row) {
  std::atomic<bool> over = false;
  const EndableReader reader(*snapshot_, over);
  size_t visited = 0;
  const Status status =
      reader.Scan(Partition(0), SortRange::All(), Direction::kForward, SIZE_MAX, [&](auto, RowView) {
        over = ++visited == 3;
        return true;
      });
  EXPECT_EQ(status.code, StatusCode::kUnavailable);
  EXPECT_EQ(visited, 3u);
  std::optional<Row> row;
  EXPECT_EQ(reader.Get(Partition(0), Key(0), &row).code, StatusCode::kUnavailable);
}

TEST(MemoryTierOfMemory, is_all_of_it) {
  const auto table = NewMemoryTable();
  const PartitionKey partition = ThreadPartition("acme", 1);
  CommitText(*table, {partition, {}, {Set("a", "1")}, ""});
  const Snapshot snapshot = table->NewSnapshot();
  EXPECT_EQ(GetText(snapshot->InMemory(), partition, "a"), "1");
}

}  // namespace
}  // namespace parley::storage
