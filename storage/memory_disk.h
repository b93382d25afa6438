// The state that survives a memory table's close or crash. Private to the memory backend.
#pragma once

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "protocol/base/mutex.h"
#include "storage/memory_rows.h"
#include "storage/memory_table.h"

namespace parley::storage {

class MemoryDisk {
 public:
  explicit MemoryDisk(StoreIdentity store) : identity(std::move(store)) {}

  const StoreIdentity identity;
  protocol::Mutex mutex;

  // Counts the tables opened on this disk; only the newest may use it.
  uint64_t generation GUARDED_BY(mutex) = 0;

  MemoryRows rows GUARDED_BY(mutex);
  Sequence last GUARDED_BY(mutex) = 0;               // newest write
  Sequence durable GUARDED_BY(mutex) = 0;            // newest synced write; a crash rolls back to it
  std::vector<Sequence> unsynced GUARDED_BY(mutex);  // one for each Apply() since then
  std::multiset<Sequence> pins GUARDED_BY(mutex);    // the sequences that snapshots read at

  std::deque<std::string> log GUARDED_BY(mutex);
  Position trimmed GUARDED_BY(mutex) = 0;  // log[0] is at trimmed + 1
  Position LastPosition() const REQUIRES(mutex) { return trimmed + log.size(); }

  // No reader reads below it.
  Sequence Horizon() const REQUIRES(mutex) {
    return pins.empty() ? durable : std::min(durable, *pins.begin());
  }

  void MarkSynced() REQUIRES(mutex) {
    durable = last;
    unsynced.clear();
    PruneIfHorizonMoved();
  }
  void Unpin(Sequence at) REQUIRES(mutex) {
    pins.erase(pins.find(at));
    PruneIfHorizonMoved();
  }

 private:
  void PruneIfHorizonMoved() REQUIRES(mutex) {
    const Sequence horizon = Horizon();
    if (horizon == pruned_) return;
    pruned_ = horizon;
    rows.Prune(horizon);
  }
  Sequence pruned_ GUARDED_BY(mutex) = 0;
};

}  // namespace parley::storage
