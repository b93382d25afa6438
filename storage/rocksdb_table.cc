#include "storage/rocksdb_table.h"

#include <rocksdb/convenience.h>
#include <rocksdb/perf_level.h>

#include <algorithm>
#include <cassert>

#include "storage/rocksdb_group.h"
#include "storage/rocksdb_table_impl.h"
#include "storage/row_format.h"
#include "storage/store_rows.h"

namespace parley::storage {
namespace {

Status ReadPosition(const Database& database, const std::string& key, Position* out) {
  *out = 0;
  std::optional<Row> row;
  if (Status status = ReadRow(database, {}, Family::kRows, key, &row); !status.ok()) return status;
  if (!row) return {};
  const auto position = DecodePosition(row->payload);
  if (!position) return {StatusCode::kCorrupt, "a cursor that is not eight bytes"};
  *out = *position;
  return {};
}

}  // namespace

RocksdbTable::RocksdbTable(std::unique_ptr<Database> database, std::shared_ptr<WriteFaultLatch> fault,
                           StoreIdentity identity, LogState log)
    : database_(std::move(database)),
      fault_(std::move(fault)),
      identity_(std::move(identity)),
      live_(*database_),
      trimmed_(log.trimmed),
      last_(log.last) {}

Status RocksdbTable::Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const {
  return live_.Get(partition, sort, out);
}
Status RocksdbTable::MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const {
  return live_.MultiGet(keys, out);
}
Status RocksdbTable::Scan(const PartitionKey& partition, const SortRange& range, Direction direction,
                          size_t limit, const RowVisitor& visit) const {
  return live_.Scan(partition, range, direction, limit, visit);
}
Status RocksdbTable::ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const {
  return NewSnapshot()->ScanAll(table, visit);  // several iterators must see the same state
}
Snapshot RocksdbTable::NewSnapshot() const {
  return NewRocksdbSnapshot(*database_);
}

Status RocksdbTable::Writable() const {
  std::string why = fault_->Get();
  if (why.empty()) return {};
  return {StatusCode::kUnavailable, std::move(why)};
}

// RocksDB appends to the WAL, syncs it, and only then lets readers see the batch; so a batch that failed is
// not visible. But part or all of it may be in the WAL and reappear when the store is reopened: the outcome
// is unknown.
Status RocksdbTable::Write(rocksdb::WriteBatch* batch, bool sync) {
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);  // as in rocksdb_reader.cc
  rocksdb::WriteOptions options;
  options.sync = sync;
  const rocksdb::Status written = database_->db->Write(options, batch);
  if (written.ok()) return {};
  const std::string why = "a write failed: " + written.ToString();
  fault_->Set(why);
  return {StatusCode::kUnknown, why};
}

Status RocksdbTable::Commit(std::span<const CommitRequest> requests, std::vector<CommitResult>* results) {
  results->clear();
  const TicketLock lock(&writing_);
  if (Status status = Writable(); !status.ok()) return status;
  CommitGroup group(*database_, last_.load(std::memory_order_relaxed), requests);
  if (Status status = group.Decide(results); !status.ok()) {
    fault_->Set("a commit could not be decided: " + status.detail);
    return status;
  }
  if (group.empty()) return {};
  rocksdb::WriteBatch batch = group.Batch();
  if (Status status = Write(&batch, /*sync=*/true); !status.ok()) return status;
  last_.store(group.last(), std::memory_order_release);
  return {};
}

Status RocksdbTable::Apply(std::span<const DerivedWrite> writes, std::string_view projection,
                           Position cursor) {
  // In key order, which suits the memtable (see CommitGroup::Batch). The last of several writes to one row
  // counts, so equal keys keep their order.
  struct Placed {
    std::string key;
    const DerivedWrite* write;
  };
  std::vector<Placed> ordered;
  ordered.reserve(writes.size());
  for (const DerivedWrite& write : writes) {
    assert(write.partition.table() != TableTag::kStore);
    ordered.push_back({RowKeyBytes(write.partition, write.sort), &write});
  }
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const Placed& a, const Placed& b) { return a.key < b.key; });
  rocksdb::WriteBatch batch;
  for (const auto& [key, write] : ordered) {
    BatchRow(&batch, database_->family(FamilyOf(write->partition.table())), key, write->row);
  }
  BatchRow(&batch, database_->family(Family::kRows), CursorKey(projection), Row{1, EncodePosition(cursor)});
  const TicketLock lock(&writing_);
  if (Status status = Writable(); !status.ok()) return status;
  return Write(&batch, /*sync=*/false);
}

