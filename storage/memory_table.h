// The in-memory backend: the same contract as RocksDB, for tests and the simulator, which also crash it.
#pragma once

#include <memory>
#include <string>

#include "storage/table.h"

namespace parley::storage {

// What outlives a crash: the "disk". Share it between successive tables to restart.
class MemoryDisk;
std::shared_ptr<MemoryDisk> NewMemoryDisk(StoreIdentity identity);

// Faults a test asks for. Each applies to the next call it fits and is then used up.
enum class MemoryFault : uint8_t {
  kNone,
  kCommitFails,        // Commit(): kUnavailable, nothing written
  kCommitUnknownKept,  // Commit(): kUnknown, but everything was written
  kCommitUnknownLost,  // Commit(): kUnknown, and nothing was written
};

class MemoryTable : public Table {
 public:
  virtual void InjectFault(MemoryFault fault) = 0;
  // Loses every Apply() since the last Commit() (they had no sync of their own) as a power cut does, keeping
  // the first `kept_applies` of them. The table refuses everything afterwards; open another on the same disk.
  virtual void Crash(size_t kept_applies) = 0;
  virtual size_t UnsyncedApplies() const = 0;
  // Rows handed out by reads since the last call; tests bound the work of a page with it.
  virtual size_t TakeRowsRead() = 0;
};
std::unique_ptr<MemoryTable> OpenMemoryTable(std::shared_ptr<MemoryDisk> disk);
// With a disk of its own.
std::unique_ptr<MemoryTable> NewMemoryTable();

}  // namespace parley::storage
