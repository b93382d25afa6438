#include "storage/rocksdb_group.h"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "storage/row_format.h"
#include "storage/store_rows.h"

namespace parley::storage {
namespace {

bool Holds(const Precondition& condition, const std::optional<Row>& row) {
  switch (condition.kind) {
    case Precondition::Kind::kAbsent:
      return !row;
    case Precondition::Kind::kPresent:
      return row.has_value();
    case Precondition::Kind::kVersionIs:
      return row && row->version == condition.version;
  }
  return false;
}

void BatchValue(rocksdb::WriteBatch* batch, rocksdb::ColumnFamilyHandle* family, std::string_view key,
                uint64_t version, std::string_view payload) {
  const std::string head = EncodeRowHead(version);
  const rocksdb::Slice key_part = ToSlice(key);
  const rocksdb::Slice value_parts[] = {head, ToSlice(payload)};
  batch->Put(family, rocksdb::SliceParts(&key_part, 1), rocksdb::SliceParts(value_parts, 2));
}

}  // namespace

void BatchRow(rocksdb::WriteBatch* batch, rocksdb::ColumnFamilyHandle* family, std::string_view key,
              const std::optional<Row>& row) {
  if (row) {
    BatchValue(batch, family, key, row->version, row->payload);
  } else {
    batch->Delete(family, ToSlice(key));
  }
}

CommitGroup::CommitGroup(const Database& database, Position last, std::span<const CommitRequest> requests)
    : database_(database), last_(last), requests_(requests) {
  size_t writes = 0;
  for (const CommitRequest& request : requests) writes += request.writes.size();
  rows_.reserve(writes);  // `places_` points into the keys, which must not move
  log_.reserve(requests.size());
}

Status CommitGroup::Decide(std::vector<CommitResult>* results) {
  results->assign(requests_.size(), {});
  for (size_t i = 0; i < requests_.size(); ++i) {
    if (Status status = DecideOne(requests_[i], &(*results)[i]); !status.ok()) return status;
  }
  return {};
}

Status CommitGroup::DecideOne(const CommitRequest& request, CommitResult* result) {
  assert(request.partition.table() != TableTag::kStore);
  for (const Precondition& condition : request.preconditions) {
    std::optional<Row> row;
    if (Status status = Current(request.partition, condition.sort, &row); !status.ok()) return status;
    if (Holds(condition, row)) continue;
    *result = {StatusCode::kConditionFailed, 0, std::move(row)};
    return {};
  }
  for (const RowWrite& write : request.writes) Put(request.partition, write);
  if (!request.log_entry.empty()) {
    log_.push_back(request.log_entry);
    result->position = last();
  }
  return {};
}

Status CommitGroup::Current(const PartitionKey& partition, const SortKey& sort,
                            std::optional<Row>* out) const {
  const std::string key = RowKeyBytes(partition, sort);
  if (const PendingRow* pending = Find(key)) {
    *out = *pending->row;
    return {};
  }
  return ReadRow(database_, {}, FamilyOf(partition.table()), key, out);
}

void CommitGroup::Put(const PartitionKey& partition, const RowWrite& write) {
  rows_.push_back({RowKeyBytes(partition, write.sort), FamilyOf(partition.table()), &write.row});
}

const CommitGroup::PendingRow* CommitGroup::Find(const std::string& key) const {
  for (; placed_ < rows_.size(); ++placed_) places_[rows_[placed_].key] = placed_;
  const auto place = places_.find(key);
  return place == places_.end() ? nullptr : &rows_[place->second];
}

// In key order: each insertion into the memtable then starts its search where the previous one ended. The
// rows of a thread are adjacent, so a group is a few runs of neighbours. Measured: saves a third of a
// commit's processor time.
rocksdb::WriteBatch CommitGroup::Batch() const {
  constexpr size_t kPerRow = 40;  // the most that batch and row add to a key and a payload
  std::vector<const PendingRow*> ordered;
  ordered.reserve(rows_.size());
  size_t bytes = 0;
  for (const PendingRow& pending : rows_) {
    ordered.push_back(&pending);
    bytes += pending.key.size() + kPerRow + (*pending.row ? (*pending.row)->payload.size() : 0);
  }
  for (const std::string_view entry : log_) bytes += entry.size() + 2 * kPerRow;
  // Among equal keys the last written one comes last, because addresses follow the order of the requests.
  std::sort(ordered.begin(), ordered.end(), [](const PendingRow* a, const PendingRow* b) {
    return std::tie(a->family, a->key, a) < std::tie(b->family, b->key, b);
  });
  rocksdb::WriteBatch batch(bytes);
  for (size_t i = 0; i < ordered.size(); ++i) {
    const PendingRow& pending = *ordered[i];
    const bool rewritten = i + 1 < ordered.size() && ordered[i + 1]->family == pending.family &&
                           ordered[i + 1]->key == pending.key;
    if (!rewritten) BatchRow(&batch, database_.family(pending.family), pending.key, *pending.row);
  }
  for (size_t i = 0; i < log_.size(); ++i) {
    BatchValue(&batch, database_.family(Family::kLog), ChangeLogKey(last_ + 1 + i), 1, log_[i]);
  }
  return batch;
}

}  // namespace parley::storage
