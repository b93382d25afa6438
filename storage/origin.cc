#include "storage/origin.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace parley::storage {
namespace {

constexpr mode_t kOwnerOnly = 0600;

// The identity of an open file; empty if it cannot be determined.
std::string MarkOf(int file) {
  struct statx found {};
  if (statx(file, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &found) != 0) return {};
  const auto& birth = found.stx_btime;  // zeros if the file system does not record it
  return std::to_string(found.stx_ino) + "." + std::to_string(birth.tv_sec) + "." +
         std::to_string(birth.tv_nsec);
}

class OriginFile {
 public:
  explicit OriginFile(int descriptor) : descriptor_(descriptor) {}
  ~OriginFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OriginFile(const OriginFile&) = delete;
  OriginFile& operator=(const OriginFile&) = delete;
  int get() const { return descriptor_; }
  bool open() const { return descriptor_ >= 0; }

 private:
  const int descriptor_;
};

std::string Failure(const std::string& path) {
  return path + ": " + std::strerror(errno);
}

}  // namespace

bool IsUnrenewedCopy(const std::string& dir, const std::string& epoch) {
  const std::string path = dir + "/ORIGIN";
  std::ifstream in(path);
  std::string said_epoch, said_mark;
  if (!(in >> said_epoch >> said_mark)) return false;
  // The epoch was renewed, but a crash came before ORIGIN was written.
  if (said_epoch != epoch) return false;
  const OriginFile file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return file.open() && MarkOf(file.get()) != said_mark;
}

// A new file each time: overwriting the old one would keep its identity.
std::string WriteOrigin(const std::string& dir, const std::string& epoch) {
  const std::string path = dir + "/ORIGIN", fresh = path + ".new";
  unlink(fresh.c_str());
  const OriginFile file(open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kOwnerOnly));
  if (!file.open()) return Failure(fresh);
  const std::string text = epoch + " " + MarkOf(file.get()) + "\n";
  if (write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      fdatasync(file.get()) != 0 || rename(fresh.c_str(), path.c_str()) != 0)
    return Failure(fresh);
  const OriginFile folder(open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.open() || fsync(folder.get()) != 0) return Failure(dir);
  return {};
}

}  // namespace parley::storage
