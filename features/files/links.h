// Links that are credentials: an upload's URL, which lets its holder send the bytes, and a file's URL, which
// lets its holder fetch them. Each is signed with the store's secret and names everything that it grants.
// A link alone is not enough: every request also reads the row.
//
// Thread contract: thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/attachment.h"
#include "protocol/base/ids.h"

namespace parley::features {

struct UploadLink {
  protocol::TenantId tenant;
  protocol::ThreadId thread;
  protocol::AttachmentId file;
  protocol::UserId by;

  static constexpr void Fields(auto& field) {
    field("t", &UploadLink::tenant, "");
    field("h", &UploadLink::thread, "");
    field("f", &UploadLink::file, "");
    field("u", &UploadLink::by, "");
  }
};

struct FileLink {
  protocol::TenantId tenant;
  protocol::ThreadId thread;
  protocol::AttachmentId file;
  protocol::VariantName variant = protocol::VariantName::kOriginal;  // as it was asked for
  int64_t band_max = 1;                                              // the viewer's
  // As in FileViewer, and whether the holder is staff.
  bool sees_all = false, by_case = false, scans = false, staff = false;
  protocol::Omit<protocol::UserId> viewer;  // the holder, if `by_case`: the case must still let them in
  protocol::Time expires_at;

  static constexpr void Fields(auto& field) {
    field("t", &FileLink::tenant, "");
    field("h", &FileLink::thread, "");
    field("f", &FileLink::file, "");
    field("v", &FileLink::variant, "");
    field("b", &FileLink::band_max, "");
    field("a", &FileLink::sees_all, "");
    field("c", &FileLink::by_case, "");
    field("s", &FileLink::scans, "");
    field("o", &FileLink::staff, "");
    field("w", &FileLink::viewer, "");
    field("e", &FileLink::expires_at, "");
  }
};

class LinkCodec {
 public:
  explicit LinkCodec(std::string_view store_secret);

  std::string Seal(const UploadLink& link) const;
  std::string Seal(const FileLink& link) const;
  // nullopt: forged, damaged, or a link of the other kind.
  std::optional<UploadLink> OpenUpload(std::string_view token) const;
  std::optional<FileLink> OpenFile(std::string_view token) const;  // does not look at expires_at

 private:
  const std::string key_;
};

}  // namespace parley::features
