#include "threads/files/begin_upload.h"

#include <algorithm>

#include "protocol/base/reason.h"
#include "threads/files/file_charge.h"
#include "threads/files/file_upkeep.h"

namespace parley::threads {
namespace {

protocol::Status HasRoom(const ThreadRow& head, const UploadWish& wish) {
  const int64_t left = wish.thread_bytes_max - head.hidden.file_bytes.value.value_or(0);
  if (wish.size <= left) return protocol::Ok();
  Error error(ErrorCode::kAttachmentTooLarge, "the conversation has no room for a file of this size");
  error.fields = {{"limit", "perThreadBytes"}, {"left", std::to_string(std::max<int64_t>(left, 0))}};
  return error;
}

}  // namespace

FileRow RowFor(const UploadWish& wish, const UserId& by, Time now) {
  FileRow row;
  row.by = by;
  row.begun_at = now;
  row.declared_size = wish.size;
  row.declared_sha256 = wish.sha256;
  if (wish.keep_metadata) row.keep_metadata.value = true;
  protocol::Attachment& item = row.item;
  item.kind = protocol::AttachmentKind::kFile;
  item.attachment_id.value = wish.id;
  item.name.value = wish.name;
  item.mime = wish.mime;
  item.size.value = wish.size;
  item.state.value = FileState::kRequested;
  item.created_at.value = now;
  item.by.value = by;
  return row;
}

Result<Decision> BeginUpload(Transaction& tx, const Caller& caller, const UploadWish& wish) {
  PARLEY_TRY(standing, tx.StandingOf(caller, wish.thread));
  if (!caller.user)
    return ErrorFor(protocol::Reason::kOnlyUsers, "a service uploads as a user; name one by Parley-User");
  PARLEY_CHECK_OK(RequirePermission(standing, protocol::Permission::kFiles));
  PARLEY_CHECK_OK(RequireMayWrite(standing, caller));
  PARLEY_CHECK_OK(HasRoom(standing.head, wish));

  const FileRow row = RowFor(wish, *caller.user, tx.moment().now);
  PARLEY_CHECK_OK(ChargeFile(tx, caller.tenant, nullptr, &row));
  Draft draft(std::move(standing.head), tx.moment().now);
  auto& bytes = draft.head().hidden.file_bytes.value;
  bytes = bytes.value_or(0) + wish.size;
  draft.HeadKept();
  WriteFile(caller.tenant, wish.thread, nullptr, row, &draft);
  return draft.Finish(protocol::Encode(protocol::AttachmentReply{row.item}));
}

}  // namespace parley::threads
