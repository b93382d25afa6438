#include "media/jobs.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "media/copies.h"
#include "media/frames.h"
#include "media/sandbox.h"

namespace parley::media {
namespace {

constexpr int kInput = 0, kOutput = 1;

// Returns the number of bytes read: fewer than `size` only at the end of the input.
size_t ReadUpTo(int descriptor, char* to, size_t size) {
  size_t filled = 0;
  while (filled < size) {
    const ssize_t got = ::read(descriptor, to + filled, size - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    filled += static_cast<size_t>(got);
  }
  return filled;
}

bool WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Memory for a file, which returns to the system with it.
class Memory {
 public:
  explicit Memory(size_t size)
      : size_(size), at_(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (ok()) ::munmap(at_, size_);
  }
  bool ok() const { return at_ != MAP_FAILED; }
  char* data() const { return static_cast<char*>(at_); }
  std::string_view text() const { return {data(), size_}; }

 private:
  const size_t size_;
  void* const at_;
};

bool Skip(uint64_t size) {
  char piece[16384];
  while (size > 0) {
    const size_t step = std::min<uint64_t>(size, sizeof piece);
    if (ReadUpTo(kInput, piece, step) != step) return false;
    size -= step;
  }
  return true;
}

// The library for pages would not work without looking for its fonts and tables.
Files FilesFor(std::string_view file) {
  return file.starts_with("%PDF") ? Files::kMissing : Files::kKill;
}

// The child's half of a job: its reply is all that leaves it.
[[noreturn]] void WorkConfined(std::string_view file, int output, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  const rlimit seconds{kSecondsMax, kSecondsMax};
  ::alarm(kSecondsMax);
  const bool ready = ::setrlimit(RLIMIT_CPU, &seconds) == 0 && ::close(kInput) == 0 &&
                     ::dup2(output, kOutput) == kOutput && ::close(output) == 0 && Confine(FilesFor(file));
  ::_exit(ready && WriteAll(kOutput, MakeCopies(file)) ? 0 : 1);
}

std::string EndOf(int status) {
  if (WIFSIGNALED(status)) return std::string("the work was ended by ") + ::strsignal(WTERMSIG(status));
  return "the work ended with " + std::to_string(WEXITSTATUS(status));
}

// The reply of the child, or why it has none.
std::string Collect(pid_t child, int from) {
  const Memory space(kReplyBytesMax + 1);
  const std::string reply(space.data(), space.ok() ? ReadUpTo(from, space.data(), space.text().size()) : 0);
  ::close(from);  // ends a child that writes more
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (status != 0) return EncodeRefused(EndOf(status));
  if (reply.empty() || reply.size() > kReplyBytesMax) return EncodeRefused("the work has no reply that fits");
  return reply;
}

std::string Work(std::string_view file) {
  int ends[2];
  if (::pipe(ends) != 0) return EncodeRefused("no pipe");
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    WorkConfined(file, ends[1], parent);
  }
  ::close(ends[1]);
  if (child > 0) return Collect(child, ends[0]);
  ::close(ends[0]);
  return EncodeRefused("no process");
}

bool Answer(const std::string& reply) {
  std::string head;
  PutNumber(static_cast<uint32_t>(reply.size()), &head);
  return WriteAll(kOutput, head) && WriteAll(kOutput, reply);
}

bool ServeOne(uint64_t size) {
  const Memory file(size);
  if (!file.ok()) return Skip(size) && Answer(EncodeRefused("no memory for the file"));
  return ReadUpTo(kInput, file.data(), size) == size && Answer(Work(file.text()));
}

}  // namespace

bool ServeJobs() {
  for (char head[kRequestHeadBytes];;) {
    const size_t got = ReadUpTo(kInput, head, sizeof head);
    if (got != sizeof head) return got == 0;
    std::string_view bytes(head, sizeof head);
    uint64_t size = 0;
    if (!TakeNumber(&bytes, &size) || size == 0 || size > kInputBytesMax) return false;
    if (!ServeOne(size)) return false;
  }
}

}  // namespace parley::media
