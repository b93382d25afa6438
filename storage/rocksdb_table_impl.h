// The Table on an open RocksDB. Private to the RocksDB backend: made by rocksdb_open.cc.
#pragma once

#include <atomic>

#include "storage/rocksdb_reader.h"
#include "storage/ticket_mutex.h"
#include "storage/write_fault.h"

namespace parley::storage {

class RocksdbTable final : public Table {
 public:
  // The state of the change log when the store is opened.
  struct LogState {
    Position trimmed = 0;
    Position last = 0;
  };

  RocksdbTable(std::unique_ptr<Database> database, std::shared_ptr<WriteFaultLatch> fault,
               StoreIdentity identity, LogState log);

  const StoreIdentity& identity() const override { return identity_; }
  Status Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const override;
  Status MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const override;
  Status Scan(const PartitionKey& partition, const SortRange& range, Direction direction, size_t limit,
              const RowVisitor& visit) const override;
  Status ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const override;
  Snapshot NewSnapshot() const override;

  Status Commit(std::span<const CommitRequest> requests, std::vector<CommitResult>* results) override;
  Status Apply(std::span<const DerivedWrite> writes, std::string_view projection, Position cursor) override;
  Status ReadCursor(std::string_view projection, Position* out) const override;
  Status ReadLog(Position after, size_t limit, const LogVisitor& visit) const override;
  Position LastPosition() const override { return last_.load(std::memory_order_acquire); }
  Status TrimLog(Position through) override;
  bool sole_writer() const override { return true; }  // the lock file guarantees it
  std::string WriteFault() const override { return fault_->Get(); }

 private:
  Status Writable() const;
  Status Write(rocksdb::WriteBatch* batch, bool sync) REQUIRES(writing_);

  const std::unique_ptr<Database> database_;
  const std::shared_ptr<WriteFaultLatch> fault_;
  const StoreIdentity identity_;
  const RocksdbReader live_;

  // Locked during the sync: conditions are tested against everything written before them.
  TicketMutex writing_;
  // Written with `writing_` locked, read by any thread.
  std::atomic<Position> trimmed_;
  std::atomic<Position> last_;
};

// Reads the state of an open store's change log.
Status ReadLogState(const Database& database, RocksdbTable::LogState* out);

}  // namespace parley::storage
