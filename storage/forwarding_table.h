// A table that forwards every call to another: a subclass that watches, times or breaks calls overrides only
// those.
#pragma once

#include "storage/table.h"

namespace parley::storage {

class ForwardingTable : public Table {
 public:
  // `under` must outlive it. May be exchanged between calls (by a test that reopens its store).
  explicit ForwardingTable(Table* under) : under_(under) {}

  const StoreIdentity& identity() const override { return under_->identity(); }
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
  const Reader& InMemory() const override { return under_->InMemory(); }
  Snapshot NewSnapshot() const override { return under_->NewSnapshot(); }
  Status Commit(std::span<const CommitRequest> requests, std::vector<CommitResult>* results) override {
    return under_->Commit(requests, results);
  }
  Status Apply(std::span<const DerivedWrite> writes, std::string_view projection, Position cursor) override {
    return under_->Apply(writes, projection, cursor);
  }
  Status ReadCursor(std::string_view projection, Position* out) const override {
    return under_->ReadCursor(projection, out);
  }
  Status ReadLog(Position after, size_t limit, const LogVisitor& visit) const override {
    return under_->ReadLog(after, limit, visit);
  }
  Position LastPosition() const override { return under_->LastPosition(); }
  Status TrimLog(Position through) override { return under_->TrimLog(through); }
  bool sole_writer() const override { return under_->sole_writer(); }
  std::string WriteFault() const override { return under_->WriteFault(); }

 protected:
  Table* under_;
};

}  // namespace parley::storage
