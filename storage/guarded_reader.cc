#include "storage/guarded_reader.h"

#include <algorithm>

namespace parley::storage {
namespace {

Status TooMuch() {
  return {StatusCode::kNotInMemory, "too much to be read at once"};
}

Status Over() {
  return {StatusCode::kUnavailable, "the request was abandoned"};
}

}  // namespace

Status MemoryAttempt::Note(Status status) const {
  missed_ |= status.code == StatusCode::kNotInMemory;
  return status;
}
bool MemoryAttempt::Take(size_t bytes) const {
  missed_ |= bytes > left_;
  left_ -= std::min(bytes, left_);
  return !missed_;
}
Status MemoryAttempt::Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const {
  const Status status = Note(under_.Get(partition, sort, out));
  return !status.ok() || !*out || Take((*out)->payload.size()) ? status : TooMuch();
}
Status MemoryAttempt::MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const {
  const Status status = Note(under_.MultiGet(keys, out));
  if (!status.ok()) return status;
  for (const auto& row : *out) {
    if (row && !Take(row->payload.size())) return TooMuch();
  }
  return status;
}
Status MemoryAttempt::Scan(const PartitionKey& partition, const SortRange& range, Direction direction,
                           size_t limit, const RowVisitor& visit) const {
  const Status status =
      Note(under_.Scan(partition, range, direction, limit, [&](std::string_view sort, RowView row) {
        return Take(sort.size() + row.payload.size()) && visit(sort, row);
      }));
  return missed_ && status.ok() ? TooMuch() : status;
}
Status MemoryAttempt::ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const {
  return Note(under_.ScanAll(table, visit));
}

Status EndableReader::Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const {
  return IsOver() ? Over() : under_.Get(partition, sort, out);
}
Status EndableReader::MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const {
  return IsOver() ? Over() : under_.MultiGet(keys, out);
}
Status EndableReader::Scan(const PartitionKey& partition, const SortRange& range, Direction direction,
                           size_t limit, const RowVisitor& visit) const {
  if (IsOver()) return Over();
  Status status = under_.Scan(partition, range, direction, limit, [&](std::string_view sort, RowView row) {
    return !IsOver() && visit(sort, row);
  });
  return IsOver() ? Over() : status;
}
Status EndableReader::ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const {
  if (IsOver()) return Over();
  Status status = under_.ScanAll(table, [&](const PartitionKey& partition, const SortKey& sort, RowView row) {
    return !IsOver() && visit(partition, sort, row);
  });
  return IsOver() ? Over() : status;
}

}  // namespace parley::storage
