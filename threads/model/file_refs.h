// Finds the uploads that cards and tabs name. An element {attachmentId} of a list that takes files names an
// upload; the server keeps a copy of the upload beside the id, in `attachment`. Pure functions.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/attachment.h"
#include "protocol/items.h"
#include "protocol/value.h"

namespace parley::threads {

// The members of a payload or of a tab's content that take files: lists of maps, or one map.
using FilePlaces = std::span<const std::string_view>;
// None for custom cards, whose payloads are plain data.
FilePlaces PlacesInCard(std::string_view type);
FilePlaces PlacesInTab(protocol::TabName tab);

inline constexpr std::string_view kAttachmentId = "attachmentId", kAttachment = "attachment";

// The upload that a map names; nullopt: none.
std::optional<protocol::AttachmentId> FileNamedBy(const protocol::Value& map);

// An upload, and where it is named: "evidence.0.attachmentId".
struct FileRef {
  protocol::AttachmentId id;
  std::string path;
};
// The uploads that the places name, in their order. Empty if the content cannot be decoded.
std::vector<FileRef> FilesIn(FilePlaces places, const protocol::Json& content);
bool NamesFile(FilePlaces places, const protocol::Json& content, const protocol::AttachmentId& file);

// The content with the copies that `copy` returns; nullptr: the copy that is there stays.
using CopyOf = std::function<const protocol::Attachment*(const protocol::AttachmentId&)>;
protocol::Json WithCopies(FilePlaces places, const protocol::Json& content, const CopyOf& copy);
// The content without the ids of uploads and their copies.
protocol::Json WithoutFiles(FilePlaces places, const protocol::Json& content);

}  // namespace parley::threads
