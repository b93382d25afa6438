// A group of commits that becomes one WriteBatch: the requests' writes, and the view that later requests have
// of earlier ones. Not thread-safe; lives for one Commit().
#pragma once

#include <rocksdb/write_batch.h>

#include <unordered_map>
#include <vector>

#include "storage/rocksdb_internal.h"

namespace parley::storage {

class CommitGroup {
 public:
  // Log entries are numbered from `last` + 1. REQUIRES: `requests` outlives the group.
  CommitGroup(const Database& database, Position last, std::span<const CommitRequest> requests);

  // Processes the requests in order and reports the result of each. On failure (a read failed) nothing may be
  // written.
  Status Decide(std::vector<CommitResult>* results);

  // If several requests wrote a row, it contains only the last version.
  rocksdb::WriteBatch Batch() const;
  bool empty() const { return rows_.empty() && log_.empty(); }
  Position last() const { return last_ + log_.size(); }

 private:
  struct PendingRow {
    std::string key;
    Family family;
    const std::optional<Row>* row;  // in the requests
  };
  const PendingRow* Find(const std::string& key) const;  // its last write

  Status DecideOne(const CommitRequest& request, CommitResult* result);
  Status Current(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const;
  void Put(const PartitionKey& partition, const RowWrite& write);

  const Database& database_;
  const Position last_;
  const std::span<const CommitRequest> requests_;
  std::vector<PendingRow> rows_;  // in the order of the requests; a row may occur several times
  // Key -> index of its last write, for the first `placed_` rows: built for the first precondition, which few
  // requests have.
  mutable std::unordered_map<std::string_view, size_t> places_;
  mutable size_t placed_ = 0;
  std::vector<std::string_view> log_;
};

// Adds a row, or its deletion, to a batch.
void BatchRow(rocksdb::WriteBatch* batch, rocksdb::ColumnFamilyHandle* family, std::string_view key,
              const std::optional<Row>& row);

}  // namespace parley::storage
