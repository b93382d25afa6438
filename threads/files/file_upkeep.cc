#include "threads/files/file_upkeep.h"

#include <set>
#include <utility>

#include "protocol/base/unreadable.h"
#include "threads/model/file_refs.h"
#include "threads/model/message_row.h"

namespace parley::threads {
namespace {

storage::RowWrite Mark(storage::SortKey sort, std::string payload = {}) {
  return {std::move(sort), storage::Row{1, std::move(payload)}};
}
storage::RowWrite Erasure(storage::SortKey sort) {
  return {std::move(sort), std::nullopt};
}

std::optional<std::string> BlobOf(const FileRow& row) {
  return row.blob.value ? std::optional(row.blob.value->value) : std::nullopt;
}

void MoveDue(const TenantId& tenant, const ThreadId& thread, const std::optional<Time>& from,
             const std::optional<Time>& to, const AttachmentId& file, Draft* draft) {
  if (from == to) return;
  const auto partition = FileDuePartition(tenant);
  if (from) draft->Beside(partition, Erasure(FileDueKey({*from, thread, file})));
  if (to) draft->Beside(partition, Mark(FileDueKey({*to, thread, file})));
}

void MoveRef(const TenantId& tenant, const std::optional<std::string>& from,
             const std::optional<std::string>& to, const AttachmentId& file, Draft* draft) {
  if (from == to) return;
  if (from) draft->Beside(BlobPartition(tenant, *from), Erasure(FileRefKey(file)));
  if (to) draft->Beside(BlobPartition(tenant, *to), Mark(FileRefKey(file)));
}

}  // namespace

std::optional<Time> DueOf(const FileRow& row) {
  // At once, if the server ends before the work does.
  if (row.state() == FileState::kScanning) return row.judge_by.value.value_or(kScanningDue);
  if (row.shown()) return std::nullopt;
  return Time{row.begun_at.ms + (row.state() == FileState::kQuarantined ? kUnsentEvidenceMs : kUnsentFileMs)};
}

void WriteFile(const TenantId& tenant, const ThreadId& thread, const FileRow* before, FileRow row,
               Draft* draft) {
  const AttachmentId file = row.id();
  row.due_at.value = DueOf(row);
  MoveDue(tenant, thread, before ? before->due_at.value : std::nullopt, row.due_at.value, file, draft);
  MoveRef(tenant, before ? BlobOf(*before) : std::nullopt, BlobOf(row), file, draft);
  if (!before)
    draft->Beside(FilePartition(tenant, file), Mark(FileThreadKey(), std::string(thread.ulid.raw())));
  draft->Write(FileKey(file), EncodeFile(row));
}

void LookAgain(const TenantId& tenant, const ThreadId& thread, const FileDue& found, FileRow row,
               const std::optional<Time>& next, Draft* draft) {
  if (next != found.at) draft->Beside(FileDuePartition(tenant), Erasure(FileDueKey(found)));
  MoveDue(tenant, thread, row.due_at.value, next, row.id(), draft);
  row.due_at.value = next;
  draft->Write(FileKey(row.id()), EncodeFile(row));
}

void EraseFile(const TenantId& tenant, const ThreadId& thread, const FileRow& row, Draft* draft) {
  const AttachmentId& file = row.id();
  MoveDue(tenant, thread, row.due_at.value, std::nullopt, file, draft);
  MoveRef(tenant, BlobOf(row), std::nullopt, file, draft);
  draft->Beside(FilePartition(tenant, file), Erasure(FileThreadKey()));
  draft->Erase(FileKey(file));
}

void LeaveFile(const TenantId& tenant, const ThreadId& thread, const AttachmentId& file, Draft* draft) {
  draft->Beside(FileDuePartition(tenant), Mark(FileDueKey({draft->now(), thread, file})));
}

namespace {

// The uploads that a message and its card show.
std::set<AttachmentId> FilesOf(const protocol::Message& message) {
  std::set<AttachmentId> out;
  for (const protocol::Attachment& one : message.attachments.items) {
    if (one.attachment_id.value) out.insert(*one.attachment_id.value);
  }
  if (!message.action) return out;
  const auto& card = *message.action;
  for (const FileRef& file : FilesIn(PlacesInCard(card.type.value), card.payload)) out.insert(file.id);
  return out;
}

}  // namespace

void LeaveFiles(const TenantId& tenant, const MessageRow& before, Draft* draft) {
  protocol::Message shown = before.item;
  if (before.hidden.withheld.value) shown.attachments = before.hidden.withheld.value->attachments;
  for (const AttachmentId& file : FilesOf(shown)) LeaveFile(tenant, shown.thread_id, file, draft);
}

Result<std::vector<AttachmentId>> FindEvidence(const RowReader& rows, const MessageRow& message) {
  std::set<AttachmentId> found;
  if (!message.hidden.flagged.value || !message.item.deleted_at) return std::vector<AttachmentId>();
  bool sound = true;
  const auto status = rows.raw().Scan(ThreadPartition(rows.tenant(), message.item.thread_id),
                                      HistoryOf(message.item.message_id), storage::Direction::kForward,
                                      SIZE_MAX, [&](std::string_view, storage::RowView row) {
                                        HistoryRow was;
                                        sound = DecodeStored(row.payload, &was);
                                        if (sound) found.merge(FilesOf(was.before));
                                        return sound;
                                      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return protocol::UnreadableStored();
  return std::vector<AttachmentId>(found.begin(), found.end());
}

void LeaveEvidence(const TenantId& tenant, const ThreadId& thread, const std::vector<AttachmentId>& evidence,
                   Draft* draft) {
  for (const AttachmentId& file : evidence) LeaveFile(tenant, thread, file, draft);
}

}  // namespace parley::threads
