// Implements websocketpp's "transport policy", the extension point through which it reads, writes and sets
// timers. It is built on Socket instead of websocketpp's own asio policy, which posts every write through the
// loop, queues without bound, spins on accept when descriptors run out, and may lose the last frame on close.
// Part of the only translation unit that includes websocketpp.
//
// websocketpp writes only its own output (the answer to the handshake, close frames). Data frames, pings and
// pongs bypass it, already framed, into the same queue. So there is one queue, ordered, exactly counted, and
// ours to drop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>
#include <websocketpp/common/connection_hdl.hpp>
#include <websocketpp/common/system_error.hpp>
#include <websocketpp/logger/stub.hpp>
#include <websocketpp/transport/base/connection.hpp>

#include "gateway/net/socket.h"

namespace parley::gateway {

// A connection as websocketpp's transport. WsConnection, the WebSocket side, derives from it.
class WsConnectionTransport : public Socket {
 public:
  using ptr = std::shared_ptr<WsConnectionTransport>;
  using Logger = std::shared_ptr<websocketpp::log::stub>;
  using Status = websocketpp::lib::error_code;
  using Handler = std::function<void(const Status&)>;
  using ReadHandler = std::function<void(const Status&, size_t)>;

  struct PolicyTimer {
    std::unique_ptr<Timer> timer;
    void cancel() { timer.reset(); }
  };
  using timer_ptr = std::shared_ptr<PolicyTimer>;

  // websocketpp prescribes the names from here to `protected`.
  WsConnectionTransport(bool /*is_server*/, const Logger& /*access*/, const Logger& /*error*/) {}
  ptr get_shared() { return std::static_pointer_cast<WsConnectionTransport>(shared_from_this()); }
  void set_handle(websocketpp::connection_hdl) {}
  bool is_secure() const { return secure_; }
  std::string get_remote_endpoint() const { return {}; }  // used only in its log lines
  Status dispatch(const std::function<void()>& task) {
    task();
    return {};
  }

  timer_ptr set_timer(long delay_ms, Handler handler) {
    auto timer = std::make_shared<PolicyTimer>();
    timer->timer = pool_->loop->CallAfter(delay_ms, [this, handler = std::move(handler)] {
      ending_ = Ending::kAbort;  // a peer that missed a deadline gets no more time
      handler(Status());
    });
    return timer;
  }

  void init(const Handler& handler) {
    ready_ = handler;
    Begin();
  }

  void async_read_at_least(size_t /*at_least: always 1*/, char* buffer, size_t size,
                           const ReadHandler& handler) {
    buffer_ = buffer;
    buffer_bytes_ = size;
    if (!reads_frames_) read_handler_ = handler;
    if (open()) WantInput();
  }

  void async_write(const char* data, size_t size, const Handler& handler) {
    Write(std::string(data, size), handler);
  }
  void async_write(const std::vector<websocketpp::transport::buffer>& buffers, const Handler& handler) {
    std::string wire;
    for (const auto& buffer : buffers) wire.append(buffer.buf, buffer.len);
    Write(std::move(wire), handler);
  }

  void async_shutdown(const Handler& handler) {
    read_handler_ = nullptr;
    write_handler_ = nullptr;
    ready_ = nullptr;
    Finish(ending_);
    handler(Status());
  }

 protected:
  void OnReady() override {
    if (const auto ready = std::exchange(ready_, nullptr)) ready(Status());
  }

  size_t OnInput(const char* data, size_t size) override {
    const size_t used = std::min(size, buffer_bytes_);
    std::copy(data, data + used, buffer_);
    if (reads_frames_) {
      OnFrameBytes(used);
    } else if (const auto handler = std::exchange(read_handler_, nullptr)) {
      handler(Status(), used);
    }
    return used;
  }

  void OnFlushed() override {
    if (write_handler_ && done_bytes() >= write_end_) std::exchange(write_handler_, nullptr)(Status());
  }

  virtual void OnFrameBytes(size_t size) = 0;  // in the buffer that websocketpp gave last
  // Returns true to hold a close frame that websocketpp wants to write until WriteHeldClose.
  virtual bool HoldsClose() = 0;

  // From here on input is passed to OnFrameBytes instead of a handler object that is copied for every read.
  void ReadFrames() { reads_frames_ = true; }
  bool reads_frames() const { return reads_frames_; }
  bool writes() const { return write_handler_ != nullptr; }  // websocketpp waits for one of its own writes

  bool holds_close() const { return !held_close_.empty(); }
  void ReplaceHeldClose(std::string wire) { held_close_ = std::move(wire); }  // REQUIRES: holds_close()
  void WriteHeldClose() { Start(std::exchange(held_close_, {})); }

  bool secure_ = false;
  std::shared_ptr<ReaderBudget> readers_;
  Ending ending_ = Ending::kLinger;

 private:
  void Write(std::string wire, const Handler& handler) {
    write_handler_ = handler;
    // After the upgrade websocketpp writes only close frames.
    if (reads_frames_ && HoldsClose()) {
      held_close_ = std::move(wire);
      write_end_ = UINT64_MAX;
    } else {
      Start(std::move(wire));
    }
  }
  void Start(std::string wire) {
    Enqueue(std::make_shared<const SharedFrame>(std::move(wire), readers_));
    write_end_ = enqueued_bytes();
  }

  Handler ready_;
  ReadHandler read_handler_;
  Handler write_handler_;
  uint64_t write_end_ = 0;  // in done_bytes(): when to call write_handler_
  std::string held_close_;
  char* buffer_ = nullptr;
  size_t buffer_bytes_ = 0;
  bool reads_frames_ = false;
};

}  // namespace parley::gateway
