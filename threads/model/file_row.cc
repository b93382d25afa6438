#include "threads/model/file_row.h"

#include <algorithm>

#include "protocol/base/unreadable.h"

namespace parley::threads {

std::string EncodeFile(const FileRow& row) {
  return protocol::Encode(row);
}

bool DecodeFile(std::string_view payload, FileRow* out) {
  return DecodeStored(payload, out) && out->item.attachment_id.value && out->item.state.value;
}

Result<std::optional<FileRow>> ReadFile(const RowReader& rows, const ThreadId& thread,
                                        const AttachmentId& file) {
  std::optional<storage::Row> row;
  const auto status = rows.raw().Get(ThreadPartition(rows.tenant(), thread), FileKey(file), &row);
  if (!status.ok()) return FromStorage(status);
  if (!row) return std::optional<FileRow>();
  FileRow out;
  if (!DecodeFile(row->payload, &out)) return protocol::UnreadableStored();
  return std::optional(std::move(out));
}

Result<std::optional<ThreadId>> ThreadOfFile(const RowReader& rows, const AttachmentId& file) {
  std::optional<storage::Row> row;
  const auto status = rows.raw().Get(FilePartition(rows.tenant(), file), FileThreadKey(), &row);
  if (!status.ok()) return FromStorage(status);
  if (!row) return std::optional<ThreadId>();
  const auto thread = protocol::Ulid::FromBytes(row->payload);
  if (!thread) return protocol::UnreadableStored();
  return std::optional(ThreadId{*thread});
}

// No user id begins with a blank.
storage::PartitionKey FilePartition(const TenantId& tenant, const AttachmentId& file) {
  return UserPartition(tenant, UserId{KeyText::UpToNul(" " + file.ToText())});
}
storage::SortKey FileThreadKey() {
  return storage::KeyWriter().Tag(storage::UserTag::kFile).Sort();
}
storage::PartitionKey BlobPartition(const TenantId& tenant, std::string_view blob) {
  return UserPartition(tenant, UserId{KeyText::UpToNul(" blob " + std::string(blob))});
}
storage::SortKey FileRefKey(const AttachmentId& file) {
  return storage::KeyWriter().Tag(storage::UserTag::kFileRef).Id(file.ulid).Sort();
}
storage::PartitionKey ProfilePartition(const TenantId& tenant, FilePurpose purpose, const UserId& user) {
  const std::string name = purpose == FilePurpose::kBrand ? " brand" : " avatar " + user.value;
  return UserPartition(tenant, UserId{KeyText::UpToNul(name)});
}
storage::SortKey ProfileKey() {
  return storage::KeyWriter().Tag(storage::UserTag::kProfile).Sort();
}
Result<std::optional<AttachmentId>> ReadProfile(const RowReader& rows, FilePurpose purpose,
                                                const UserId& user) {
  std::optional<storage::Row> row;
  const auto status = rows.raw().Get(ProfilePartition(rows.tenant(), purpose, user), ProfileKey(), &row);
  if (!status.ok()) return FromStorage(status);
  if (!row) return std::optional<AttachmentId>();
  const auto file = protocol::Ulid::FromBytes(row->payload);
  if (!file) return protocol::UnreadableStored();
  return std::optional(AttachmentId{*file});
}
storage::PartitionKey FileDuePartition(const TenantId& tenant) {
  return UserPartition(tenant, UserId{" files"});
}
storage::SortKey FileDueKey(const FileDue& due) {
  return storage::KeyWriter()
      .Tag(storage::UserTag::kFileDue)
      .Number(static_cast<uint64_t>(due.at.ms))
      .Id(due.thread.ulid)
      .Id(due.file.ulid)
      .Sort();
}
bool ParseFileDueKey(std::string_view sort, FileDue* out) {
  storage::KeyReader reader(sort);
  uint64_t ms = 0;
  if (!reader.Tag(storage::UserTag::kFileDue) || !reader.Number(&ms) || !reader.Id(&out->thread.ulid) ||
      !reader.Id(&out->file.ulid) || !reader.AtEnd())
    return false;
  out->at.ms = static_cast<int64_t>(ms);
  return true;
}

bool MayMove(FileState from, FileState to) {
  switch (to) {
    case FileState::kRequested:
      return false;
    case FileState::kUploading:
      return from == FileState::kRequested;
    case FileState::kScanning:
    case FileState::kCancelled:
      return from == FileState::kRequested || from == FileState::kUploading;
    case FileState::kReady:
      return from == FileState::kScanning || from == FileState::kQuarantined;
    case FileState::kQuarantined:
      return from == FileState::kScanning || from == FileState::kReady;
    case FileState::kFailed:
      return from == FileState::kRequested || from == FileState::kUploading || from == FileState::kScanning;
    case FileState::kRemoved:
      return from != FileState::kRemoved;
  }
  return false;
}

bool IsBanded(const protocol::Attachment& file) {
  return file.mime && (file.mime->value.starts_with("image/") || file.mime->value.starts_with("video/"));
}

bool HasNoBytes(FileState state) {
  return state == FileState::kFailed || state == FileState::kCancelled || state == FileState::kRemoved;
}

int64_t BandOf(const protocol::List<protocol::Attachment, 20>& attachments, int64_t unjudged) {
  int64_t band = 0;
  for (const protocol::Attachment& one : attachments.items) {
    if (!one.attachment_id.value) continue;
    band = std::max(band, one.nsfw_band.value ? one.nsfw_band.value->value : unjudged);
  }
  return band;
}

}  // namespace parley::threads
