#include "storage/rocksdb_reader.h"

#include <rocksdb/perf_level.h>
#include <rocksdb/snapshot.h>

#include "storage/row_format.h"
#include "storage/store_rows.h"

namespace parley::storage {
namespace {

// Walks an iterator over several families in key order; they share no key.
class MergedRows {
 public:
  MergedRows(const Database& database, const rocksdb::ReadOptions& options,
             std::span<const Family> families) {
    for (const Family family : families) {
      iterators_.emplace_back(database.db->NewIterator(options, database.family(family)));
      iterators_.back()->SeekToFirst();
    }
  }
  // The lowest row not yet taken; null at the end or on failure.
  rocksdb::Iterator* Current() const {
    rocksdb::Iterator* lowest = nullptr;
    for (const auto& iterator : iterators_) {
      if (!iterator->Valid()) continue;
      if (lowest == nullptr || iterator->key().compare(lowest->key()) < 0) lowest = iterator.get();
    }
    return lowest;
  }
  // Continues with the first row at or after this key. REQUIRES: there is one family.
  void SkipTo(const std::string& key) { iterators_.front()->Seek(key); }
  rocksdb::Status status() const {
    for (const auto& iterator : iterators_) {
      if (!iterator->status().ok()) return iterator->status();
    }
    return rocksdb::Status::OK();
  }

 private:
  std::vector<std::unique_ptr<rocksdb::Iterator>> iterators_;
};

// Keys are in order of tenant and table: returns a key before which `table` has no more rows.
std::string SkipOthers(const PartitionKey& other, TableTag table) {
  std::string tenant(other.tenant());
  if (other.table() > table) return tenant + '\x01';  // after all of the tenant's
  return tenant + '\0' + static_cast<char>(table);
}

// *skip_to: rows of other tables follow, until this key.
Status VisitFull(const rocksdb::Iterator& at, std::optional<TableTag> table, const FullVisitor& visit,
                 bool* go_on, std::string* skip_to) {
  const auto split = Split(ToView(at.key()));
  if (!split)
    return {StatusCode::kCorrupt, "a key that is not one of ours: " + at.key().ToString(/*hex=*/true)};
  const TableTag found = split->partition.table();
  if (table && found != *table) *skip_to = SkipOthers(split->partition, *table);
  if (found == TableTag::kStore || !skip_to->empty()) return {};
  RowView row;
  if (Status status = DecodeRow(ToView(at.value()), &row); !status.ok()) return status;
  *go_on = visit(split->partition, split->sort, row);
  return {};
}

class SnapshotReader final : public Reader {
 public:
  explicit SnapshotReader(const Database& database)
      : held_(database.db.get()),
        reader_(database, held_.snapshot()),
        memory_(database, held_.snapshot(), rocksdb::kBlockCacheTier) {}

  Status Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const override {
    return reader_.Get(partition, sort, out);
  }
  Status MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const override {
    return reader_.MultiGet(keys, out);
  }
  Status Scan(const PartitionKey& partition, const SortRange& range, Direction direction, size_t limit,
              const RowVisitor& visit) const override {
    return reader_.Scan(partition, range, direction, limit, visit);
  }
  Status ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const override {
    return reader_.ScanAll(table, visit);
  }
  const Reader& InMemory() const override { return memory_; }

 private:
  rocksdb::ManagedSnapshot held_;
  const RocksdbReader reader_, memory_;
};

}  // namespace

rocksdb::ReadOptions RocksdbReader::Options() const {
  // Otherwise RocksDB counts each comparison for this thread, in a variable that takes two calls to find. The
  // counts are not used.
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
  rocksdb::ReadOptions options;
  options.snapshot = snapshot_;
  options.read_tier = tier_;
  return options;
}

Status RocksdbReader::Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const {
  return ReadRow(database_, Options(), FamilyOf(partition.table()), RowKeyBytes(partition, sort), out);
}

Status RocksdbReader::MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const {
  out->assign(keys.size(), std::nullopt);
  std::vector<std::string> bytes;
  std::vector<rocksdb::Slice> slices;
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  bytes.reserve(keys.size());
  for (const RowKey& key : keys) {
    slices.push_back(ToSlice(bytes.emplace_back(RowKeyBytes(key.partition, key.sort))));
    families.push_back(database_.family(FamilyOf(key.partition.table())));
  }
  std::vector<rocksdb::PinnableSlice> values(keys.size());
  std::vector<rocksdb::Status> statuses(keys.size());
  database_.db->MultiGet(Options(), keys.size(), families.data(), slices.data(), values.data(),
                         statuses.data());
  for (size_t i = 0; i < keys.size(); ++i) {
    if (statuses[i].IsNotFound()) continue;
    if (!statuses[i].ok()) return ReadFailure(statuses[i]);
    if (values[i].empty() && tier_ == rocksdb::kBlockCacheTier) return {StatusCode::kNotInMemory, {}};
    RowView row;
    if (Status status = DecodeRow(ToView(values[i]), &row); !status.ok()) return status;
    (*out)[i] = Row{row.version, std::string(row.payload)};
  }
  return {};
}

Status RocksdbReader::Scan(const PartitionKey& partition, const SortRange& range, Direction direction,
                           size_t limit, const RowVisitor& visit) const {
  const KeySpan span = SpanOf(partition, range);
  if (limit == 0 || span.empty()) return {};
  // Bounds in the iterator, so that it neither reads nor skips a row of the neighbours.
  const rocksdb::Slice lower = span.begin, upper = span.end;
  rocksdb::ReadOptions options = Options();
  options.iterate_lower_bound = &lower;
  options.iterate_upper_bound = &upper;
  const bool forward = direction == Direction::kForward;
  const std::unique_ptr<rocksdb::Iterator> at(
      database_.db->NewIterator(options, database_.family(FamilyOf(partition.table()))));
  for (forward ? at->SeekToFirst() : at->SeekToLast(); at->Valid(); forward ? at->Next() : at->Prev()) {
    RowView row;
    if (Status status = DecodeRow(ToView(at->value()), &row); !status.ok()) return status;
    if (!visit(ToView(at->key()).substr(partition.bytes().size()), row) || --limit == 0) break;
  }
  // Check it also for a scan that was ended: one of several files may have been skipped.
  return at->status().ok() ? Status{} : ReadFailure(at->status());
}

Status RocksdbReader::ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const {
  std::vector<Family> families{Family::kRows, Family::kIndex};
  if (table) families = {FamilyOf(*table)};
  rocksdb::ReadOptions options = Options();
  options.fill_cache = false;  // a full scan would only evict rows in use
  options.readahead_size = size_t{2} << 20;
  MergedRows rows(database_, options, families);
  bool go_on = true;
  for (rocksdb::Iterator* at = rows.Current(); go_on && at != nullptr; at = rows.Current()) {
    std::string skip_to;
    if (Status status = VisitFull(*at, table, visit, &go_on, &skip_to); !status.ok()) return status;
    skip_to.empty() ? at->Next() : rows.SkipTo(skip_to);
  }
  return rows.status().ok() ? Status{} : ReadFailure(rows.status());
}

Snapshot NewRocksdbSnapshot(const Database& database) {
  return std::make_unique<SnapshotReader>(database);
}

}  // namespace parley::storage
