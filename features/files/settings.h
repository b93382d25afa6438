// The settings `files{}` of uploads, as one table of names, defaults, bounds and meanings. The checks, the
// writer and the manual are derived from it. Values, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accounts/tenants/tenant.h"
#include "protocol/schema.h"

namespace parley::features {

inline constexpr int64_t kFileBytesMax = int64_t{16} << 30;  // the largest file in any tenant
inline constexpr int64_t kFilesBytesMax = int64_t{1} << 50;  // the largest sum of files

// The settings in force.
struct FileRules {
  bool enabled = true;
  int64_t max_bytes = 26'214'400;
  std::vector<std::string> types = {
      "image/jpeg",
      "image/png",
      "image/webp",
      "image/gif",
      "image/heic",
      "image/avif",
      "video/mp4",
      "video/quicktime",
      "application/pdf",
      "text/plain",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      "application/zip"};
  int64_t per_thread_bytes = int64_t{10} << 30;
  int64_t per_user_per_day_bytes = int64_t{1} << 30;
  int64_t per_user_per_day_count = 200;
  std::optional<int64_t> tenant_bytes = {};  // nullopt: no limit
  int64_t concurrent_per_user = 10;
  friend bool operator==(const FileRules&, const FileRules&) = default;
};

// The settings that a tenant has set.
struct FileSettings {
  using Bytes = protocol::Omit<protocol::Bounded<1, kFilesBytesMax>>;
  protocol::Omit<bool> enabled;
  protocol::Omit<protocol::Bounded<1, kFileBytesMax>> max_bytes;
  protocol::Omit<protocol::List<protocol::Text<127>, 100>> types;
  Bytes per_thread_bytes, per_user_per_day_bytes;
  protocol::Omit<protocol::Bounded<1, 1'000'000>> per_user_per_day_count;
  Bytes tenant_bytes;
  protocol::Omit<protocol::Bounded<1, 10'000>> concurrent_per_user;
  static constexpr void Fields(auto& field) {
    using T = FileSettings;
    field("enabled", &T::enabled, "users may upload files; true by default");
    field("maxBytes", &T::max_bytes, "size of the largest file; 26214400 by default: 25 MiB");
    field("types", &T::types,
          "media types that users may upload; by default JPEG, PNG, WebP, GIF, HEIC, AVIF, MP4, QuickTime, "
          "PDF, plain text, Office documents (docx, xlsx, pptx) and ZIP");
    field("perThreadBytes", &T::per_thread_bytes,
          "size of all files of a thread together; 10737418240 by default: 10 GiB");
    field("perUserPerDayBytes", &T::per_user_per_day_bytes,
          "size of all files that a user uploads in 24 hours, without cancelled ones; 1073741824 by default: "
          "1 GiB");
    field("perUserPerDayCount", &T::per_user_per_day_count,
          "uploads that a user begins in 24 hours; 200 by default");
    field("tenantBytes", &T::tenant_bytes,
          "size of all files of the tenant together; not set by default: no limit");
    field("concurrentPerUser", &T::concurrent_per_user,
          "incomplete uploads of a user at one time; 10 by default");
  }
};

// The member of the tenant's settings.
struct FileMember {
  protocol::Omit<FileSettings> files;
  static constexpr void Fields(auto& field) {
    field("files", &FileMember::files, "sizes, types and quotas of uploads");
  }
};

FileRules FilesBy(const FileSettings& settings);
FileRules FilesBy(const accounts::Tenant& tenant);

}  // namespace parley::features