Status RocksdbTable::ReadCursor(std::string_view projection, Position* out) const {
  return ReadPosition(*database_, CursorKey(projection), out);
}

Status RocksdbTable::ReadLog(Position after, size_t limit, const LogVisitor& visit) const {
  if (limit == 0) return {};
  // Starting above the trimmed part keeps the iterator off its tombstones.
  after = std::max(after, trimmed_.load(std::memory_order_acquire));
  const std::string first = ChangeLogKey(after + 1), end = UpperBound(ChangeLogKey(~Position{0}));
  const rocksdb::Slice upper = end;
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> at(
      database_->db->NewIterator(options, database_->family(Family::kLog)));
  for (at->Seek(first); at->Valid(); at->Next()) {
    RowView row;
    const auto position = ParseChangeLogKey(ToView(at->key()));
    if (!position)
      return {StatusCode::kCorrupt, "an alien key in the change log: " + at->key().ToString(/*hex=*/true)};
    if (Status status = DecodeRow(ToView(at->value()), &row); !status.ok()) return status;
    if (!visit(*position, row.payload) || --limit == 0) return {};
  }
  return at->status().ok() ? Status{} : ReadFailure(at->status());
}

// One range tombstone instead of a point delete per entry: the trimmed part is one contiguous piece at the
// front, and is never read again. Synced: if the entries were removed and a cursor beyond them lost, its
// projection could not catch up.
Status RocksdbTable::TrimLog(Position through) {
  const TicketLock lock(&writing_);
  if (Status status = Writable(); !status.ok()) return status;
  through = std::min(through, last_.load(std::memory_order_relaxed));
  const Position trimmed = trimmed_.load(std::memory_order_relaxed);
  if (through <= trimmed) return {};
  rocksdb::ColumnFamilyHandle* const log = database_->family(Family::kLog);
  const std::string begin = ChangeLogKey(trimmed + 1), end = ChangeLogKey(through + 1);
  rocksdb::WriteBatch batch;
  batch.DeleteRange(log, begin, end);
  BatchRow(&batch, database_->family(Family::kRows), TrimmedKey(), Row{1, EncodePosition(through)});
  if (Status status = Write(&batch, /*sync=*/true); !status.ok()) return status;
  trimmed_.store(through, std::memory_order_release);
  // Files that lie entirely in the trimmed part free their space now rather than at the next compaction. This
  // may fail without harm.
  const rocksdb::Slice from = begin, to = end;
  rocksdb::DeleteFilesInRange(database_->db.get(), log, &from, &to, /*include_end=*/false)
      .PermitUncheckedError();
  return {};
}

// The last entry gives the last position; if all entries were trimmed, TRIMMED does.
Status ReadLogState(const Database& database, RocksdbTable::LogState* out) {
  if (Status status = ReadPosition(database, TrimmedKey(), &out->trimmed); !status.ok()) return status;
  out->last = out->trimmed;
  const std::unique_ptr<rocksdb::Iterator> at(database.db->NewIterator({}, database.family(Family::kLog)));
  at->SeekToLast();
  if (!at->Valid()) return at->status().ok() ? Status{} : ReadFailure(at->status());
  const auto position = ParseChangeLogKey(ToView(at->key()));
  if (!position)
    return {StatusCode::kCorrupt, "an alien key in the change log: " + at->key().ToString(/*hex=*/true)};
  out->last = std::max(out->trimmed, *position);
  return {};
}

}  // namespace parley::storage
