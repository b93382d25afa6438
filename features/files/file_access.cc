#include "features/files/file_access.h"

#include <algorithm>

#include "protocol/base/reason.h"
#include "threads/model/message_row.h"
#include "threads/model/safe_mode.h"

namespace parley::features {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::VariantName;
using threads::FileRow;

Error NoFile() {
  return ErrorFor(protocol::Reason::kNoFile, "no such file");
}

bool IsShownIn(const threads::MessageRow& message, const protocol::AttachmentId& file) {
  const auto& shown = message.item.attachments.items;
  return !message.item.deleted_at && std::any_of(shown.begin(), shown.end(), [&](const auto& one) {
    return one.attachment_id.value == file;
  });
}

bool IsWithheldIn(const threads::MessageRow& message, const protocol::AttachmentId& file) {
  if (!message.hidden.withheld.value) return false;
  const auto& kept = message.hidden.withheld.value->attachments.items;
  return std::any_of(kept.begin(), kept.end(),
                     [&](const auto& one) { return one.attachment_id.value == file; });
}

// Before it is sent, a file is its uploader's; then it is seen by those who see its message. Staff see what
// was withheld, too.
protocol::Result<bool> IsSeen(const threads::RowReader& rows, const threads::Caller& caller,
                              const protocol::ThreadId& thread, const FileRow& row) {
  const bool own = caller.user && *caller.user == row.by;
  if (!row.message_id) return own || caller.is_staff() || (caller.is_service() && !caller.user);
  PARLEY_TRY(message, rows.Message(thread, *row.message_id));
  if (!message || !threads::MaySee(caller, message->hidden.only_for)) return false;
  return IsShownIn(*message, row.id()) || (caller.is_staff() && IsWithheldIn(*message, row.id()));
}

// The rights of a link's holder now: their case can end, and the thread can require Safe-Mode, after the link
// was made.
FileViewer ViewerOfLink(const FileLink& link, const threads::ThreadRow& head, protocol::Time now) {
  FileViewer viewer{link.band_max, link.sees_all, link.by_case, link.scans};
  viewer.by_case = link.by_case && threads::FindCaseAccess(head, link.viewer.value, now) != nullptr;
  if (!link.staff && !link.scans && head.item.safe_mode_required) viewer.band_max = threads::kSafeBand;
  return viewer;
}

}  // namespace

protocol::Result<FoundFile> FindFile(const threads::ReadContext& context,
                                     const protocol::AttachmentId& file) {
  const threads::RowReader rows = context.rows();
  PARLEY_TRY(thread, threads::ThreadOfFile(rows, file));
  if (!thread) return NoFile();
  auto standing = threads::StandingOf(context, *thread);
  if (!standing.ok()) {
    const bool keeps_out = standing.error().code == ErrorCode::kThreadNotMember;
    return keeps_out ? NoFile() : std::move(standing.error());
  }
  PARLEY_TRY(row, threads::ReadFile(rows, *thread, file));
  if (!row) return NoFile();
  PARLEY_TRY(seen, IsSeen(rows, context.caller, *thread, *row));
  if (!seen) return NoFile();
  FileViewer viewer;
  viewer.band_max = threads::BandMaxOf(context.caller, standing->head.item.safe_mode_required);
  viewer.sees_all = context.caller.user && *context.caller.user == row->by;
  viewer.by_case = context.caller.is_staff() &&
                   threads::FindCaseAccess(standing->head, context.caller.user, context.now) != nullptr;
  viewer.scans = context.caller.is_service() && !context.caller.user;
  return FoundFile{*thread, *std::move(row), viewer};
}

protocol::Result<FoundFile> FindLinked(const threads::RowReader& rows, const FileLink& link,
                                       protocol::Time now) {
  PARLEY_TRY(row, threads::ReadFile(rows, link.thread, link.file));
  if (!row) return NoFile();
  if (row->message_id) {
    PARLEY_TRY(message, rows.Message(link.thread, *row->message_id));
    const bool shown = message && IsShownIn(*message, row->id());
    const bool withheld = message && link.staff && IsWithheldIn(*message, row->id());
    if (!shown && !withheld) return NoFile();
  }
  PARLEY_TRY(head, rows.Thread(link.thread));
  if (!head) return NoFile();
  return FoundFile{link.thread, *std::move(row), ViewerOfLink(link, *head, now)};
}

protocol::Result<VariantName> VariantFor(const FoundFile& file, VariantName asked) {
  switch (ViewOf(file.row.item, asked, file.viewer)) {
    case View::kClear:
      return asked;
    case View::kBlurred:
      return VariantName::kBlurred;
    case View::kBlocked:
      return Error(ErrorCode::kMsgNsfwBlocked, "the file is above the caller's band");
    case View::kQuarantined:
      return Error(ErrorCode::kUploadQuarantined, "the file is in quarantine");
    case View::kIncomplete:
      return ErrorFor(protocol::Reason::kFileIncomplete, "the file is not ready yet");
    case View::kGone:
      break;
  }
  return NoFile();
}

protocol::Result<SentBytes> BytesOf(const FileRow& row, VariantName variant) {
  if (!row.blob.value) return NoFile();
  const std::string& blob = row.blob.value->value;
  if (variant == VariantName::kOriginal) {
    return SentBytes{blob, row.item.mime ? row.item.mime->value : "application/octet-stream",
                     row.item.size.value.value_or(0)};
  }
  if (!row.item.variants.value) return NoFile();
  for (const protocol::FileVariant& one : row.item.variants.value->items) {
    if (one.name == variant)
      return SentBytes{blob + "-" + std::string(protocol::NameOf(variant)), one.mime.value, one.size};
  }
  return NoFile();
}

}  // namespace parley::features
