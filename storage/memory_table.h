// The in-memory backend: the same contract as RocksDB, for tests and the simulator, which also crash it.
#pragma once

#include <memory>
#include <string>

#include "storage/table.h"

namespace parley::storage {

// The state that survives a crash: the "disk". Share it between successive tables to restart.
class MemoryDisk;
std::shared_ptr<MemoryDisk> NewMemoryDisk(StoreIdentity identity);

// Faults that a test injects. Each applies to the next matching call and is then used up.
enum class MemoryFault : uint8_t {
  kNone,
  kCommitFails,        // Commit(): kUnavailable, nothing written
  kCommitUnknownKept,  // Commit(): kUnknown, but everything was written
  kCommitUnknownLost,  // Commit(): kUnknown, and nothing was written
};

class MemoryTable : public Table {
 public:
  virtual void InjectFault(MemoryFault fault) = 0;
  // Loses every Apply() since the last Commit() (they had no sync of their own), as a power cut does, but
  // keeps the first `kept_applies` of them. The table rejects everything afterwards; open another on the same
  // disk.
  virtual void Crash(size_t kept_applies) = 0;
  virtual size_t UnsyncedApplies() const = 0;
  // Rows returned by reads since the last call; tests use it to bound the work of a page.
  virtual size_t TakeRowsRead() = 0;
};
std::unique_ptr<MemoryTable> OpenMemoryTable(std::shared_ptr<MemoryDisk> disk);
// With its own disk.
std::unique_ptr<MemoryTable> NewMemoryTable();

}  // namespace parley::storage
