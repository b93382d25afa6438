#include "storage/guarded_reader.h"

namespace parley::storage {
namespace {

Status Over() {
  return {StatusCode::kUnavailable, "nobody waits for it any more"};
}

}  // namespace

Status MemoryAttempt::Note(Status status) const {
  missed_ |= status.code == StatusCode::kNotInMemory;
  return status;
}
Status MemoryAttempt::Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const {
  return Note(under_.Get(partition, sort, out));
}
Status MemoryAttempt::MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const {
  return Note(under_.MultiGet(keys, out));
}
Status MemoryAttempt::Scan(const PartitionKey& partition, const SortRange& range, Direction direction,
                           size_t limit, const RowVisitor& visit) const {
  return Note(under_.Scan(partition, range, direction, limit, visit));
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
