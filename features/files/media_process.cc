#include "features/files/media_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

namespace parley::features {
namespace {

constexpr int kFirstOther = 3;  // descriptor after input, output and errors

// Descriptors and signals of a new program.
class Spawning {
 public:
  explicit Spawning(int socket) {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_adddup2(&files_, socket, 0);
    ::posix_spawn_file_actions_adddup2(&files_, socket, 1);
    ::posix_spawn_file_actions_addopen(&files_, 2, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addclosefrom_np(&files_, kFirstOther);
    ::posix_spawnattr_init(&attributes_);
    sigset_t all, none;
    ::sigfillset(&all);
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    // A group of its own: Ctrl-C stops this process, which finishes its work first.
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }
  Spawning(const Spawning&) = delete;
  Spawning& operator=(const Spawning&) = delete;
  ~Spawning() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  // Returns -1 on failure.
  pid_t Run(const std::string& program) const {
    std::string name = "parley-media";
    char* arguments[] = {name.data(), nullptr};
    char* environment[] = {nullptr};
    pid_t pid = -1;
    const int failed = ::posix_spawn(&pid, program.c_str(), &files_, &attributes_, arguments, environment);
    return failed == 0 ? pid : -1;
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

}  // namespace

std::unique_ptr<MediaProcess> MediaProcess::Start(const std::string& program) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return nullptr;
  const pid_t pid = Spawning(ends[1]).Run(program);
  ::close(ends[1]);
  if (pid > 0) return std::unique_ptr<MediaProcess>(new MediaProcess(pid, ends[0]));
  ::close(ends[0]);
  return nullptr;
}

MediaProcess::~MediaProcess() {
  ::close(socket_);
  if (ended_) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
}

bool MediaProcess::IsAlive() {
  if (!ended_) ended_ = ::waitpid(pid_, nullptr, WNOHANG) == pid_;
  return !ended_;
}

bool MediaProcess::Await(short event, Deadline deadline) const {
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd one{socket_, event, 0};
    const int ready = ::poll(&one, 1, static_cast<int>(std::min<int64_t>(left.count(), 1'000'000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

bool MediaProcess::Send(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    if (!Await(POLLOUT, deadline)) return false;
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

std::optional<std::string> MediaProcess::Receive(size_t size, Deadline deadline) {
  std::string out(size, '\0');
  for (size_t filled = 0; filled < size;) {
    if (!Await(POLLIN, deadline)) return std::nullopt;
    const ssize_t got = ::recv(socket_, out.data() + filled, size - filled, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return std::nullopt;
    filled += static_cast<size_t>(got);
  }
  return out;
}

}  // namespace parley::features
