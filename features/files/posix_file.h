// Files of the operating system, with every failure as an error: UNAVAILABLE if the disk is full or fails.
//
// Thread contract: blocking; one thread at a time for each object.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/result.h"

namespace parley::features {

class PosixFile {
 public:
  PosixFile() = default;
  explicit PosixFile(int descriptor) : descriptor_(descriptor) {}
  PosixFile(PosixFile&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  PosixFile& operator=(PosixFile&& other) noexcept;
  ~PosixFile();

  // Opens for reading and writing, created with mode 0600 if missing.
  static protocol::Result<PosixFile> Create(const std::string& path);
  // Opens for reading; nullopt if there is no such file.
  static protocol::Result<std::optional<PosixFile>> Open(const std::string& path);

  protocol::Result<int64_t> Size() const;
  protocol::Status WriteAt(int64_t offset, std::string_view bytes) const;
  // Reads `size` bytes, or fewer at the end of the file.
  protocol::Result<std::string> ReadAt(int64_t offset, size_t size) const;
  protocol::Status Truncate(int64_t size) const;
  protocol::Status Sync() const;
  // Lets the disk begin to write these bytes, so that Sync has less to wait for. Promises nothing.
  void BeginSync(int64_t offset, int64_t size) const;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

// Makes a directory of mode 0700, and those above it.
protocol::Status MakeDirectories(const std::string& path);
// After a file was created, renamed or removed in it.
protocol::Status SyncDirectory(const std::string& path);
// A file that is missing already is no failure.
protocol::Status RemoveFile(const std::string& path);
// Gives a file a second name; does nothing if the name exists.
protocol::Status LinkFile(const std::string& from, const std::string& to);

}  // namespace parley::features
