#include "threads/model/file_mark.h"

#include "protocol/base/unreadable.h"

namespace parley::threads {

storage::SortKey FileMarkKey() {
  return storage::KeyWriter().Tag(storage::UserTag::kFileMark).Sort();
}

Result<std::optional<FileMark>> ReadMark(const RowReader& rows, std::string_view blob) {
  std::optional<storage::Row> row;
  const auto status = rows.raw().Get(BlobPartition(rows.tenant(), blob), FileMarkKey(), &row);
  if (!status.ok()) return FromStorage(status);
  if (!row) return std::optional<FileMark>();
  FileMark out;
  if (!DecodeStored(row->payload, &out)) return protocol::UnreadableStored();
  return std::optional(std::move(out));
}

storage::SortRange FileRefs() {
  return storage::SortRange::Prefix(storage::KeyWriter().Tag(storage::UserTag::kFileRef).Sort());
}

bool ParseFileRefKey(std::string_view sort, AttachmentId* out) {
  storage::KeyReader reader(sort);
  return reader.Tag(storage::UserTag::kFileRef) && reader.Id(&out->ulid) && reader.AtEnd();
}

// No user id begins with a blank.
storage::PartitionKey FileSpreadPartition(const TenantId& tenant) {
  return UserPartition(tenant, UserId{" spreads"});
}

storage::SortKey FileSpreadKey(const ThreadId& thread, const AttachmentId& file) {
  return storage::KeyWriter().Tag(storage::UserTag::kFileSpread).Id(thread.ulid).Id(file.ulid).Sort();
}

}  // namespace parley::threads
