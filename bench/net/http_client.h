// A kept-alive HTTP/1.1 connection of the generator: one request outstanding, responses with a
// Content-Length. The poller's thread.
#pragma once

#include <netinet/in.h>

#include <string>
#include <string_view>

#include "bench/net/poller.h"

namespace parley::bench {

class HttpClient final : private Poller::Handler {
 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    // The body is valid within the call, which may send the next request.
    virtual void OnAnswer(HttpClient& client, int status, std::string_view body) = 0;
    virtual void OnLost(HttpClient& client) = 0;  // closed, or an unknown response
  };

  // Connects at once; the first request reports an unreachable server. `tag`: the caller's.
  HttpClient(Poller& poller, const sockaddr_in& address, Listener& listener, size_t tag = 0);
  ~HttpClient() override;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // REQUIRES: no request is outstanding; `request` must live until its response.
  void Send(std::string_view request);
  size_t tag() const { return tag_; }

 private:
  void OnReady(uint32_t events) override;
  void Write();
  void Read();
  void TakeAnswer();
  void Lose();

  Poller& poller_;
  Listener& listener_;
  const size_t tag_;
  int fd_ = -1;
  std::string_view unsent_;
  bool blocked_ = false;
  std::string answer_;
};

// Returns a connected socket, or -1 if the port is closed.
int ConnectTo(const sockaddr_in& address);

}  // namespace parley::bench
