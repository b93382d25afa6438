// An HTTP/1.1 connection of the bench, kept alive: one request outstanding, responses with a Content-Length
// or ended by the server's close. The poller's thread.
#pragma once

#include <netinet/in.h>

#include <memory>
#include <string>
#include <string_view>

#include "bench/net/origin.h"
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
  HttpClient(Poller& poller, const Origin& origin, Listener& listener, size_t tag = 0);
  ~HttpClient() override;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // REQUIRES: no request is outstanding; `request` must live until its response.
  void Send(std::string_view request);
  size_t tag() const { return tag_; }
  std::string fault() const;  // why the connection was lost

 private:
  void OnReady(uint32_t events) override;
  void Write();
  bool Read();  // true: there may be more, which epoll does not report
  bool TakeAnswer(bool ended);
  void Lose();

  Poller& poller_;
  Listener& listener_;
  const size_t tag_;
  int fd_ = -1;
  std::string fault_;
  std::unique_ptr<TlsSession> tls_;
  std::string_view unsent_;
  bool blocked_ = false;
  std::string answer_;
};

// Returns a connected socket, or -1 if the port is closed.
int ConnectTo(const sockaddr_in& address);

}  // namespace parley::bench
