// A table that is only partly in memory: Reader::InMemory() of its snapshots misses for the reads that a
// test chooses. All other reads return what the table returns.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "storage/forwarding_table.h"

namespace parley::storage {

// Returns whether a read is cold: a read of one row, or (no sort) of a range.
using IsCold = std::function<bool(const PartitionKey& partition, const SortKey* sort)>;

class ColdSnapshot final : public Reader {
 public:
  ColdSnapshot(Snapshot under, const IsCold& is_cold) : under_(std::move(under)), memory_(*under_, is_cold) {}
  Status Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const override {
    return under_->Get(partition, sort, out);
  }
  Status MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const override {
    return under_->MultiGet(keys, out);
  }
  Status Scan(const PartitionKey& partition, const SortRange& range, Direction direction, size_t limit,
              const RowVisitor& visit) const override {
    return under_->Scan(partition, range, direction, limit, visit);
  }
  Status ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const override {
    return under_->ScanAll(table, visit);
  }
  const Reader& InMemory() const override { return memory_; }

 private:
  class Memory final : public Reader {
   public:
    Memory(const Reader& under, const IsCold& is_cold) : under_(under), is_cold_(is_cold) {}
    Status Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const override {
      return is_cold_(partition, &sort) ? Cold() : under_.Get(partition, sort, out);
    }
    Status MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const override {
      for (const RowKey& key : keys) {
        if (is_cold_(key.partition, &key.sort)) return Cold();
      }
      return under_.MultiGet(keys, out);
    }
    // Stops before its last row if the scan is cold, like a scan that reaches a block that is not cached.
    Status Scan(const PartitionKey& partition, const SortRange& range, Direction direction, size_t limit,
                const RowVisitor& visit) const override {
      if (!is_cold_(partition, nullptr)) return under_.Scan(partition, range, direction, limit, visit);
      bool first = true;
      const Status status =
          under_.Scan(partition, range, direction, limit, [&](std::string_view sort, RowView row) {
            return std::exchange(first, false) && visit(sort, row);
          });
      return status.ok() ? Cold() : status;
    }
    Status ScanAll(std::optional<TableTag>, const FullVisitor&) const override { return Cold(); }

   private:
    static Status Cold() { return {StatusCode::kNotInMemory, {}}; }
    const Reader& under_;
    const IsCold& is_cold_;
  };

  const Snapshot under_;
  const Memory memory_;
};

class ColdTable : public ForwardingTable {
 public:
  // Nothing is cold until SetCold.
  using ForwardingTable::ForwardingTable;
  void SetCold(IsCold is_cold) { is_cold_ = std::move(is_cold); }
  Snapshot NewSnapshot() const override {
    return std::make_unique<ColdSnapshot>(ForwardingTable::NewSnapshot(), is_cold_);
  }

 private:
  IsCold is_cold_ = [](const PartitionKey&, const SortKey*) { return false; };
};

}  // namespace parley::storage
