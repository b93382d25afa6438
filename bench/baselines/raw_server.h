// The least that a server can do over the same sockets: epoll, recv, send, no protocol. In a separate
// process, so that its CPU is measured like a server's.
#pragma once

#include <netinet/in.h>
#include <sys/types.h>

#include <string>

namespace parley::bench {

class RawServer {
 public:
  enum class Job {
    kEcho,       // answers each arrival with `reply`
    kBroadcast,  // each arrival (from anybody) sends `reply` to every connection, one send() each …
    kCoalesced,  // … or `burst` of them in one send() each
  };
  RawServer(Job job, std::string reply, size_t burst = 1);
  ~RawServer();
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  const sockaddr_in& address() const { return address_; }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
  sockaddr_in address_{};
};

}  // namespace parley::bench
