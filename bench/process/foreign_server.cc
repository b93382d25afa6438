#include "bench/process/foreign_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "bench/measure/cpu.h"
#include "bench/net/http_client.h"

namespace parley::bench {
namespace {

constexpr uid_t kNobody = 65534;
constexpr int64_t kStartNs = 20'000'000'000;

sockaddr_in FreeAddress() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  socklen_t size = sizeof address;
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    std::abort();
  close(fd);
  return address;
}

// In the child, before the program begins: drops all privileges.
void GiveUpPrivileges() {
  if (geteuid() == 0 && (setgroups(0, nullptr) != 0 || setgid(kNobody) != 0 || setuid(kNobody) != 0))
    _exit(126);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a change of user clears it
}

std::string LastLine(const std::string& path) {
  std::ifstream in(path);
  std::string line, last;
  while (std::getline(in, line)) {
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace

ForeignServer::ForeignServer(const std::string& scratch, const Command& words)
    : dir_(scratch), address_(FreeAddress()) {
  if (geteuid() == 0 && chown(dir_.path().c_str(), kNobody, kNobody) != 0)
    fault_ = "its directory stays ours";
  Start(words(dir_.path(), ntohs(address_.sin_port)));
  AwaitListening();
}

ForeignServer::~ForeignServer() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void ForeignServer::Start(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string output = dir_.path() + "/output", home = "HOME=" + dir_.path();
  const char* const path = std::getenv("PATH");
  std::string path_is = std::string("PATH=") + (path ? path : "/usr/bin:/bin"), home_is = home;
  char* environment[] = {path_is.data(), home_is.data(), nullptr};
  pid_ = fork();
  if (pid_ != 0) return;
  const int out = open(output.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0644);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  GiveUpPrivileges();
  execvpe(argv[0], argv.data(), environment);
  _exit(127);
}

void ForeignServer::AwaitListening() {
  for (const int64_t until = NowNs() + kStartNs; NowNs() < until; usleep(20'000)) {
    if (const int fd = ConnectTo(address_); fd >= 0) {
      close(fd);
      return;
    }
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
      pid_ = 0;
      fault_ = "ended before it listened: " + LastLine(dir_.path() + "/output");
      return;
    }
  }
  fault_ = "did not listen within 20 seconds";
}

}  // namespace parley::bench
