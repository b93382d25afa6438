// The table as it will be once all decisions so far are on disk: the executor's batch laid over storage.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "storage/table.h"

namespace parley::storage {

// Not thread-safe; owned by one executor.
class Overlay final : public Reader {
 public:
  explicit Overlay(const Reader& under) : under_(under) {}

  // REQUIRES: the writes outlive the overlay and do not move, because it does not copy them.
  void Put(const PartitionKey& partition, std::span<const RowWrite> writes);
  void Put(const PartitionKey& partition, const RowWrite& write) { Put(partition, {&write, 1}); }

  Status Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const override;
  Status MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const override;
  Status Scan(const PartitionKey& partition, const SortRange& range, Direction direction, size_t limit,
              const RowVisitor& visit) const override;
  Status ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const override;

 private:
  using Partition = std::map<std::string_view, const std::optional<Row>*>;  // by sort key
  const Partition* Find(const PartitionKey& partition) const;

  const Reader& under_;
  // Sorted only when something is read, which few commands do: their rows are cached.
  struct Unlaid {
    std::string partition;
    std::span<const RowWrite> writes;
  };
  mutable std::vector<Unlaid> unlaid_;
  mutable std::unordered_map<std::string, Partition> rows_;
};

}  // namespace parley::storage
