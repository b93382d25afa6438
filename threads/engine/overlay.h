// The table as it will be once everything decided so far is on disk: the executor's batch laid over storage.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "storage/table.h"

namespace parley::threads {

// Not thread-safe; owned by one executor.
class Overlay final : public storage::Reader {
 public:
  explicit Overlay(const storage::Reader& under) : under_(under) {}

  // REQUIRES: the write outlives the overlay and does not move: nothing of it is copied.
  void Put(const storage::PartitionKey& partition, const storage::RowWrite& write);

  storage::Status Get(const storage::PartitionKey& partition, const storage::SortKey& sort,
                      std::optional<storage::Row>* out) const override;
  storage::Status MultiGet(std::span<const storage::RowKey> keys,
                           std::vector<std::optional<storage::Row>>* out) const override;
  storage::Status Scan(const storage::PartitionKey& partition, const storage::SortRange& range,
                       storage::Direction direction, size_t limit,
                       const storage::RowVisitor& visit) const override;
  storage::Status ScanAll(std::optional<storage::TableTag> table,
                          const storage::FullVisitor& visit) const override;

 private:
  using Partition = std::map<std::string_view, const std::optional<storage::Row>*>;  // by sort key
  const storage::Reader& under_;
  std::unordered_map<std::string, Partition> rows_;
};

}  // namespace parley::threads
