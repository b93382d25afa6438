// Files that only their owner may read: keys, in clear. Reading a file that others can read is an error.
// Writing is atomic and durable: after a crash the file has either its old or its new content, and it is
// complete on disk before it gets its name.
//
// Thread-safe: values and system calls.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/result.h"

namespace parley::storage {

// A descriptor, closed with its owner. Only the owner may read the files that it creates.
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

// ".", "/" or the directory that contains the file.
std::string FolderOf(const std::string& path);

inline constexpr size_t kPrivateFileBytesMax = 64 * 1024;

// Returns the whole file, or nullopt if it does not exist. INTERNAL: it is a symbolic link or no file,
// belongs to a user other than root and the process's own, is open to others, is too large or cannot be read.
protocol::Result<std::optional<std::string>> ReadPrivateFile(const std::string& path);

// INTERNAL: writing failed; the file has its old or its new content. The caller must exclude concurrent
// writers (key_file.cc locks the directory).
protocol::Status ReplacePrivateFile(const std::string& path, std::string_view text);

}  // namespace parley::storage
