#include "storage/rocksdb_internal.h"
#include "storage/row_format.h"

namespace parley::storage {

Database::~Database() {
  if (db == nullptr) return;
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    if (handle != nullptr) db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  db->Close().PermitUncheckedError();  // everything acknowledged is synced: nothing is lost if this fails
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
  // Of a file that is not open, RocksDB 7.8 says "found" and gives nothing. A row of ours is never empty.
  if (value.empty() && options.read_tier == rocksdb::kBlockCacheTier) return {StatusCode::kNotInMemory, {}};
  RowView row;
  if (Status status = DecodeRow(ToView(value), &row); !status.ok()) return status;
  *out = Row{row.version, std::string(row.payload)};
  return {};
}

}  // namespace parley::storage
