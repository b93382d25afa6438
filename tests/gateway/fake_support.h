// The environment of a server, driven by hand: a clock and a loop that the test advances, connections whose
// client reads on request. One thread, no sockets, no waiting; equal steps give equal runs. Sessions, HTTP
// and the simulator are tested with it; the real transport has its own tests.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gateway/net/transport.h"
#include "protocol/base/clock.h"

namespace parley::gateway_test {

class FakeClock final : public protocol::Clock {
 public:
  protocol::Time Now() const override { return {wall_ms_}; }
  int64_t MonotonicMs() const override { return monotonic_ms_; }
  int64_t BootMs() const override { return boot_ms_; }
  void Advance(int64_t ms) {
    Suspend(ms);
    monotonic_ms_ += ms;
  }
  // Sets the wall clock; timers do not notice.
  void JumpWall(int64_t ms) { wall_ms_ += ms; }
  // Suspends the host for `ms`; timers do not notice.
  void Suspend(int64_t ms) {
    wall_ms_ += ms;
    boot_ms_ += ms;
  }

 private:
  int64_t wall_ms_ = 1'762'351'927'123;  // 2025-11-05T14:12:07.123Z
  int64_t monotonic_ms_ = 5'000, boot_ms_ = 5'000;
};

// Runs tasks in order of posting, and timers that are due when no task is left.
class FakeLoop final : public gateway::Loop {
 public:
  explicit FakeLoop(FakeClock& clock) : clock_(clock), timers_(std::make_shared<Timers>()) {}

  void Post(std::function<void()> task) override { tasks_.push_back(std::move(task)); }
  [[nodiscard]] std::unique_ptr<gateway::Timer> CallAfter(int64_t delay_ms,
                                                          std::function<void()> task) override;

  // Runs one task or one timer that is due; returns false if both are missing.
  bool RunOne();
  void RunUntilIdle();
  // Advances the clock by `ms` and stops at every timer on the way. After each stop calls `settle`, or runs
  // the loop if `settle` is empty.
  void Advance(int64_t ms, const std::function<void()>& settle = {});

  size_t tasks() const { return tasks_.size(); }
  size_t timers() const { return timers_->size(); }
  void DropAll();  // discards tasks and timers: the process died

 private:
  friend class FakeTimer;
  struct Due {
    int64_t at_ms;
    uint64_t order;
    auto operator<=>(const Due&) const = default;
  };
  using Timers = std::map<Due, std::function<void()>>;

  FakeClock& clock_;
  std::deque<std::function<void()>> tasks_;
  std::shared_ptr<Timers> timers_;  // the timers handed out share it, since they may outlive the loop
  uint64_t next_order_ = 0;
};

// A WebSocket without a socket, with both sides. Buffers the server's output until the client reads: at the
// loop's next turn, or with reads_itself off when the test asks. A client handle that is destroyed hangs up.
class FakeConnection final : public gateway::Connection {
 public:
  struct Payload {
    std::string bytes;
    bool binary;
  };
  struct CloseFrame {
    uint16_t code;
    std::string reason;
    bool discard;
  };

  FakeConnection(FakeLoop& loop, uint64_t id) : loop_(loop), id_(id) {}
  ~FakeConnection() override;

  // The server's side.
  uint64_t id() const override { return id_; }
  const std::string& address() const override { return address_; }
  void Send(const gateway::SharedFramePtr& frame) override;
  size_t BufferedBytes() const override { return buffered_bytes_ + foreign_bytes_; }
  void Ping() override { ++pings_; }
  void PauseReading(bool pause) override;
  void Close(uint16_t code, const std::string& reason, bool discard) override;
  void AnswerEnd() override;

  // The client's side.
  void Attach(std::unique_ptr<gateway::ConnectionHandler> handler);  // OnOpen
  void Type(std::string payload, bool binary);  // a frame to the server; waits while reading is paused
  void Pong();
  void Read(size_t frames = SIZE_MAX);  // takes buffered frames; calls OnWritable once none are left
  void SayGoodbye();                    // a close frame after the frames already sent
  void HangUp();                        // the connection ends
  void Evict();                         // as if the server's transport needed the buffered memory
  void Drop();                          // the server's process ends without calling any handler
  void set_reads_itself(bool on);
  void set_foreign_bytes(size_t bytes) { foreign_bytes_ = bytes; }  // counts as if they were buffered, too

  std::deque<Payload>& received() { return received_; }
  const std::optional<CloseFrame>& closed() const { return closed_; }
  bool paused() const { return paused_; }
  bool ended() const { return !handler_; }
  int pings() const { return pings_; }
  size_t buffered_frames() const { return buffered_.size(); }
  size_t most_buffered_bytes() const { return most_buffered_bytes_; }
  size_t sends_after_close() const { return sends_after_close_; }

 private:
  void SoonRead();
  void DeliverTyped();

  FakeLoop& loop_;
  const uint64_t id_;
  const std::string address_ = "192.0.2.7";
  std::unique_ptr<gateway::ConnectionHandler> handler_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::deque<gateway::SharedFramePtr> buffered_;
  size_t buffered_bytes_ = 0, foreign_bytes_ = 0, most_buffered_bytes_ = 0, sends_after_close_ = 0;
  std::deque<Payload> typed_, received_;
  std::optional<CloseFrame> closed_;
  bool reads_itself_ = true, read_posted_ = false, paused_ = false;
  bool says_goodbye_ = false, said_goodbye_ = false;
  int pings_ = 0;
};

// The payloads in a piece of the server's output, without the WebSocket headers.
std::vector<FakeConnection::Payload> PayloadsOf(const gateway::SharedFrame& piece);

// A transport whose peers the test creates.
class FakeTransport final : public gateway::Transport {
 public:
  explicit FakeTransport(FakeLoop& loop) : loop_(loop) {}

  void Post(std::function<void()> task) override { loop_.Post(std::move(task)); }
  [[nodiscard]] std::unique_ptr<gateway::Timer> CallAfter(int64_t delay_ms,
                                                          std::function<void()> task) override {
    return loop_.CallAfter(delay_ms, std::move(task));
  }
  std::string Listen(const gateway::TransportSettings&, gateway::TransportHandler* handler) override {
    handler_ = handler;
    return {};
  }
  uint16_t port() const override { return 1; }
  void StopAccepting() override { accepting_ = false; }
  void StopKeepingAlive() override {}
  void Run() override { loop_.RunUntilIdle(); }
  void RequestStop() override { stopped_ = true; }
  void OnSignals(std::function<void(int)>) override {}
  void OnTurnEnd(std::function<void()>) override {}
  gateway::TransportCounts Counts() const override { return {}; }
  void Relieve(size_t bytes) override;

  struct Upgraded {
    std::shared_ptr<FakeConnection> connection;  // null if refused
    std::string subprotocol;
    gateway::HttpResponse refusal;
  };
  Upgraded Connect(const gateway::HttpRequest& request, const std::vector<std::string>& offered);
  // The answer appears in the returned place.
  std::shared_ptr<std::optional<gateway::HttpResponse>> Http(gateway::HttpRequest request);
  void DropAll();  // all connections
  bool accepting() const { return accepting_; }
  bool stopped() const { return stopped_; }

 private:
  FakeLoop& loop_;
  gateway::TransportHandler* handler_ = nullptr;
  std::vector<std::weak_ptr<FakeConnection>> connections_;
  uint64_t next_id_ = 0;
  bool accepting_ = true, stopped_ = false;
};

}  // namespace parley::gateway_test
