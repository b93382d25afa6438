#include "bench/baselines/raw_server.h"

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
#include <vector>

namespace parley::bench {
namespace {

// A peer that reads too slowly for its socket loses bytes here; the receivers count what they got.
void SendAll(int fd, const std::string& bytes) {
  size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t n = send(fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return;
    sent += static_cast<size_t>(n);
  }
}

[[noreturn]] void Serve(int listener, RawServer::Job job, const std::string& reply, size_t burst) {
  const int epoll = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = listener;
  epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  std::string coalesced;
  for (size_t i = 0; i < burst; ++i) coalesced += reply;
  std::vector<int> peers;
  std::vector<epoll_event> ready(1024);
  std::vector<char> buffer(65536);
  for (;;) {
    const int count = epoll_wait(epoll, ready.data(), static_cast<int>(ready.size()), -1);
    // All clients that have connected hear of what is asked for later.
    for (int peer;
         (peer = accept4(listener, nullptr, nullptr, 0)) >= 0;) {  // blocking sends: nobody is left behind
      const int on = 1;
      setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      event.data.fd = peer;
      epoll_ctl(epoll, EPOLL_CTL_ADD, peer, &event);
      peers.push_back(peer);
    }
    for (int i = 0; i < count; ++i) {
      const int fd = ready[i].data.fd;
      if (fd == listener) continue;
      const ssize_t n = recv(fd, buffer.data(), buffer.size(), 0);
      if (n <= 0) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, fd, nullptr);
        continue;
      }
      if (job == RawServer::Job::kEcho) {
        SendAll(fd, reply);
      } else {
        for (ssize_t round = 0; round < n; ++round) {  // a byte each, and two may arrive together
          for (const int peer : peers) SendAll(peer, job == RawServer::Job::kCoalesced ? coalesced : reply);
        }
      }
    }
  }
}

}  // namespace

RawServer::RawServer(Job job, std::string reply, size_t burst) {
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
    Serve(listener, job, reply, burst);
  }
  close(listener);
}

RawServer::~RawServer() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

}  // namespace parley::bench
