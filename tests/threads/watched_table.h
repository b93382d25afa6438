// A table that runs a hook at each commit, and fails reads on request.
#pragma once

#include <functional>

#include "storage/forwarding_table.h"
#include "storage/memory_table.h"

namespace parley::threads {

class WatchedTable final : public storage::ForwardingTable {
 public:
  explicit WatchedTable(storage::Table& under) : ForwardingTable(&under) {}

  std::function<void()> before_commit, after_commit;  // both run before Commit returns
  bool reads_fail = false;
  bool is_sole_writer = false;
  int commits = 0;
  mutable int gets = 0;
  mutable size_t scanned = 0;  // rows returned by scans

  storage::Status Commit(std::span<const storage::CommitRequest> requests,
                         std::vector<storage::CommitResult>* results) override {
    ++commits;
    if (before_commit) before_commit();
    storage::Status status = under_->Commit(requests, results);
    if (after_commit) after_commit();
    return status;
  }
  bool sole_writer() const override { return is_sole_writer; }
  storage::Status Get(const storage::PartitionKey& partition, const storage::SortKey& sort,
                      std::optional<storage::Row>* out) const override {
    ++gets;
    if (reads_fail) return {storage::StatusCode::kUnavailable, "reads fail"};
    return under_->Get(partition, sort, out);
  }
  storage::Status Scan(const storage::PartitionKey& partition, const storage::SortRange& range,
                       storage::Direction direction, size_t limit,
                       const storage::RowVisitor& visit) const override {
    return under_->Scan(partition, range, direction, limit, [&](std::string_view sort, storage::RowView row) {
      ++scanned;
      return visit(sort, row);
    });
  }
};

}  // namespace parley::threads
