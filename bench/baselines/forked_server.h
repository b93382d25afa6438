// A server of the bench in a process of its own.
#pragma once

#include <netinet/in.h>
#include <sys/types.h>

#include <functional>
#include <string_view>

namespace parley::bench {

class ForkedServer {
 public:
  // `serve` gets a listening, non-blocking socket on loopback, in the child, and must not return. The child
  // ends with this process, or with this object.
  explicit ForkedServer(const std::function<void(int listener)>& serve);
  ~ForkedServer();
  ForkedServer(const ForkedServer&) = delete;
  ForkedServer& operator=(const ForkedServer&) = delete;

  const sockaddr_in& address() const { return address_; }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
  sockaddr_in address_{};
};

// Accepts all waiting peers, with blocking sockets: the server waits for slow readers and drops none.
void AcceptAll(int listener, int epoll, const std::function<void(int peer)>& accepted);
// Sends everything, or as much as the peer took before it closed.
void SendAll(int fd, std::string_view bytes);

}  // namespace parley::bench
