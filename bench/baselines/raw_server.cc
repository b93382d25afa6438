#include "bench/baselines/raw_server.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <vector>

namespace parley::bench {
namespace {

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
    // Later broadcasts reach all clients that have connected.
    AcceptAll(listener, epoll, [&](int peer) { peers.push_back(peer); });
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
        for (ssize_t round = 0; round < n; ++round) {  // one byte per round; two may arrive together
          for (const int peer : peers) SendAll(peer, job == RawServer::Job::kCoalesced ? coalesced : reply);
        }
      }
    }
  }
}

}  // namespace

RawServer::RawServer(Job job, std::string reply, size_t burst)
    : process_([&](int listener) { Serve(listener, job, reply, burst); }) {}

}  // namespace parley::bench
