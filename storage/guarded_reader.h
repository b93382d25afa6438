// Readers that stop early: each forwards every read and fails it on a condition, so that the code that reads
// through one need not know the condition.
#pragma once

#include <atomic>
#include <limits>

#include "storage/table.h"

namespace parley::storage {

// Reads a limited number of bytes, from memory alone. Check missed() first: if it is set, a read may have
// failed, or even succeeded, for rows that it could not see. Not thread-safe.
class MemoryAttempt final : public Reader {
 public:
  // `reader` must outlive it.
  explicit MemoryAttempt(const Reader& reader, size_t bytes_max = std::numeric_limits<size_t>::max())
      : under_(reader.InMemory()), left_(bytes_max) {}

  Status Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const override;
  Status MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const override;
  Status Scan(const PartitionKey& partition, const SortRange& range, Direction direction, size_t limit,
              const RowVisitor& visit) const override;
  Status ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const override;
  // A row would have needed the disk, or the limit was exceeded: disregard all
  // results.
  bool missed() const { return missed_; }

 private:
  Status Note(Status status) const;
  // Returns false if this row exceeds the limit.
  bool Take(size_t bytes) const;
  const Reader& under_;
  mutable size_t left_;
  mutable bool missed_ = false;
};

// Ends a read whose result is no longer needed: from then on every call is kUnavailable. Any thread.
class EndableReader final : public Reader {
 public:
  // Both must outlive it.
  EndableReader(const Reader& reader, const std::atomic<bool>& ended) : under_(reader), ended_(ended) {}

  Status Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const override;
  Status MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const override;
  Status Scan(const PartitionKey& partition, const SortRange& range, Direction direction, size_t limit,
              const RowVisitor& visit) const override;
  Status ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const override;

 private:
  bool IsOver() const { return ended_.load(std::memory_order_relaxed); }
  const Reader& under_;
  const std::atomic<bool>& ended_;
};

}  // namespace parley::storage
