#include "tests/storage/backends.h"

#include <cstdio>
#include <cstdlib>

#include "storage/memory_table.h"
#include "storage/rocksdb_table.h"
#include "tests/storage/temp_dir.h"

namespace parley::storage {
namespace {

class MemoryStore final : public StoreUnderTest {
 public:
  Table& table() override { return *table_; }
  void Reopen() override { table_ = OpenMemoryTable(disk_); }

 private:
  std::shared_ptr<MemoryDisk> disk_ = NewMemoryDisk({"ep_test", std::string(32, 's')});
  std::unique_ptr<MemoryTable> table_ = OpenMemoryTable(disk_);
};

class RocksdbStore final : public StoreUnderTest {
 public:
  RocksdbStore() { Open(); }
  Table& table() override { return *table_; }
  void Reopen() override {
    table_.reset();
    Open();
  }

 private:
  void Open() {
    auto opened = OpenRocksdb({.dir = dir_.path()});
    if (const auto* error = std::get_if<OpenError>(&opened)) {
      std::fprintf(stderr, "%s\n", error->message.c_str());
      std::abort();
    }
    table_ = std::move(std::get<0>(opened));
  }

  const TempDir dir_;
  std::unique_ptr<Table> table_;
};

}  // namespace

std::vector<std::string> BackendNames() {
  return {"memory", "rocksdb"};
}

std::unique_ptr<StoreUnderTest> MakeStore(std::string_view backend) {
  if (backend == "rocksdb") return std::make_unique<RocksdbStore>();
  return std::make_unique<MemoryStore>();
}

}  // namespace parley::storage
