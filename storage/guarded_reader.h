// Readers for those who do not wait for what they ask: each passes everything on and steps in where its user
// wants to be told, so that what reads through one need not know of it.
#pragma once

#include <atomic>
#include <limits>

#include "storage/table.h"

namespace parley::storage {

// A read of so many bytes at most, from memory alone. It may have failed, or even succeeded, for what it
// could not see: look at missed() before anything else. Not thread-safe.
class MemoryAttempt final : public Reader {
 public:
  // `reader` outlives it.
  explicit MemoryAttempt(const Reader& reader, size_t bytes_max = std::numeric_limits<size_t>::max())
      : under_(reader.InMemory()), left_(bytes_max) {}

  Status Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const override;
  Status MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const override;
  Status Scan(const PartitionKey& partition, const SortRange& range, Direction direction, size_t limit,
              const RowVisitor& visit) const override;
  Status ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const override;
  // Some of what was asked for would have taken the disk, or it was too much: what came of the read means
  // nothing.
  bool missed() const { return missed_; }

 private:
  Status Note(Status status) const;
  // False: with this row it is too much.
  bool Take(size_t bytes) const;
  const Reader& under_;
  mutable size_t left_;
  mutable bool missed_ = false;
};

// A read that is given up once nobody waits for it: from then on everything is kUnavailable. Any thread.
class EndableReader final : public Reader {
 public:
  // Both outlive it.
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
