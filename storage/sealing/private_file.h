// Files that only their owner may read: keys, in clear. Whoever finds one that others may read is told so
// instead of using it; one that is written is complete on disk before it is there under its name, and there
// to stay: a crash leaves the file as it was or as it is to be.
//
// Thread-safe: values and system calls.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/result.h"

namespace parley::storage {

// A descriptor, closed with its owner. What it creates is readable by its owner only.
class File {
 public:
  File(const std::string& path, int flags);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

 private:
  const int fd_;
};

// INTERNAL with a sentence for a person, from errno: "cannot read /var/lib/parley/operator.key: …".
protocol::Error CannotDo(const std::string& what, const std::string& path);

// ".", "/" or the directory that holds the file.
std::string FolderOf(const std::string& path);

inline constexpr size_t kPrivateFileBytesMax = 64 * 1024;

// The whole file; nullopt: there is none. INTERNAL: it is a symbolic link or no file, belongs to somebody who
// is neither the one who runs this nor root, is open to others, is too large or cannot be read.
protocol::Result<std::optional<std::string>> ReadPrivateFile(const std::string& path);

// INTERNAL: it could not be written; the file is as it was, or as it is to be. Two writers at once are kept
// apart by whoever needs that (key_file.cc locks the directory).
protocol::Status ReplacePrivateFile(const std::string& path, std::string_view text);

}  // namespace parley::storage
