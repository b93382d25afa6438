#include "storage/sealing/private_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace parley::storage {
namespace {

using protocol::Error;
using protocol::ErrorCode;

Error RefuseFile(const std::string& path, const std::string& why) {
  return Error(ErrorCode::kInternal, path + " " + why);
}

protocol::Status Judge(const File& file, const std::string& path) {
  struct stat about {};
  if (::fstat(file.fd(), &about) != 0) return CannotDo("look at", path);
  if (!S_ISREG(about.st_mode)) return RefuseFile(path, "is no file");
  if (about.st_uid != ::geteuid() && about.st_uid != 0)
    return RefuseFile(path, "belongs to another user: chown it to the one who runs the server");
  if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return RefuseFile(path, "is open to others than its owner: chmod 600 " + path);
  if (static_cast<size_t>(about.st_size) > kPrivateFileBytesMax)
    return RefuseFile(path, "is too large a file");
  return protocol::Ok();
}

protocol::Result<std::string> ReadAll(const File& file, const std::string& path) {
  std::string text(kPrivateFileBytesMax + 1, '\0');
  size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.fd(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return CannotDo("read", path);
    if (got == 0) break;
    size += static_cast<size_t>(got);
  }
  text.resize(size);
  return text;
}

bool WriteAll(const File& file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(file.fd(), text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    text.remove_prefix(static_cast<size_t>(put));
  }
  return true;
}

}  // namespace

File::File(const std::string& path, int flags)
    : fd_(::open(path.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR)) {}

File::~File() {
  if (fd_ >= 0) ::close(fd_);
}

Error CannotDo(const std::string& what, const std::string& path) {
  return Error(ErrorCode::kInternal, "cannot " + what + " " + path + ": " + ::strerror(errno));
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

protocol::Result<std::optional<std::string>> ReadPrivateFile(const std::string& path) {
  const File file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!file.is_open()) {
    if (errno == ENOENT) return std::optional<std::string>();
    if (errno == ELOOP) return RefuseFile(path, "is a symbolic link: name the file itself");
    return CannotDo("open", path);
  }
  PARLEY_CHECK_OK(Judge(file, path));
  PARLEY_TRY(text, ReadAll(file, path));
  return std::optional(std::move(text));
}

protocol::Status ReplacePrivateFile(const std::string& path, std::string_view text) {
  const std::string unfinished = path + ".new";
  ::unlink(unfinished.c_str());  // left by a crash
  {
    const File file(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (!file.is_open() || !WriteAll(file, text) || ::fsync(file.fd()) != 0)
      return CannotDo("write", unfinished);
  }
  if (::rename(unfinished.c_str(), path.c_str()) != 0) return CannotDo("rename to", path);
  const File folder(FolderOf(path), O_RDONLY | O_DIRECTORY);
  if (!folder.is_open() || ::fsync(folder.fd()) != 0) return CannotDo("sync the directory of", path);
  return protocol::Ok();
}

}  // namespace parley::storage
