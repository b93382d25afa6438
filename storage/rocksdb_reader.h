// Reads of the RocksDB backend, live or from a snapshot, from disk or from memory alone.
// Thread-safe.
#pragma once

#include "storage/rocksdb_internal.h"

namespace parley::storage {

class RocksdbReader final : public Reader {
 public:
  // A null snapshot reads the latest. REQUIRES: both outlive the reader.
  explicit RocksdbReader(const Database& database, const rocksdb::Snapshot* snapshot = nullptr,
                         rocksdb::ReadTier tier = rocksdb::kReadAllTier)
      : database_(database), snapshot_(snapshot), tier_(tier) {}

  Status Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const override;
  Status MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const override;
  Status Scan(const PartitionKey& partition, const SortRange& range, Direction direction, size_t limit,
              const RowVisitor& visit) const override;
  // REQUIRES: reads a snapshot.
  Status ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const override;

 private:
  rocksdb::ReadOptions Options() const;

  const Database& database_;
  const rocksdb::Snapshot* const snapshot_;
  const rocksdb::ReadTier tier_;  // kBlockCacheTier: memtables and cached blocks
};

// A reader together with the RocksDB snapshot that it reads.
Snapshot NewRocksdbSnapshot(const Database& database);

}  // namespace parley::storage
