// The bytes of uploads that are not complete, one file for each, in DIR/.uploads/{tenant}. The size of the
// file is the offset from which the upload goes on.
//
// Bytes that a checksum will confirm are dropped after a crash, unless they were confirmed: a second file
// says from which offset on they are unconfirmed.
//
// Thread contract: blocking. Any thread, but one at a time for each upload (Files::Claim).
#pragma once

#include <functional>
#include <string>

#include "features/files/folder_walk.h"
#include "features/files/posix_file.h"
#include "protocol/base/ids.h"
#include "protocol/base/time.h"

namespace parley::features {

class StagedFile {
 public:
  StagedFile(PosixFile file, std::string path, int64_t offset)
      : file_(std::move(file)), path_(std::move(path)), offset_(offset) {}

  int64_t offset() const { return offset_; }
  const std::string& path() const { return path_; }
  protocol::Status Append(std::string_view bytes);
  protocol::Status Sync() const { return file_.Sync(); }
  // Lets the disk begin to write the bytes after `from`.
  void BeginSync(int64_t from) const { file_.BeginSync(from, offset_ - from); }
  // From here on, bytes are unconfirmed until Confirm.
  protocol::Status BeginUnconfirmed();
  protocol::Status Confirm();
  protocol::Status DropUnconfirmed();
  // Drops all bytes. Those that were stored already, under another name, stay.
  protocol::Status Restart();
  protocol::Result<std::string> ReadAt(int64_t offset, size_t size) const {
    return file_.ReadAt(offset, size);
  }

 private:
  PosixFile file_;
  std::string path_;
  int64_t offset_;
  int64_t confirmed_ = 0;
};

class Staging {
 public:
  explicit Staging(const std::string& directory) : directory_(directory + "/.uploads") {}

  // Opens the upload's file at its end; made if missing. Unconfirmed bytes are dropped.
  protocol::Result<StagedFile> Open(const protocol::TenantId& tenant,
                                    const protocol::AttachmentId& file) const;
  // Bytes that have reached the disk; 0 if none did.
  protocol::Result<int64_t> OffsetOf(const protocol::TenantId& tenant,
                                     const protocol::AttachmentId& file) const;
  // When the last byte came; nullopt if none did.
  std::optional<protocol::Time> TouchedAt(const protocol::TenantId& tenant,
                                          const protocol::AttachmentId& file) const;
  // The path of a temporary file for work on a complete upload, in a directory that exists.
  protocol::Result<std::string> Scratch(const protocol::TenantId& tenant,
                                        const protocol::AttachmentId& file) const;
  protocol::Status Remove(const protocol::TenantId& tenant, const protocol::AttachmentId& file) const;
  // Walks over all files of all uploads.
  FolderWalk Walk() const { return FolderWalk(directory_); }
  // The upload of such a file, by its name; nullopt: it is not one of ours.
  static std::optional<protocol::AttachmentId> UploadOf(const std::string& name);

 private:
  std::string PathOf(const protocol::TenantId& tenant, const protocol::AttachmentId& file) const;
  const std::string directory_;
};

}  // namespace parley::features
