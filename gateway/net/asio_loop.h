// Runs Transport's event loop: asio's io_context, driven in turns, so that all output that the handlers of
// one turn queue for a socket leaves in one write.
//
// A turn: block for one handler, run other ready ones (at most kHandlersPerTurn, so that a flood cannot
// starve the flush; one of them notifies all ready sockets), call the turn-end hooks, flush the dirty
// sockets, with one system call for all of them if io_uring is available.
//
// Timers: an ordered map, and one steady_timer armed for its earliest entry. Setting and cancelling take
// O(log n), and no system call unless the earliest changes; an asio timer per session would cost twice the
// memory and the same log n.
//
// Threads: Post and RequestStop from any thread; everything else on the loop's thread (or before Run).
#pragma once

#include <asio/basic_socket_acceptor.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/posix/basic_stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "gateway/net/batch_writer.h"
#include "gateway/net/loop.h"
#include "gateway/net/ready_set.h"

namespace parley::gateway {

// Uses the loop's concrete executor type: asio's default is type-erased and costs an allocation or a virtual
// call per wait.
using TcpAcceptor = asio::basic_socket_acceptor<asio::ip::tcp, asio::io_context::executor_type>;

// Incremented on the loop's thread, readable on any.
class LoopCounter {
 public:
  void Add(uint64_t n) { value_.store(value() + n, std::memory_order_relaxed); }
  uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

class TimerQueue {
 public:
  using Key = std::pair<int64_t, uint64_t>;  // deadline in ms, then order of setting
  Key Add(int64_t deadline_ms, std::function<void()> task);
  void Remove(const Key& key) { entries_.erase(key); }
  bool empty() const { return entries_.empty(); }
  int64_t earliest_ms() const { return entries_.begin()->first.first; }  // REQUIRES: !empty()
  // Runs the tasks that are due and were set before the call; tasks that they add wait for the next call.
  void RunDue(int64_t now_ms);

 private:
  std::map<Key, std::function<void()>> entries_;
  uint64_t next_ = 0;
};

// Something that a turn flushes.
class Flushable {
 public:
  virtual ~Flushable() = default;
  // Offers the bytes that it would write first, in at most `capacity` vectors, for a write of many sockets at
  // once. Returns 0 if it has none, or must write them itself.
  virtual int Offer(int* descriptor, iovec* vectors, int capacity) = 0;
  virtual void Took(size_t bytes) = 0;  // this many bytes of the offer were written
  // Writes the rest, as far as the kernel accepts it, and acts on the progress.
  virtual void FlushTurn() = 0;
};

class EventLoop {
 public:
  EventLoop();
  ~EventLoop();

  asio::io_context& io() { return io_; }
  ReadySet& ready() { return ready_; }
  void Post(std::function<void()> task);
  static int64_t NowMs();  // by the clock of the timers
  std::unique_ptr<Timer> CallAfter(int64_t delay_ms, std::function<void()> task);
  void OnTurnEnd(std::function<void()> hook) { turn_end_.push_back(std::move(hook)); }
  // Calls FlushTurn at the end of this turn, once for each call of AddDirty, so callers keep a flag.
  void AddDirty(std::shared_ptr<Flushable> flushable) { dirty_.push_back(std::move(flushable)); }

  void Run();  // until RequestStop
  void RequestStop();
  void FlushDirty();
  // Writes to many sockets at once from now on, if the kernel supports it. Call before Run.
  void WriteTogether() { together_ = Together::kWanted; }

 private:
  static constexpr int kHandlersPerTurn = 256;

  enum class Together : uint8_t { kNo, kWanted, kYes };

  void RunTurn();
  void AwaitReady();
  void FlushTogether();
  void ArmTimer();
  void OnTimer();

  asio::io_context io_{1};
  ReadySet ready_;
  asio::posix::basic_stream_descriptor<asio::io_context::executor_type> readiness_;
  bool awaits_ready_ = false;
  asio::steady_timer alarm_{io_};
  int64_t alarm_ms_ = INT64_MAX;  // when alarm_ will fire
  std::shared_ptr<TimerQueue> timers_ =
      std::make_shared<TimerQueue>();  // shared: a Timer may outlive the loop
  std::vector<std::function<void()>> turn_end_;
  std::vector<std::shared_ptr<Flushable>> dirty_;
  std::vector<std::shared_ptr<Flushable>> flushing_;  // empty between flushes; keeps its capacity
  Together together_ = Together::kNo;
  std::unique_ptr<BatchWriter> writer_;
  std::vector<iovec> vectors_;
  std::vector<Piece> pieces_;
  std::vector<Flushable*> offering_;  // by piece
  std::atomic<bool> stop_{false};
};

}  // namespace parley::gateway
