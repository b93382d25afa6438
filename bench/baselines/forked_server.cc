#include "bench/baselines/forked_server.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace parley::bench {

ForkedServer::ForkedServer(const std::function<void(int listener)>& serve) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  address_.sin_family = AF_INET;
  address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address_;
  if (bind(listener, reinterpret_cast<sockaddr*>(&address_), size) != 0 || listen(listener, 4096) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&address_), &size) != 0) {
    std::perror("parley-bench: listening");
    std::exit(1);
  }
  std::fflush(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The child keeps none of the generator's sockets.
    if (listener > 3) close_range(3, static_cast<unsigned>(listener) - 1, 0);
    close_range(static_cast<unsigned>(listener) + 1, ~0u, 0);
    serve(listener);
    _exit(0);
  }
  close(listener);
}

ForkedServer::~ForkedServer() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void AcceptAll(int listener, int epoll, const std::function<void(int peer)>& accepted) {
  for (int peer; (peer = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
    const int on = 1;
    setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = peer;
    epoll_ctl(epoll, EPOLL_CTL_ADD, peer, &event);
    accepted(peer);
  }
}

void SendAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

}  // namespace parley::bench
