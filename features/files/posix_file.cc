#include "features/files/posix_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "protocol/base/log.h"
#include "protocol/base/reason.h"

namespace parley::features {
namespace {

using protocol::Error;

// Paths contain ids and hashes only, so the log may name them.
Error Failed(const char* what, const std::string& path) {
  const int why = errno;
  protocol::Log(protocol::LogLevel::kError, "files", "a file operation failed",
                {{"what", what}, {"path", path}, {"why", std::generic_category().message(why)}});
  if (why == ENOSPC || why == EDQUOT || why == EFBIG)
    return ErrorFor(protocol::Reason::kNoSpace, "the disk for files is full");
  return ErrorFor(protocol::Reason::kStoreDown, "the store of files failed");
}

std::string ParentOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos || slash == 0 ? std::string() : path.substr(0, slash);
}

}  // namespace

PosixFile& PosixFile::operator=(PosixFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

PosixFile::~PosixFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

protocol::Result<PosixFile> PosixFile::Create(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return Failed("create", path);
  return PosixFile(descriptor);
}

protocol::Result<std::optional<PosixFile>> PosixFile::Open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor >= 0) return std::optional(PosixFile(descriptor));
  if (errno == ENOENT) return std::optional<PosixFile>();
  return Failed("open", path);
}

protocol::Result<int64_t> PosixFile::Size() const {
  struct stat facts {};
  if (::fstat(descriptor_, &facts) != 0) return Failed("stat", {});
  return static_cast<int64_t>(facts.st_size);
}

protocol::Status PosixFile::WriteAt(int64_t offset, std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Failed("write", {});
    bytes.remove_prefix(static_cast<size_t>(written));
    offset += written;
  }
  return protocol::Ok();
}

protocol::Result<std::string> PosixFile::ReadAt(int64_t offset, size_t size) const {
  std::string out(size, '\0');
  size_t filled = 0;
  while (filled < size) {
    const ssize_t got =
        ::pread(descriptor_, out.data() + filled, size - filled, offset + static_cast<int64_t>(filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Failed("read", {});
    if (got == 0) break;
    filled += static_cast<size_t>(got);
  }
  out.resize(filled);
  return out;
}

protocol::Status PosixFile::Truncate(int64_t size) const {
  return ::ftruncate(descriptor_, size) == 0 ? protocol::Ok() : protocol::Status(Failed("truncate", {}));
}

protocol::Status PosixFile::Sync() const {
  return ::fdatasync(descriptor_) == 0 ? protocol::Ok() : protocol::Status(Failed("sync", {}));
}

void PosixFile::BeginSync(int64_t offset, int64_t size) const {
  static_cast<void>(::sync_file_range(descriptor_, offset, size, SYNC_FILE_RANGE_WRITE));
}

protocol::Status MakeDirectories(const std::string& path) {
  if (path.empty() || ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return protocol::Ok();
  if (errno != ENOENT) return Failed("mkdir", path);
  PARLEY_CHECK_OK(MakeDirectories(ParentOf(path)));
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return SyncDirectory(ParentOf(path));
  return Failed("mkdir", path);
}

protocol::Status SyncDirectory(const std::string& path) {
  if (path.empty()) return protocol::Ok();
  const PosixFile directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.descriptor() < 0 || ::fsync(directory.descriptor()) != 0) return Failed("sync", path);
  return protocol::Ok();
}

protocol::Status RemoveFile(const std::string& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return protocol::Ok();
  return Failed("remove", path);
}

protocol::Status LinkFile(const std::string& from, const std::string& to) {
  if (::link(from.c_str(), to.c_str()) == 0 || errno == EEXIST) return protocol::Ok();
  return Failed("link", to);
}

}  // namespace parley::features
