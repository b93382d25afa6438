#include "accounts/tenants/operator_key.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>

#include "protocol/base/crypto.h"

namespace parley::accounts {
namespace {

using protocol::Error;
using protocol::ErrorCode;

constexpr size_t kKeySize = kOperatorKeyPrefix.size() + 64;

class File {
 public:
  File(const std::string& path, int flags)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR)) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  const int fd_;
};

Error Cannot(const std::string& what, const std::string& path) {
  return Error(ErrorCode::kInternal, what + " " + path + ": " + ::strerror(errno));
}

// Complete on disk before it is there under its name: a crash leaves the key or no key.
std::optional<Error> Write(const std::string& path, const std::string& key) {
  const std::string unfinished = path + ".new";
  {
    const File file(unfinished, O_WRONLY | O_CREAT | O_TRUNC);
    const std::string line = key + "\n";
    if (file.fd() < 0 || ::write(file.fd(), line.data(), line.size()) != static_cast<ssize_t>(line.size()) ||
        ::fsync(file.fd()) != 0)
      return Cannot("cannot write", unfinished);
  }
  if (::rename(unfinished.c_str(), path.c_str()) != 0) return Cannot("cannot rename to", path);
  return {};
}

protocol::Result<std::string> Read(const File& file, const std::string& path) {
  struct stat about {};
  if (::fstat(file.fd(), &about) != 0) return Cannot("cannot look at", path);
  if (about.st_mode & (S_IRWXG | S_IRWXO))
    return Error(ErrorCode::kInternal, path + " is open to others: chmod 600 " + path);
  char bytes[kKeySize + 2];
  const ssize_t size = ::read(file.fd(), bytes, sizeof bytes);
  if (size < 0) return Cannot("cannot read", path);
  std::string key(bytes, static_cast<size_t>(size));
  if (!key.empty() && key.back() == '\n') key.pop_back();
  const bool fits = key.size() == kKeySize && key.starts_with(kOperatorKeyPrefix) &&
                    key.find_first_not_of("0123456789abcdef", kOperatorKeyPrefix.size()) == std::string::npos;
  if (!fits)
    return Error(ErrorCode::kInternal, path + " holds no operator key: opk_ and 64 hexadecimal digits");
  return key;
}

}  // namespace

protocol::Result<OperatorKey> LoadOperatorKey(const std::string& dir) {
  const std::string path = dir + "/" + std::string(kOperatorKeyFile);
  const File file(path, O_RDONLY);
  if (file.fd() >= 0) {
    PARLEY_TRY(key, Read(file, path));
    return OperatorKey{std::move(key)};
  }
  if (errno != ENOENT) return Cannot("cannot open", path);
  OperatorKey made{std::string(kOperatorKeyPrefix) + protocol::Hex(protocol::RandomBytes(32)), true};
  if (auto why = Write(path, made.key)) return *std::move(why);
  return made;
}

}  // namespace parley::accounts
