// The minimal server over the same sockets: epoll, recv, send, no protocol. In a separate process, so that
// its CPU is measured like a server's.
#pragma once

#include <string>

#include "bench/baselines/forked_server.h"

namespace parley::bench {

class RawServer {
 public:
  enum class Job {
    kEcho,       // answers each arrival with `reply`
    kBroadcast,  // each arrival (from anybody) sends `reply` to every connection, one send() each …
    kCoalesced,  // … or `burst` of them in one send() each
  };
  RawServer(Job job, std::string reply, size_t burst = 1);
  const sockaddr_in& address() const { return process_.address(); }
  pid_t pid() const { return process_.pid(); }

 private:
  ForkedServer process_;
};

}  // namespace parley::bench
