// Reads of the memory backend: a view of the disk at one sequence number. Private to the memory backend.
#pragma once

#include <atomic>
#include <memory>

#include "storage/memory_disk.h"

namespace parley::storage {

// One opening of a disk. Ends when the disk is opened again or crashed.
struct MemorySession {
  explicit MemorySession(std::shared_ptr<MemoryDisk> on) : disk(std::move(on)) {}

  const std::shared_ptr<MemoryDisk> disk;
  uint64_t generation = 0;
  std::atomic<size_t> rows_read{0};

  bool Over() const REQUIRES(disk->mutex) { return disk->generation != generation; }
};

// Thread-safe. Pins its rows until it is destroyed.
class MemoryReader final : public Reader {
 public:
  // REQUIRES: `at` is not below the disk's horizon.
  MemoryReader(std::shared_ptr<MemorySession> session, Sequence at) REQUIRES(session->disk->mutex);
  ~MemoryReader() override;

  Status Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const override;
  Status MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const override;
  Status Scan(const PartitionKey& partition, const SortRange& range, Direction direction, size_t limit,
              const RowVisitor& visit) const override;
  Status ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const override;

 private:
  using KeyVisitor = std::function<bool(const std::string& key, RowView row)>;
  // Reads in portions and calls `visit` without the lock, so that a visitor may use the table.
  Status Walk(KeySpan span, Direction direction, size_t limit, const KeyVisitor& visit) const;

  const std::shared_ptr<MemorySession> session_;
  const Sequence at_;
};

Status ClosedStatus();

}  // namespace parley::storage
