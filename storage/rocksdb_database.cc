#include "storage/rocksdb_internal.h"
#include "storage/row_format.h"

namespace parley::storage {

Database::~Database() {
  if (db == nullptr) return;
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    if (handle != nullptr) db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  db->Close().PermitUncheckedError();  // every acknowledged write is synced, so a failure loses nothing
}

Status ReadFailure(const rocksdb::Status& status) {
  if (status.IsIncomplete()) return {StatusCode::kNotInMemory, {}};
  return {status.IsCorruption() ? StatusCode::kCorrupt : StatusCode::kUnavailable, status.ToString()};
}

Status ReadRow(const Database& database, const rocksdb::ReadOptions& options, Family family,
               std::string_view key, std::optional<Row>* out) {
  out->reset();
  rocksdb::PinnableSlice value;
  const rocksdb::Status read = database.db->Get(options, database.family(family), ToSlice(key), &value);
  if (read.IsNotFound()) return {};
  if (!read.ok()) return ReadFailure(read);
  // RocksDB 7.8 returns "found" and an empty value for a file that is not open. Our rows are never empty.
  if (value.empty() && options.read_tier == rocksdb::kBlockCacheTier) return {StatusCode::kNotInMemory, {}};
  RowView row;
  if (Status status = DecodeRow(ToView(value), &row); !status.ok()) return status;
  *out = Row{row.version, std::string(row.payload)};
  return {};
}

}  // namespace parley::storage
