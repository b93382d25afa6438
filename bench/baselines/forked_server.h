// A server of the bench's own in a process of its own.
#pragma once

#include <netinet/in.h>
#include <sys/types.h>

#include <functional>
#include <string_view>

namespace parley::bench {

class ForkedServer {
 public:
  // `serve` gets a listening, non-blocking socket on loopback, in the child, and does not return. The child
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

// Accepts who waits, with blocking sockets: a slow reader is waited for, and nobody is left behind.
void AcceptAll(int listener, int epoll, const std::function<void(int peer)>& accepted);
// All of it, or as much as the peer took before it went away.
void SendAll(int fd, std::string_view bytes);

}  // namespace parley::bench
