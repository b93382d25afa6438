// The row of an upload, FILE#{attachmentId}: what the bytes are, how far they are, and the message that shows
// them. The bytes are in the files' store, not in the row. The rules at the end of rows.h apply.
#pragma once

#include <optional>
#include <string>

#include "protocol/attachment.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

using protocol::FileState;

inline constexpr size_t kMaxCardsOfFile = 20;

// What an upload that belongs to no thread is for.
enum class FilePurpose : uint8_t { kAvatar, kBrand };

// Uploads that belong to no thread are under this id.
inline bool IsProfile(const ThreadId& thread) {
  return thread == ThreadId{};
}

}  // namespace parley::threads

template <>
struct parley::protocol::EnumNames<parley::threads::FilePurpose> {
  static constexpr std::string_view kNames[] = {"avatar", "brand"};
};

namespace parley::threads {

struct FileRow {
  protocol::Attachment item;  // as messages show it
  UserId by;
  int64_t declared_size = 0;
  Time begun_at;
  // The message that shows it; null: not sent yet. An upload is sent once, but cards and tabs may show it,
  // too.
  std::optional<MessageId> message_id;
  protocol::Omit<protocol::Text<64>> declared_sha256;  // hexadecimal; the upload fails if it differs
  protocol::Omit<bool> keep_metadata;                  // true, or left out: EXIF, GPS and XMP are removed
  // The name of the stored bytes, which equal files of a tenant share; left out before they are complete.
  protocol::Omit<protocol::Text<64>> blob;
  protocol::Omit<protocol::Text<200>> reason;  // why it failed or is quarantined
  protocol::Omit<Time> due_at;                 // its FILEDUE# row; left out: none
  protocol::Omit<bool> by_scanner;  // true: the scanner put it into quarantine; only staff release it
  protocol::Omit<bool> unscanned;   // true: it was put into quarantine before the scanner had examined it
  protocol::Omit<bool> condemned;   // true: it is in quarantine as long as its bytes are condemned
  // Only its band is missing: until it is judged, or until this time, it stays `scanning`.
  protocol::Omit<Time> judge_by;
  protocol::Omit<protocol::List<MessageId, kMaxCardsOfFile>> cards;  // that show it; left out: none
  protocol::Omit<protocol::List<protocol::TabName, 2>> tabs;         // likewise
  protocol::Omit<FilePurpose> purpose;  // left out: the upload belongs to a thread
  protocol::Omit<bool> current;         // true: it is its uploader's avatar, or the tenant's brand

  static constexpr void Fields(auto& field) {
    using T = FileRow;
    field("item", &T::item, "");
    field("by", &T::by, "");
    field("declaredSize", &T::declared_size, "");
    field("begunAt", &T::begun_at, "");
    field("messageId", &T::message_id, "");
    field("declaredSha256", &T::declared_sha256, "");
    field("keepMetadata", &T::keep_metadata, "");
    field("blob", &T::blob, "");
    field("reason", &T::reason, "");
    field("dueAt", &T::due_at, "");
    field("byScanner", &T::by_scanner, "");
    field("unscanned", &T::unscanned, "");
    field("condemned", &T::condemned, "");
    field("judgeBy", &T::judge_by, "");
    field("cards", &T::cards, "");
    field("tabs", &T::tabs, "");
    field("purpose", &T::purpose, "");
    field("current", &T::current, "");
  }

  FileState state() const { return item.state.value.value_or(FileState::kRemoved); }
  const AttachmentId& id() const { return *item.attachment_id.value; }
  bool shown() const { return message_id || cards.value || tabs.value || current.value; }
};

std::string EncodeFile(const FileRow& row);
bool DecodeFile(std::string_view payload, FileRow* out);

Result<std::optional<FileRow>> ReadFile(const RowReader& rows, const ThreadId& thread,
                                        const AttachmentId& file);
// The thread of an upload; nullopt: no such upload.
Result<std::optional<ThreadId>> ThreadOfFile(const RowReader& rows, const AttachmentId& file);

// FILE, in a partition named after the upload.
storage::PartitionKey FilePartition(const TenantId& tenant, const AttachmentId& file);
storage::SortKey FileThreadKey();
// FILEREF#{attachmentId}, in a partition named after the stored bytes: who needs them.
storage::PartitionKey BlobPartition(const TenantId& tenant, std::string_view blob);
storage::SortKey FileRefKey(const AttachmentId& file);
// PROFILE → attachmentId, in a partition named after the user, or the tenant's for its brand: the current
// one.
storage::PartitionKey ProfilePartition(const TenantId& tenant, FilePurpose purpose, const UserId& user);
storage::SortKey ProfileKey();
Result<std::optional<AttachmentId>> ReadProfile(const RowReader& rows, FilePurpose purpose,
                                                const UserId& user);
// FILEDUE#{time}#{threadId}#{attachmentId}, of all uploads of a tenant.
struct FileDue {
  Time at;
  ThreadId thread;
  AttachmentId file;
};
storage::PartitionKey FileDuePartition(const TenantId& tenant);
storage::SortKey FileDueKey(const FileDue& due);
bool ParseFileDueKey(std::string_view sort, FileDue* out);

// Whether an upload may move from one state to another.
bool MayMove(FileState from, FileState to);
// Safe-Mode concerns the file: an image or a video. All others are safe.
bool IsBanded(const protocol::Attachment& file);
// The state has no bytes that count against the quota of its thread.
bool HasNoBytes(FileState state);

// The highest band of a message's attachments; an attachment that is not judged counts as `unjudged`.
int64_t BandOf(const protocol::List<protocol::Attachment, 20>& attachments, int64_t unjudged);

}  // namespace parley::threads
