// The table as it will be once everything decided so far is on disk: the executor's batch laid over storage.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "storage/table.h"

namespace parley::threads {

// Not thread-safe; owned by one executor.
class Overlay final : public storage::Reader {
 public:
  explicit Overlay(const storage::Reader& under) : under_(under) {}

  void Put(const storage::PartitionKey& partition, const storage::SortKey& sort,
           std::optional<storage::Row> row);
  void Clear() { rows_.clear(); }

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
  using Partition = std::map<std::string, std::optional<storage::Row>>;
  const storage::Reader& under_;
  std::map<std::string, Partition> rows_;
};

}  // namespace parley::threads
