#include "storage/sealing/key_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "protocol/base/crypto.h"

namespace parley::storage {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using Keys = std::vector<SealingKey>;

constexpr size_t kFileBytesMax = 64 * 1024;
constexpr const char* kNewFile =
    "# The secrets in a Parley store are sealed with the first key; the others open older ones.\n"
    "# Keep a copy apart from the store and its backups: without this file its secrets are lost.\n";

Error Refuse(const std::string& path, const std::string& why) {
  return Error(ErrorCode::kInternal, "the sealing keys " + path + " " + why);
}
Error Cannot(const std::string& what, const std::string& path) {
  return Error(ErrorCode::kInternal, "cannot " + what + " " + path + ": " + ::strerror(errno));
}

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
  bool is_open() const { return fd_ >= 0; }

 private:
  const int fd_;
};

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::optional<Error> Judge(const File& file, const std::string& path) {
  struct stat about {};
  if (::fstat(file.fd(), &about) != 0) return Cannot("look at", path);
  if (!S_ISREG(about.st_mode)) return Refuse(path, "are no file");
  if (about.st_uid != ::geteuid() && about.st_uid != 0)
    return Refuse(path, "belong to another user: chown them to the one who runs the server");
  if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return Refuse(path, "are open to others than their owner: chmod 600 " + path);
  if (static_cast<size_t>(about.st_size) > kFileBytesMax) return Refuse(path, "are too large a file");
  return std::nullopt;
}

protocol::Result<std::string> ReadAll(const File& file, const std::string& path) {
  std::string text(kFileBytesMax + 1, '\0');
  size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.fd(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Cannot("read", path);
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

// Complete on disk before it is there under its name, and there to stay: a crash leaves the file as it was or
// as it is to be.
std::optional<Error> Replace(const std::string& path, const File& folder, std::string_view text) {
  const std::string unfinished = path + ".new";
  ::unlink(unfinished.c_str());  // of a crash
  {
    const File file(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (!file.is_open() || !WriteAll(file, text) || ::fsync(file.fd()) != 0)
      return Cannot("write", unfinished);
  }
  if (::rename(unfinished.c_str(), path.c_str()) != 0) return Cannot("rename to", path);
  if (::fsync(folder.fd()) != 0) return Cannot("sync the directory of", path);
  return std::nullopt;
}

std::string LineOf(const SealingKey& key) {
  return "# key " + key.id.ToText() + "\n" + std::string(kSealingKeyPrefix) + protocol::Hex(key.bytes) + "\n";
}

struct Found {
  std::string text;
  Keys keys;
};
protocol::Result<std::optional<Found>> Find(const std::string& path) {
  const File file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!file.is_open()) {
    if (errno == ENOENT) return std::optional<Found>();
    if (errno == ELOOP) return Refuse(path, "are a symbolic link: name the file itself");
    return Cannot("open", path);
  }
  if (auto why = Judge(file, path)) return *std::move(why);
  PARLEY_TRY(text, ReadAll(file, path));
  PARLEY_TRY(keys, ParseKeyFile(path, text));
  return std::optional(Found{std::move(text), std::move(keys)});
}

// Under a lock of its directory, so that two servers that share the file do not lose each other's keys.
protocol::Result<Keys> Change(const std::string& path, bool adds) {
  const File folder(FolderOf(path), O_RDONLY | O_DIRECTORY);
  if (!folder.is_open() || ::flock(folder.fd(), LOCK_EX) != 0) return Cannot("lock the directory of", path);
  PARLEY_TRY(found, Find(path));
  if (found && !adds) return std::move(found->keys);
  if (!found && adds) return Refuse(path, "are not there");
  Keys keys = found ? std::move(found->keys) : Keys();
  if (keys.size() >= kSealingKeysMax) return Refuse(path, "are as many as there may be: remove unused ones");
  keys.insert(keys.begin(), SealingKey::Random());
  const std::string text = LineOf(keys.front()) + (found ? found->text : std::string());
  if (auto why = Replace(path, folder, found ? text : kNewFile + text)) return *std::move(why);
  return keys;
}

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::optional<SealingKey> ParseKey(std::string_view line) {
  if (!line.starts_with(kSealingKeyPrefix)) return std::nullopt;
  line.remove_prefix(kSealingKeyPrefix.size());
  if (line.size() != 2 * kSealingKeyBytes) return std::nullopt;
  std::string bytes;
  for (size_t i = 0; i < line.size(); i += 2) {
    const int high = DigitOf(line[i]), low = DigitOf(line[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return SealingKey::FromBytes(std::move(bytes));
}

}  // namespace

protocol::Result<Keys> ParseKeyFile(const std::string& path, std::string_view text) {
  Keys keys;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return Refuse(path, "end within a line: the file is cut short");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line.empty() || line.front() == '#') continue;
    auto key = ParseKey(line);
    const std::string where = "have in line " + std::to_string(number) + " ";  // never the line itself
    if (!key) return Refuse(path, where + "no key: psk_ and 64 hexadecimal digits");
    if (std::any_of(keys.begin(), keys.end(), [&](const SealingKey& one) { return one.id == key->id; }))
      return Refuse(path, where + "the key " + key->id.ToText() + " once more");
    keys.push_back(*std::move(key));
    if (keys.size() > kSealingKeysMax) return Refuse(path, "are too many");
  }
  if (keys.empty()) return Refuse(path, "hold no key");
  return keys;
}

protocol::Result<std::optional<Keys>> ReadKeyFile(const std::string& path) {
  PARLEY_TRY(found, Find(path));
  if (!found) return std::optional<Keys>();
  return std::optional(std::move(found->keys));
}

protocol::Result<Keys> MakeKeyFile(const std::string& path) {
  return Change(path, /*adds=*/false);
}

protocol::Result<Keys> AddKey(const std::string& path) {
  return Change(path, /*adds=*/true);
}

}  // namespace parley::storage
