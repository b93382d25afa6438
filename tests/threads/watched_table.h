// A table that lets a test look in the moment of a commit, and fails reads when told to.
#pragma once

#include <functional>

#include "storage/memory_table.h"

namespace parley::threads {

class WatchedTable final : public storage::Table {
 public:
  explicit WatchedTable(storage::Table& under) : under_(under) {}

  std::function<void()> before_commit, after_commit;  // both before Commit returns
  bool reads_fail = false;
  int commits = 0;

  storage::Status Commit(std::span<const storage::CommitRequest> requests,
                         std::vector<storage::CommitResult>* results) override {
    ++commits;
    if (before_commit) before_commit();
    storage::Status status = under_.Commit(requests, results);
    if (after_commit) after_commit();
    return status;
  }

  storage::Status Get(const storage::PartitionKey& partition, const storage::SortKey& sort,
                      std::optional<storage::Row>* out) const override {
    if (reads_fail) return {storage::StatusCode::kUnavailable, "reads fail"};
    return under_.Get(partition, sort, out);
  }
  storage::Status MultiGet(std::span<const storage::RowKey> keys,
                           std::vector<std::optional<storage::Row>>* out) const override {
    return under_.MultiGet(keys, out);
  }
  storage::Status Scan(const storage::PartitionKey& partition, const storage::SortRange& range,
                       storage::Direction direction, size_t limit,
                       const storage::RowVisitor& visit) const override {
    return under_.Scan(partition, range, direction, limit, visit);
  }
  storage::Status ScanAll(std::optional<storage::TableTag> table,
                          const storage::FullVisitor& visit) const override {
    return under_.ScanAll(table, visit);
  }
  const storage::StoreIdentity& identity() const override { return under_.identity(); }
  storage::Snapshot NewSnapshot() const override { return under_.NewSnapshot(); }
  storage::Status Apply(std::span<const storage::DerivedWrite> writes, std::string_view projection,
                        storage::Position cursor) override {
    return under_.Apply(writes, projection, cursor);
  }
  storage::Status ReadCursor(std::string_view projection, storage::Position* out) const override {
    return under_.ReadCursor(projection, out);
  }
  storage::Status ReadLog(storage::Position after, size_t limit,
                          const storage::LogVisitor& visit) const override {
    return under_.ReadLog(after, limit, visit);
  }
  storage::Position LastPosition() const override { return under_.LastPosition(); }
  storage::Status TrimLog(storage::Position through) override { return under_.TrimLog(through); }
  std::string WriteFault() const override { return under_.WriteFault(); }

 private:
  storage::Table& under_;
};

}  // namespace parley::threads
