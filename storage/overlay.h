// The table as it will be once everything decided so far is on disk: the executor's batch laid over storage.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "storage/table.h"

namespace parley::storage {

// Not thread-safe; owned by one executor.
class Overlay final : public Reader {
 public:
  explicit Overlay(const Reader& under) : under_(under) {}

  // REQUIRES: the write outlives the overlay and does not move: nothing of it is copied.
  void Put(const PartitionKey& partition, const RowWrite& write);

  Status Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const override;
  Status MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const override;
  Status Scan(const PartitionKey& partition, const SortRange& range, Direction direction, size_t limit,
              const RowVisitor& visit) const override;
  Status ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const override;

 private:
  using Partition = std::map<std::string_view, const std::optional<Row>*>;  // by sort key
  const Reader& under_;
  std::unordered_map<std::string, Partition> rows_;
};

}  // namespace parley::storage
