// A WebSocket client for load: non-blocking, RFC 6455, messages of one frame. Input is parsed in the receive
// buffer without copies.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "bench/net/origin.h"
#include "bench/net/poller.h"

namespace parley::bench {

class WsClient final : public Poller::Handler {
 public:
  class Sink {
   public:
    virtual ~Sink() = default;
    virtual void OnOpen() = 0;                             // the handshake is done
    virtual void OnMessage(std::string_view payload) = 0;  // valid during the call
    virtual void OnClosed(uint16_t code) = 0;  // 1006: without a close frame. Close() does not call it
  };

  // `sink` and `poller` must outlive the client.
  WsClient(Poller& poller, Sink& sink) : poller_(poller), sink_(sink) {}
  ~WsClient() override { Close(); }
  WsClient(const WsClient&) = delete;
  WsClient& operator=(const WsClient&) = delete;

  // Starts connecting; OnOpen or OnClosed follows. `subprotocol` decides between text and binary frames.
  void Connect(const Origin& origin, std::string_view subprotocol);
  // Queued; sent at the end of the turn.
  void Send(std::string_view payload);
  void Close();  // at once, without a close frame
  bool open() const { return state_ == State::kOpen; }
  uint64_t bytes_in() const { return bytes_in_; }

 private:
  enum class State : uint8_t { kClosed, kConnecting, kHandshake, kOpen };
  void OnReady(uint32_t events) override;
  bool Offer(int* fd, iovec* bytes) override;
  void Took(size_t bytes) override { out_.erase(0, bytes); }
  void OnTurnEnd() override { Flush(); }
  void Read();
  bool ReadSome();  // true: there may be more, which epoll does not report
  ssize_t Take(char* data, size_t size);
  ssize_t Put(const char* data, size_t size);
  size_t Consume(std::string_view bytes);  // returns the bytes consumed; 0 and closed() after a fault
  size_t TakeHandshake(std::string_view bytes);
  void Flush();
  void Fail(uint16_t code);
  void Watch();

  Poller& poller_;
  Sink& sink_;
  int fd_ = -1;
  std::unique_ptr<TlsSession> tls_;
  State state_ = State::kClosed;
  bool binary_ = false, dirty_ = false, blocked_ = false;
  uint16_t close_code_ = 1006;
  uint64_t bytes_in_ = 0;
  std::string out_;
  std::string partial_;  // an incomplete message
};

}  // namespace parley::bench
