// Records the upkeep of the projections for operators: the threads that a projection skips because one of
// their rows cannot be read, and the repairs. Each tenant has a partition for them in the table of
// placements, under an id that no thread has.
//
// Thread contract: pure; reads over any storage::Reader.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "protocol/base/ids.h"
#include "protocol/base/time.h"
#include "storage/table.h"

namespace parley::fanout {

using protocol::TenantId;
using protocol::ThreadId;
using protocol::UserId;

storage::PartitionKey UpkeepPartition(const TenantId& tenant);
storage::SortKey AsideKey(std::string_view projection, const ThreadId& thread);
storage::SortKey RepairKey(uint64_t number);

// A thread that a projection skips until the thread changes. Its rows in that projection are as they were
// before the first unreadable change.
struct AsideThread {
  std::string projection;
  TenantId tenant;
  ThreadId thread;
  std::string why;
};
storage::DerivedWrite AsideWrite(const AsideThread& aside);
storage::DerivedWrite BackWrite(std::string_view projection, const TenantId& tenant, const ThreadId& thread);

// Returns true if any projection skips the thread.
bool IsAside(const storage::Reader& reader, const TenantId& tenant, const ThreadId& thread);

// Orders to recompute a thread's derived rows, regardless of the log. `users`: present or former members
// whose inboxes differ; their inboxes are searched for rows of the thread, and recounted.
struct RepairOrder {
  TenantId tenant;
  ThreadId thread;
  std::set<UserId> users;
  std::string what;  // the difference found; if empty, the repair is not recorded
  protocol::Time at;
};

// A difference between derived rows and their source that was repaired.
struct RepairRecord {
  uint64_t number = 0;  // 1, 2, 3 … per tenant
  protocol::Time at;
  std::string what;  // ids and numbers, never users' text
};
inline constexpr uint64_t kRepairsKept = 1000;  // per tenant, the newest
inline constexpr size_t kRepairTextMax = 2000;  // bytes in one
// Adds the writes of the next record: the record itself, and the deletion of the one that is now too old.
storage::Status RecordRepair(const storage::Reader& reader, const TenantId& tenant, protocol::Time at,
                             std::string what, std::vector<storage::DerivedWrite>* out);

// Reads all records.
struct Upkeep {
  std::vector<AsideThread> aside;
  std::vector<std::pair<TenantId, RepairRecord>> repairs;
};
storage::Status ReadUpkeep(const storage::Reader& reader, const TenantId& tenant, Upkeep* out);

}  // namespace parley::fanout
