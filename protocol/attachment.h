// An attachment: a file that a member uploaded, or a reference to files elsewhere. Messages contain them as
// they are now; the state and the bands change after the message was sent.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "protocol/base/ids.h"
#include "protocol/schema.h"

namespace parley::protocol {

enum class AttachmentKind : uint8_t { kPreview, kManifest, kFile };
template <>
struct EnumNames<AttachmentKind> {
  static constexpr std::string_view kNames[] = {"preview", "manifest", "file"};
};

// The states of an upload. kRequested has no byte yet; kRemoved has none any more.
enum class FileState : uint8_t {
  kRequested,
  kUploading,
  kScanning,
  kReady,
  kQuarantined,
  kFailed,
  kCancelled,
  kRemoved
};
template <>
struct EnumNames<FileState> {
  static constexpr std::string_view kNames[] = {"requested",   "uploading", "scanning",  "ready",
                                                "quarantined", "failed",    "cancelled", "removed"};
};

enum class VariantName : uint8_t { kOriginal, kPreview, kThumb, kBlurred };
template <>
struct EnumNames<VariantName> {
  static constexpr std::string_view kNames[] = {"original", "preview", "thumb", "blurred"};
};

using Pixels = Bounded<0, 1'000'000>;

// A smaller copy of an image, made by the server.
struct FileVariant {
  VariantName name = VariantName::kThumb;
  Text<127> mime;
  std::optional<Pixels> w, h;
  int64_t size = 0;
  friend bool operator==(const FileVariant&, const FileVariant&) = default;

  static constexpr void Fields(auto& field) {
    using T = FileVariant;
    field("name", &T::name, "the value of `variant` that fetches it");
    field("mime", &T::mime, "media type");
    field("w", &T::w, "width in pixels");
    field("h", &T::h, "height in pixels");
    field("size", &T::size, "bytes");
  }
};

struct Attachment {
  AttachmentKind kind = AttachmentKind::kPreview;
  std::optional<Text<1024>> s3_key;
  std::optional<Text<1024>> manifest_ref;
  std::optional<Text<127>> mime;
  std::optional<Pixels> w;
  std::optional<Pixels> h;
  // Uploads only.
  Omit<AttachmentId> attachment_id;
  Omit<Text<255>> name;
  Omit<int64_t> size;
  Omit<Text<64>> sha256;
  Omit<FileState> state;
  Omit<Bounded<0, 2>> nsfw_band;
  Omit<int64_t> duration_ms;
  Omit<List<FileVariant, 3>> variants;
  Omit<Time> created_at;
  Omit<UserId> by;
  friend bool operator==(const Attachment&, const Attachment&) = default;

  static constexpr void Fields(auto& field) {
    using T = Attachment;
    field("kind", &T::kind,
          "file: an upload; manifest: a reference to files elsewhere; preview: imported by a service");
    field("s3Key", &T::s3_key, "the key of a preview in the service's own store; set by services only");
    field("manifestRef", &T::manifest_ref, "the https URL of the manifest");
    field("mime", &T::mime, "media type");
    field("w", &T::w, "width in pixels");
    field("h", &T::h, "height in pixels");
    field("attachmentId", &T::attachment_id, "the upload");
    field("name", &T::name, "file name");
    field("size", &T::size, "bytes, as stored");
    field("sha256", &T::sha256, "SHA-256 of the stored bytes, hexadecimal");
    field("state", &T::state, "the upload's state; only a file that is ready can be fetched");
    field("nsfwBand", &T::nsfw_band, "0 safe, 1 suggestive, 2 mature; left out: not judged yet");
    field("durationMs", &T::duration_ms, "duration of audio or video in milliseconds");
    field("variants", &T::variants, "smaller copies that can be fetched");
    field("createdAt", &T::created_at, "when the upload began");
    field("by", &T::by, "the uploader");
  }
};

// An attachment as a sender names it: an upload, or a manifest. The other fields are for services that import
// messages.
struct AttachmentRef {
  Omit<AttachmentKind> kind;
  std::optional<Text<1024>> s3_key;
  std::optional<Text<1024>> manifest_ref;
  std::optional<Text<127>> mime;
  std::optional<Pixels> w, h;
  Omit<AttachmentId> attachment_id;
  Omit<Bounded<0, 2>> nsfw_band;

  // The first six are in the order of earlier releases, whose digests of repeated requests are stored.
  static constexpr void Fields(auto& field) {
    using T = AttachmentRef;
    field("kind", &T::kind, "follows from the other fields");
    field("s3Key", &T::s3_key, "the key of a preview in a service's own store; for services only");
    field("manifestRef", &T::manifest_ref, "the https URL of a manifest of files elsewhere");
    field("mime", &T::mime, "the manifest's media type");
    field("w", &T::w, "width of a service's preview in pixels; for services only");
    field("h", &T::h, "height of a service's preview in pixels; for services only");
    field("attachmentId", &T::attachment_id, "an upload of the sender in this thread that was not sent yet");
    field("nsfwBand", &T::nsfw_band, "band of a service's preview; for services only");
  }
};

struct AttachmentReply {
  Attachment attachment;
  static constexpr void Fields(auto& field) {
    field("attachment", &AttachmentReply::attachment, "the attachment as it is now");
  }
};

}  // namespace parley::protocol
