#include "threads/overlay.h"

namespace parley::threads {

using storage::Direction;
using storage::Row;
using storage::Status;

void Overlay::Put(const storage::PartitionKey& partition, const storage::RowWrite& write) {
  rows_[partition.bytes()][write.sort.bytes()] = &write.row;
}

Status Overlay::Get(const storage::PartitionKey& partition, const storage::SortKey& sort,
                    std::optional<Row>* out) const {
  if (const auto found = rows_.find(partition.bytes()); found != rows_.end()) {
    if (const auto row = found->second.find(sort.bytes()); row != found->second.end()) {
      *out = *row->second;
      return {};
    }
  }
  return under_.Get(partition, sort, out);
}

Status Overlay::MultiGet(std::span<const storage::RowKey> keys, std::vector<std::optional<Row>>* out) const {
  out->clear();
  out->resize(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    Status status = Get(keys[i].partition, keys[i].sort, &(*out)[i]);
    if (!status.ok()) return status;
  }
  return {};
}

Status Overlay::Scan(const storage::PartitionKey& partition, const storage::SortRange& range,
                     Direction direction, size_t limit, const storage::RowVisitor& visit) const {
  const auto found = rows_.find(partition.bytes());
  if (found == rows_.end()) return under_.Scan(partition, range, direction, limit, visit);
  // Merge. The batch is small, and scans through it are rare (member lists, deleted messages), so the part of
  // storage that is asked for is copied rather than walked in step.
  std::map<std::string, std::optional<Row>> merged;
  Status status =
      under_.Scan(partition, range, direction,
                  limit > SIZE_MAX - found->second.size() ? SIZE_MAX : limit + found->second.size(),
                  [&](std::string_view sort, storage::RowView row) {
                    merged.emplace(sort, Row{row.version, std::string(row.payload)});
                    return true;
                  });
  if (!status.ok()) return status;
  const auto begin = found->second.lower_bound(range.begin.bytes());
  const auto end =
      range.end.bytes().empty() ? found->second.end() : found->second.lower_bound(range.end.bytes());
  for (auto at = begin; at != end; ++at) merged[std::string(at->first)] = *at->second;
  std::erase_if(merged, [](const auto& entry) { return !entry.second; });
  size_t given = 0;
  const auto give = [&](const auto& entry) {
    return given++ < limit && visit(entry.first, {entry.second->version, entry.second->payload});
  };
  if (direction == Direction::kForward) {
    for (auto at = merged.begin(); at != merged.end() && give(*at); ++at) {
    }
  } else {
    for (auto at = merged.rbegin(); at != merged.rend() && give(*at); ++at) {
    }
  }
  return {};
}

Status Overlay::ScanAll(std::optional<storage::TableTag> table, const storage::FullVisitor& visit) const {
  return under_.ScanAll(table, visit);  // verification looks at what is durable
}

}  // namespace parley::threads
