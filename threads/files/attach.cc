#include "threads/files/attach.h"

#include <algorithm>
#include <set>
#include <utility>

#include "protocol/base/reason.h"
#include "threads/files/file_upkeep.h"

namespace parley::threads {
namespace {

using protocol::AttachmentKind;
using protocol::AttachmentRef;

Error BadRef(const char* what) {
  return Error::BadField("attachments", what);
}

bool DescribesPreview(const AttachmentRef& ref) {
  return ref.s3_key || ref.w || ref.h || ref.nsfw_band.value;
}

protocol::Status CheckRef(const AttachmentRef& ref) {
  const int named = (ref.attachment_id.value ? 1 : 0) + (ref.s3_key ? 1 : 0) + (ref.manifest_ref ? 1 : 0);
  if (named != 1) return BadRef("each names one upload or one manifestRef");
  const auto kind = ref.s3_key         ? AttachmentKind::kPreview
                    : ref.manifest_ref ? AttachmentKind::kManifest
                                       : AttachmentKind::kFile;
  if (ref.kind.value && *ref.kind.value != kind) return BadRef("the kind is another");
  return protocol::Ok();
}

protocol::Attachment Imported(const AttachmentRef& ref) {
  protocol::Attachment out;
  out.kind = ref.s3_key ? AttachmentKind::kPreview : AttachmentKind::kManifest;
  out.s3_key = ref.s3_key;
  out.manifest_ref = ref.manifest_ref;
  out.mime = ref.mime;
  out.w = ref.w;
  out.h = ref.h;
  out.nsfw_band = ref.nsfw_band;
  return out;
}

}  // namespace

protocol::Status CheckRefs(const AttachmentRefs& refs) {
  std::set<AttachmentId> named;
  for (const AttachmentRef& ref : refs.items) {
    PARLEY_CHECK_OK(CheckRef(ref));
    const auto& id = ref.attachment_id.value;
    if (id && !named.insert(*id).second) return BadRef("names an upload twice");
  }
  return protocol::Ok();
}

protocol::Status RequireMaySet(const Caller& caller, const AttachmentRefs& refs) {
  if (caller.is_service()) return protocol::Ok();
  for (const AttachmentRef& ref : refs.items) {
    if (DescribesPreview(ref)) return BadRef("upload the file, and name its attachmentId");
    if (ref.manifest_ref && !ref.manifest_ref->value.starts_with("https://"))
      return BadRef("a manifestRef is an https URL");
  }
  return protocol::Ok();
}

Result<std::vector<FileRow>> FindUploads(const RowReader& rows, const ThreadId& thread, const Caller& caller,
                                         const AttachmentRefs& refs) {
  std::vector<FileRow> out;
  for (const AttachmentRef& ref : refs.items) {
    if (!ref.attachment_id.value) continue;
    PARLEY_TRY(row, ReadFile(rows, thread, *ref.attachment_id.value));
    if (!row || row->message_id || row->by != caller.user || row->state() == FileState::kRemoved)
      return ErrorFor(protocol::Reason::kNoFile, "no such upload of the sender in this thread");
    out.push_back(*std::move(row));
  }
  return out;
}

protocol::Status RequireSendable(const std::vector<FileRow>& uploads) {
  for (const FileRow& row : uploads) {
    switch (row.state()) {
      case FileState::kScanning:
      case FileState::kReady:
        break;
      case FileState::kQuarantined:
      case FileState::kFailed:
        return Error(ErrorCode::kUploadQuarantined, "the upload cannot be sent");
      default:
        return ErrorFor(protocol::Reason::kFileIncomplete, "the upload is not complete");
    }
  }
  return protocol::Ok();
}

protocol::List<protocol::Attachment, 20> AttachmentsFor(const AttachmentRefs& refs,
                                                        const std::vector<FileRow>& uploads) {
  protocol::List<protocol::Attachment, 20> out;
  size_t next = 0;
  for (const AttachmentRef& ref : refs.items)
    out.items.push_back(ref.attachment_id.value ? uploads.at(next++).item : Imported(ref));
  return out;
}

void MarkSent(const TenantId& tenant, const ThreadId& thread, const std::vector<FileRow>& uploads,
              const MessageId& message, Draft* draft) {
  for (const FileRow& before : uploads) {
    FileRow row = before;
    row.message_id = message;
    WriteFile(tenant, thread, &before, std::move(row), draft);
  }
}

}  // namespace parley::threads
