#include "tests/storage/backends.h"

#include <cassert>

#include "storage/memory_table.h"

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

}  // namespace

std::vector<std::string> BackendNames() {
  return {"memory"};
}

std::unique_ptr<StoreUnderTest> MakeStore(std::string_view backend) {
  assert(backend == "memory");
  return std::make_unique<MemoryStore>();
}

}  // namespace parley::storage
