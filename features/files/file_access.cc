#include "features/files/file_access.h"

#include <algorithm>

#include "protocol/base/reason.h"
#include "threads/model/file_refs.h"
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

// The caller, or the holder of a link, whose rights were judged before.
struct FileAsker {
  const threads::Caller* caller;  // nullptr: the holder of a link
  bool staff;
  bool sees(const protocol::Omit<protocol::UserId>& only_for) const {
    return !caller || threads::MaySee(*caller, only_for);
  }
};

// Staff see what was withheld, too.
protocol::Result<bool> IsSeenInMessage(const threads::RowReader& rows, const FileAsker& asker,
                                       const protocol::ThreadId& thread, const FileRow& row) {
  if (!row.message_id) return false;
  PARLEY_TRY(message, rows.Message(thread, *row.message_id));
  if (!message || !asker.sees(message->hidden.only_for)) return false;
  return IsShownIn(*message, row.id()) || (asker.staff && IsWithheldIn(*message, row.id()));
}

protocol::Result<bool> IsSeenInCard(const threads::RowReader& rows, const FileAsker& asker,
                                    const protocol::ThreadId& thread, const FileRow& row) {
  if (!row.cards.value) return false;
  for (const protocol::MessageId& id : row.cards.value->items) {
    PARLEY_TRY(card, rows.Card(thread, id));
    if (!card || !asker.sees(card->hidden.only_for)) continue;
    if (threads::NamesFile(threads::PlacesInCard(card->item.type.value), card->item.payload, row.id()))
      return true;
  }
  return false;
}

protocol::Result<bool> IsSeenInTab(const threads::RowReader& rows, const protocol::ThreadId& thread,
                                   const FileRow& row) {
  if (!row.tabs.value) return false;
  for (const protocol::TabName name : row.tabs.value->items) {
    PARLEY_TRY(tab, rows.Tab(thread, name));
    if (tab && threads::NamesFile(threads::PlacesInTab(name), tab->item.content, row.id())) return true;
  }
  return false;
}

// A file is seen by those who see a message, a card or a tab that shows it.
protocol::Result<bool> IsSeenShown(const threads::RowReader& rows, const FileAsker& asker,
                                   const protocol::ThreadId& thread, const FileRow& row) {
  PARLEY_TRY(in_message, IsSeenInMessage(rows, asker, thread, row));
  if (in_message) return true;
  PARLEY_TRY(in_card, IsSeenInCard(rows, asker, thread, row));
  return in_card ? protocol::Result<bool>(true) : IsSeenInTab(rows, thread, row);
}

// Before anything shows it, a file is its uploader's.
protocol::Result<bool> IsSeen(const threads::RowReader& rows, const threads::Caller& caller,
                              const protocol::ThreadId& thread, const FileRow& row) {
  if (row.shown()) return IsSeenShown(rows, {&caller, caller.is_staff()}, thread, row);
  const bool own = caller.user && *caller.user == row.by;
  return own || caller.is_staff() || (caller.is_service() && !caller.user);
}

// The rights of a link's holder now: their case can end, and the thread can require Safe-Mode, after the link
// was made.
FileViewer ViewerOfLink(const FileLink& link, const threads::ThreadRow& head, protocol::Time now) {
  FileViewer viewer{link.band_max, link.sees_all, link.by_case, link.scans};
  viewer.by_case = link.by_case && threads::FindCaseAccess(head, link.viewer.value, now) != nullptr;
  if (!link.staff && !link.scans && head.item.safe_mode_required) viewer.band_max = threads::kSafeBand;
  return viewer;
}

// Everybody in the tenant sees what is current.
protocol::Result<FoundFile> FindProfileFile(const threads::ReadContext& context,
                                            const protocol::AttachmentId& file) {
  const threads::Caller& caller = context.caller;
  PARLEY_TRY(row, threads::ReadFile(context.rows(), {}, file));
  if (!row) return NoFile();
  FileViewer viewer;
  viewer.sees_all = caller.user && *caller.user == row->by;
  viewer.scans = caller.is_service() && !caller.user;
  viewer.band_max = threads::BandMaxOf(caller, false);
  if (!row->current.value && !viewer.sees_all && !viewer.scans) return NoFile();
  return FoundFile{{}, *std::move(row), viewer};
}

}  // namespace

protocol::Result<FoundFile> FindFile(const threads::ReadContext& context,
                                     const protocol::AttachmentId& file) {
  const threads::RowReader rows = context.rows();
  PARLEY_TRY(thread, threads::ThreadOfFile(rows, file));
  if (!thread) return NoFile();
  if (threads::IsProfile(*thread)) return FindProfileFile(context, file);
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
  if (threads::IsProfile(link.thread)) {
    if (!row->current.value && !link.sees_all && !link.scans) return NoFile();
    return FoundFile{link.thread, *std::move(row), ViewerOfLink(link, threads::ThreadRow(), now)};
  }
  if (row->shown()) {
    PARLEY_TRY(seen, IsSeenShown(rows, {nullptr, link.staff}, link.thread, *row));
    if (!seen) return NoFile();
  }
  PARLEY_TRY(head, rows.Thread(link.thread));
  if (!head) return NoFile();
  return FoundFile{link.thread, *std::move(row), ViewerOfLink(link, *head, now)};
}

protocol::Result<VariantName> VariantFor(const FoundFile& file, VariantName asked) {
  // Only those who examine an avatar or a brand fetch its original.
  const bool examines = file.viewer.scans && file.row.state() == protocol::FileState::kScanning;
  if (threads::IsProfile(file.thread) && asked == VariantName::kOriginal && !examines)
    asked = VariantName::kPreview;
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
