#include "storage/memory_reader.h"

#include <algorithm>

namespace parley::storage {
namespace {

constexpr size_t kFirstRows = 16;
constexpr size_t kLargestPortion = 512;

// Shrinks the span to the rows after `key` in reading direction.
void Advance(Direction direction, const std::string& key, KeySpan* span) {
  if (direction == Direction::kForward) {
    span->begin = key + '\0';
  } else {
    span->end = key;
  }
}

}  // namespace

Status ClosedStatus() {
  return {StatusCode::kUnavailable, "the table is closed"};
}

MemoryReader::MemoryReader(std::shared_ptr<MemorySession> session, Sequence at)
    : session_(std::move(session)), at_(at) {
  session_->disk->pins.insert(at_);
}

MemoryReader::~MemoryReader() {
  protocol::MutexLock lock(&session_->disk->mutex);
  if (!session_->Over()) session_->disk->Unpin(at_);
}

Status MemoryReader::Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const {
  out->reset();
  protocol::MutexLock lock(&session_->disk->mutex);
  if (session_->Over()) return ClosedStatus();
  if (const SharedRow row = session_->disk->rows.Find(RowKeyBytes(partition, sort), at_)) {
    ++session_->rows_read;
    *out = *row;
  }
  return {};
}

Status MemoryReader::MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const {
  out->assign(keys.size(), std::nullopt);
  for (size_t i = 0; i < keys.size(); ++i) {
    if (Status status = Get(keys[i].partition, keys[i].sort, &(*out)[i]); !status.ok()) return status;
  }
  return {};
}

Status MemoryReader::Walk(KeySpan span, Direction direction, size_t limit, const KeyVisitor& visit) const {
  for (size_t portion = kFirstRows; limit > 0 && !span.empty();
       portion = std::min(portion * 2, kLargestPortion)) {
    const size_t wanted = std::min(portion, limit);
    std::vector<KeyedRow> rows;
    {
      protocol::MutexLock lock(&session_->disk->mutex);
      if (session_->Over()) return ClosedStatus();
      rows = session_->disk->rows.Collect(span, direction, wanted, at_);
    }
    for (const auto& [key, row] : rows) {
      ++session_->rows_read;
      if (!visit(key, {row->version, row->payload})) return {};
    }
    if (rows.size() < wanted) return {};
    limit -= rows.size();
    Advance(direction, rows.back().first, &span);
  }
  return {};
}

Status MemoryReader::Scan(const PartitionKey& partition, const SortRange& range, Direction direction,
                          size_t limit, const RowVisitor& visit) const {
  const size_t head = partition.bytes().size();
  return Walk(SpanOf(partition, range), direction, limit, [&](const std::string& key, RowView row) {
    return visit(std::string_view(key).substr(head), row);
  });
}

Status MemoryReader::ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const {
  std::string alien;
  Status status = Walk({}, Direction::kForward, SIZE_MAX, [&](const std::string& key, RowView row) {
    const auto split = Split(key);
    if (!split) {
      alien = key;
      return false;
    }
    const TableTag found = split->partition.table();
    if (found == TableTag::kStore || (table && found != *table)) return true;
    return visit(split->partition, split->sort, row);
  });
  if (status.ok() && !alien.empty()) return {StatusCode::kCorrupt, "a key that is not one of ours"};
  return status;
}

}  // namespace parley::storage
