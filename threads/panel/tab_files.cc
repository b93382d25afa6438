#include "threads/panel/tab_files.h"

#include <algorithm>
#include <map>
#include <set>

#include "threads/files/file_upkeep.h"
#include "threads/model/schema.h"

namespace parley::threads {
namespace {

using protocol::TabName;
using protocol::Value;

// The fields of an item that an upload has already.
constexpr std::string_view kOfUploads[] = {"s3Key", "assetRef", "url", "mime", "bytes", "nsfwBand"};

std::string_view TextOfMember(const Value& item, std::string_view field) {
  const Value* value = MemberOf(item, field);
  return value && value->as_text() ? *value->as_text() : std::string_view();
}
int64_t BandOfItem(const Value* item) {
  const Value* band = item ? MemberOf(*item, "nsfwBand") : nullptr;
  return band && band->as_int() ? *band->as_int() : 0;
}

const protocol::Array& ListIn(const Value& content, std::string_view list) {
  static const protocol::Array none;
  const Value* items = MemberOf(content, list);
  return items && items->as_array() ? *items->as_array() : none;
}

// Checks which fields the caller may set.
class ContentCheck {
 public:
  ContentCheck(const TabChange& change, const Caller& caller)
      : list_(change.tab == TabName::kMoodboard ? "pins" : "proofs"),
        needs_file_(change.tab == TabName::kFiles),
        service_(caller.is_service()) {
    for (const Value& item : ListIn(change.before, list_)) stored_[TextOfMember(item, "id")] = &item;
    for (const Value& final : ListIn(change.before, "finals"))
      manifests_.insert(TextOfMember(final, "manifestRef"));
  }

  protocol::Status Check(const Value& content) const {
    Wrong wrong;
    const protocol::Array& items = ListIn(content, list_);
    for (size_t i = 0; i < items.size(); ++i)
      CheckItem(items[i], "content." + std::string(list_) + "." + std::to_string(i) + ".", &wrong);
    if (!service_) CheckFinals(ListIn(content, "finals"), &wrong);
    if (wrong.empty()) return protocol::Ok();
    Error error(ErrorCode::kBadRequest, "the content does not fit the tab");
    error.fields = std::move(wrong);
    return error;
  }

 private:
  void CheckItem(const Value& item, const std::string& path, Wrong* wrong) const {
    if (FileNamedBy(item)) {
      for (const std::string_view field : kOfUploads) {
        if (MemberOf(item, field)) Say(path + std::string(field), "does not go with attachmentId", wrong);
      }
      return;
    }
    if (MemberOf(item, kAttachment)) Say(path + "attachment", "does not go without attachmentId", wrong);
    if (needs_file_ && !MemberOf(item, "s3Key")) Say(path + "attachmentId", "is required", wrong);
    if (!service_) CheckImported(item, path, wrong);
  }

  void CheckImported(const Value& item, const std::string& path, Wrong* wrong) const {
    const auto found = stored_.find(TextOfMember(item, "id"));
    const Value* stored = found == stored_.end() ? nullptr : found->second;
    const std::string_view key = TextOfMember(item, "s3Key");
    if (!key.empty() && (!stored || TextOfMember(*stored, "s3Key") != key))
      Say(path + "s3Key", "is set by services; upload the file, and name its attachmentId", wrong);
    if (BandOfItem(&item) != BandOfItem(stored)) Say(path + "nsfwBand", "is set by services", wrong);
  }

  void CheckFinals(const protocol::Array& finals, Wrong* wrong) const {
    for (size_t i = 0; i < finals.size(); ++i) {
      const std::string_view manifest = TextOfMember(finals[i], "manifestRef");
      if (!manifest.starts_with("https://") && !manifests_.contains(manifest))
        Say("content.finals." + std::to_string(i) + ".manifestRef", "must be an https URL", wrong);
    }
  }

  const std::string_view list_;
  const bool needs_file_, service_;
  std::map<std::string_view, const Value*> stored_;
  std::set<std::string_view> manifests_;
};

std::set<AttachmentId> ShownBefore(FilePlaces places, const Value& before) {
  protocol::Writer w;
  w.Put(before);
  std::set<AttachmentId> out;
  for (const FileRef& ref : FilesIn(places, {w.Take()})) out.insert(ref.id);
  return out;
}

}  // namespace

Result<std::vector<NamedFile>> LoadTabFiles(const RowReader& rows, const protocol::TabPut::Args& args) {
  PARLEY_TRY(files, ReadNamed(rows, args.thread_id, PlacesInTab(args.tab), args.content, kMaxTabFiles + 1));
  if (files.size() > kMaxTabFiles)
    return Error::BadField("content", "names more than " + std::to_string(kMaxTabFiles) + " uploads");
  return files;
}

Result<protocol::Json> WithTabFiles(const TabChange& change, const std::vector<NamedFile>& files,
                                    const Caller& caller) {
  const FilePlaces places = PlacesInTab(change.tab);
  if (places.empty()) return change.content;
  protocol::Document document;
  if (!DecodeStored(change.content.msgpack, &document)) return Error::BadField("content", "cannot be read");
  PARLEY_CHECK_OK(ContentCheck(change, caller).Check(document.root));
  const auto shown = ShownBefore(places, change.before);
  std::set<AttachmentId> named;
  for (NamedFile file : files) {
    file.ref.path = "content." + file.ref.path;
    if (!named.insert(file.ref.id).second) return Error::BadField(file.ref.path, "names an upload twice");
    if (!shown.contains(file.ref.id) || !file.row)
      PARLEY_CHECK_OK(RequireMayShow(file, caller, ErrorCode::kBadRequest));
  }
  return WithFiles(places, change.content, files);
}

void MarkShownByTab(const TenantId& tenant, const protocol::TabPut::Args& args, const TabRow* before,
                    const std::vector<NamedFile>& files, Draft* draft) {
  std::set<AttachmentId> shown;
  for (const NamedFile& file : files) {
    shown.insert(file.ref.id);
    MarkShownByTab(tenant, args.thread_id, *file.row, args.tab, draft);
  }
  if (!before) return;
  for (const FileRef& ref : FilesIn(PlacesInTab(args.tab), before->item.content)) {
    if (!shown.contains(ref.id)) LeaveFile(tenant, args.thread_id, ref.id, draft);
  }
}

}  // namespace parley::threads
