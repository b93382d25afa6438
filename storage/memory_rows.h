// Ordered rows with their history: every write has a sequence number, and a reader sees the rows as they were
// at one of them.
//
// Each key keeps the versions that a reader may still ask for: the newest at or below the horizon and all
// above it. So a snapshot is free, and a crash can undo everything written after a given point.
//
// Concurrency: no locking; the owner serialises.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/store_rows.h"

namespace parley::storage {

// Grows with every write; 0 is "before the first".
using Sequence = uint64_t;
// Null means deleted. Shared, so that readers can use it after releasing the lock.
using SharedRow = std::shared_ptr<const Row>;
using KeyedRow = std::pair<std::string, SharedRow>;

class MemoryRows {
 public:
  // REQUIRES: `at` is not below any earlier sequence. Drops versions that no reader at or above `horizon` can
  // see.
  void Put(const std::string& key, Sequence at, const std::optional<Row>& row, Sequence horizon);
  SharedRow Find(const std::string& key, Sequence at) const;
  // At most `limit` rows of `span` as of `at`, in `direction`.
  std::vector<KeyedRow> Collect(const KeySpan& span, Direction direction, size_t limit, Sequence at) const;

  // Forgets every write after `at`. REQUIRES: `at` is at or above every horizon so far.
  void RollBack(Sequence at);
  // Drops versions that no reader at or above `horizon` can see.
  void Prune(Sequence horizon);

 private:
  struct Version {
    Sequence at;
    SharedRow row;
  };
  using History = std::vector<Version>;  // oldest first, never empty
  using Map = std::map<std::string, History, std::less<>>;

  static SharedRow AsOf(const History& history, Sequence at);
  void DropUnseen(Map::iterator key, Sequence horizon);

  Map rows_;
  std::set<std::string, std::less<>> with_history_;  // keys with more than one version, or a deletion
};

}  // namespace parley::storage
