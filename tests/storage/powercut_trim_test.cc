// The power is cut at every single disk operation around a trim of the change log: the entries are there or
// removed as a whole, positions continue, and no cursor is before the rest.
#include <gtest/gtest.h>

#include "storage/rocksdb_testing.h"
#include "tests/storage/forgetful_env.h"
#include "tests/storage/table_text.h"
#include "tests/storage/temp_dir.h"

namespace parley::storage {
namespace {

constexpr Position kEntries = 24;

class PowerCutTrim : public testing::TestWithParam<Position> {
 protected:
  std::unique_ptr<Table> Open(const std::string& dir, ForgetfulEnv& env) {
    // Small memtables: part of the log is in files, part in the WAL alone.
    auto opened =
        OpenRocksdbOn({.dir = dir, .block_cache_bytes = 1 << 20, .memtable_bytes = 64 << 10}, env.env());
    if (const auto* error = std::get_if<OpenError>(&opened)) {
      ADD_FAILURE() << error->message;
      return nullptr;
    }
    return std::move(std::get<0>(opened));
  }

  // Writes the log, and a projection that has processed all of it, unsynced.
  void Fill(Table& table) {
    for (Position i = 1; i <= kEntries; ++i)
      ASSERT_EQ(CommitText(table, {thread_, {}, {}, std::to_string(i) + std::string(8000, 'e')}),
                "ok@" + std::to_string(i));
    const std::vector<DerivedWrite> rows{{inbox_, Sort("a"), Row{1, "1"}}};
    ASSERT_TRUE(table.Apply(rows, "inbox", kEntries).ok());
  }

  // Cuts the power during the n-th operation of a trim, and checks the store. Returns false once the trim is
  // over.
  bool CutDuring(uint64_t operation) {
    const TempDir temp;
    const std::string dir = temp.path() + "/store";
    auto env = std::make_unique<ForgetfulEnv>(operation);
    auto table = Open(dir, *env);
    Fill(*table);
    env->CutAfter(operation);
    const bool acknowledged = table->TrimLog(GetParam()).ok();
    const bool cut = env->is_cut();
    table.reset();  // closing may be cut short, too
    env->ForgetUnsynced();
    env = std::make_unique<ForgetfulEnv>(1);
    table = Open(dir, *env);
    if (!table) return false;
    Judge(*table, acknowledged);
    table.reset();
    return cut;
  }

  void Judge(Table& table, bool acknowledged) {
    Position first = 0, expected = 0;
    EXPECT_TRUE(table
                    .ReadLog(0, SIZE_MAX,
                             [&](Position position, std::string_view entry) {
                               if (first == 0) first = expected = position;
                               EXPECT_EQ(position, expected++);
                               EXPECT_TRUE(entry.starts_with(std::to_string(position) + "e"));
                               return true;
                             })
                    .ok());
    const Position trimmed = first == 0 ? kEntries : first - 1;
    EXPECT_TRUE(trimmed == GetParam() || (trimmed == 0 && !acknowledged)) << "trimmed through " << trimmed;
    EXPECT_EQ(table.LastPosition(), kEntries);
    EXPECT_GE(CursorOf(table, "inbox"), trimmed) << "a cursor whose entries are gone cannot catch up";
    EXPECT_EQ(GetText(table, inbox_, "a"), CursorOf(table, "inbox") == 0 ? "-" : "1");
    EXPECT_EQ(CommitText(table, {thread_, {}, {}, "next"}), "ok@" + std::to_string(kEntries + 1));
    EXPECT_TRUE(table.TrimLog(GetParam()).ok());
    EXPECT_EQ(table.LastPosition(), kEntries + 1);
  }

  const PartitionKey thread_ = ThreadPartition("acme", 1);
  const PartitionKey inbox_ = InboxPartition("acme", "ann");
};

TEST_P(PowerCutTrim, at_any_operation_leaves_the_log_and_its_cursors_in_agreement) {
  uint64_t operation = 1;
  for (; operation < 200 && !HasFailure(); ++operation) {
    SCOPED_TRACE("operation " + std::to_string(operation));
    if (!CutDuring(operation)) break;
  }
  EXPECT_GT(operation, 2u) << "a write and its sync at least";
  EXPECT_LT(operation, 200u) << "the trim never ended";
}

INSTANTIATE_TEST_SUITE_P(Through, PowerCutTrim, testing::Values(1, kEntries / 2, kEntries));

}  // namespace
}  // namespace parley::storage
