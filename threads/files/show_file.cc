#include "threads/files/show_file.h"

#include <algorithm>
#include <utility>

#include "threads/files/file_upkeep.h"

namespace parley::threads {
namespace {

bool IsOwn(const FileRow& row, const Caller& caller) {
  return caller.user ? row.by == *caller.user : caller.is_service();
}

bool IsComplete(FileState state) {
  return state == FileState::kScanning || state == FileState::kReady;
}

// Returns false if the list has it already.
template <class L, class T>
bool AddTo(protocol::Omit<L>* list, const T& one) {
  if (!list->value) list->value.emplace();
  auto& items = list->value->items;
  if (std::find(items.begin(), items.end(), one) != items.end()) return false;
  items.push_back(one);
  return true;
}

}  // namespace

Result<std::vector<NamedFile>> ReadNamed(const RowReader& rows, const ThreadId& thread, FilePlaces places,
                                         const protocol::Json& content, size_t most) {
  std::vector<NamedFile> out;
  for (FileRef& ref : FilesIn(places, content)) {
    if (out.size() == most) break;
    PARLEY_TRY(row, ReadFile(rows, thread, ref.id));
    out.push_back({std::move(ref), std::move(row)});
  }
  return out;
}

protocol::Status RequireMayShow(const NamedFile& file, const Caller& caller, ErrorCode code) {
  const auto& row = file.row;
  const bool own = row && IsOwn(*row, caller);
  if (own && (row->state() == FileState::kQuarantined || row->state() == FileState::kFailed))
    return Error(ErrorCode::kUploadQuarantined, "the upload cannot be shown");
  if (own && IsComplete(row->state())) return protocol::Ok();
  Error error(code, "no complete upload of the caller in this thread");
  error.fields.emplace_back(file.ref.path, "names no complete upload of yours in this thread");
  return error;
}

protocol::Json WithFiles(FilePlaces places, const protocol::Json& content,
                         const std::vector<NamedFile>& files) {
  return WithCopies(places, content, [&](const AttachmentId& id) -> const protocol::Attachment* {
    const auto found = std::find_if(files.begin(), files.end(),
                                    [&](const NamedFile& file) { return file.ref.id == id && file.row; });
    return found == files.end() ? nullptr : &found->row->item;
  });
}

void MarkShownByCard(const TenantId& tenant, const ThreadId& thread, const FileRow& before,
                     const MessageId& card, Draft* draft) {
  FileRow row = before;
  AddTo(&row.cards, card);
  WriteFile(tenant, thread, &before, std::move(row), draft);
}

void MarkShownByTab(const TenantId& tenant, const ThreadId& thread, const FileRow& before,
                    protocol::TabName tab, Draft* draft) {
  FileRow row = before;
  if (!AddTo(&row.tabs, tab)) return;
  WriteFile(tenant, thread, &before, std::move(row), draft);
}

}  // namespace parley::threads
