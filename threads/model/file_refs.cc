#include "threads/model/file_refs.h"

#include <algorithm>

#include "protocol/writer.h"
#include "threads/model/card_kinds.h"
#include "threads/model/rows.h"

namespace parley::threads {
namespace {

using protocol::AttachmentId;
using protocol::Json;
using protocol::Value;
using protocol::Writer;

constexpr std::string_view kInCards[] = {"evidence", "attachments", "receiptImage"};
constexpr std::string_view kPins[] = {"pins"}, kProofs[] = {"proofs"};

bool IsPlace(FilePlaces places, std::string_view name) {
  return std::find(places.begin(), places.end(), name) != places.end();
}

template <class Each>
void ForEachElement(FilePlaces places, const Value& root, Each each) {
  if (!root.as_map()) return;
  for (const auto& [name, value] : *root.as_map()) {
    if (!IsPlace(places, name)) continue;
    const std::string path(name);
    if (value.as_map()) each(value, path);
    if (!value.as_array()) continue;
    const protocol::Array& list = *value.as_array();
    for (size_t i = 0; i < list.size(); ++i) each(list[i], path + "." + std::to_string(i));
  }
}

// Writes the elements of the places by `put` and everything else as it is.
template <class Put>
Json Rewritten(FilePlaces places, const Json& content, Put put) {
  protocol::Document document;
  if (places.empty() || !DecodeStored(content.msgpack, &document) || !document.root.as_map()) return content;
  Writer w;
  w.BeginMap(document.root.as_map()->size());
  for (const auto& [name, value] : *document.root.as_map()) {
    w.Text(name);
    if (!IsPlace(places, name) || (!value.as_map() && !value.as_array())) {
      w.Put(value);
    } else if (value.as_map()) {
      put(value, &w);
    } else {
      w.BeginArray(value.as_array()->size());
      for (const Value& one : *value.as_array()) put(one, &w);
    }
  }
  return {w.Take()};
}

void PutWithCopy(const Value& element, const CopyOf& copy, Writer* w) {
  const auto file = FileNamedBy(element);
  const protocol::Attachment* attachment = file ? copy(*file) : nullptr;
  if (!attachment) return w->Put(element);
  const protocol::Map& members = *element.as_map();
  w->BeginMap(members.size() + (element.Find(kAttachment) ? 0 : 1));
  for (const auto& [name, value] : members) {
    if (name == kAttachment) continue;
    w->Text(name);
    w->Put(value);
  }
  w->Text(kAttachment);
  protocol::Put(*w, *attachment);
}

void PutWithoutFile(const Value& element, Writer* w) {
  if (!FileNamedBy(element)) return w->Put(element);
  const protocol::Map& members = *element.as_map();
  w->BeginMap(members.size() - (element.Find(kAttachment) ? 2 : 1));
  for (const auto& [name, value] : members) {
    if (name == kAttachment || name == kAttachmentId) continue;
    w->Text(name);
    w->Put(value);
  }
}

}  // namespace

FilePlaces PlacesInCard(std::string_view type) {
  return FindKind(type) ? FilePlaces(kInCards) : FilePlaces();
}

FilePlaces PlacesInTab(protocol::TabName tab) {
  if (tab == protocol::TabName::kMoodboard) return kPins;
  if (tab == protocol::TabName::kFiles) return kProofs;
  return {};
}

std::optional<AttachmentId> FileNamedBy(const Value& map) {
  const Value* id = map.as_map() ? map.Find(kAttachmentId) : nullptr;
  return id && id->as_text() ? AttachmentId::FromText(*id->as_text()) : std::nullopt;
}

std::vector<FileRef> FilesIn(FilePlaces places, const Json& content) {
  std::vector<FileRef> out;
  protocol::Document document;
  if (places.empty() || !DecodeStored(content.msgpack, &document)) return out;
  ForEachElement(places, document.root, [&](const Value& element, const std::string& path) {
    if (const auto file = FileNamedBy(element)) out.push_back({*file, path + ".attachmentId"});
  });
  return out;
}

bool NamesFile(FilePlaces places, const Json& content, const AttachmentId& file) {
  const auto named = FilesIn(places, content);
  return std::any_of(named.begin(), named.end(), [&](const FileRef& one) { return one.id == file; });
}

Json WithCopies(FilePlaces places, const Json& content, const CopyOf& copy) {
  return Rewritten(places, content, [&](const Value& element, Writer* w) { PutWithCopy(element, copy, w); });
}

Json WithoutFiles(FilePlaces places, const Json& content) {
  return Rewritten(places, content, PutWithoutFile);
}

}  // namespace parley::threads
