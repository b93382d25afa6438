// The generator's event loop: epoll, level-triggered, one thread. It shares only one thing with the server,
// the system call that writes for many, so that the generator leaves more of the machine to the server.
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "gateway/net/batch_writer.h"

namespace parley::bench {

class Poller {
 public:
  class Handler {
   public:
    virtual ~Handler() = default;
    virtual void OnReady(uint32_t events) = 0;
    // For handlers that called FlushLater. Before OnTurnEnd, Offer returns the bytes to write, if the handler
    // supports it; Took reports how many were written.
    virtual bool Offer(int* /*fd*/, iovec* /*bytes*/) { return false; }
    virtual void Took(size_t /*bytes*/) {}
    virtual void OnTurnEnd() {}
  };

  Poller();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  void Add(int fd, uint32_t events, Handler* handler);
  void Modify(int fd, uint32_t events, Handler* handler);
  void Remove(int fd, Handler* handler);
  // Writes of a turn are sent at its end, in one call per connection.
  void FlushLater(Handler* handler) { dirty_.push_back(handler); }
  void FlushNow();

  // Waits for events until `deadline_ns` at most, then handles them. Returns their number.
  int Poll(int64_t deadline_ns);

  // Idle time: a generator that never waits was the bottleneck.
  int64_t waited_ns() const { return waited_ns_; }

 private:
  void WriteTogether();

  const int epoll_;
  bool asked_for_writer_ = false;
  std::unique_ptr<gateway::BatchWriter> writer_;  // from the first turn that needs it
  std::vector<iovec> vectors_;
  std::vector<gateway::Piece> pieces_;
  std::vector<Handler*> offering_;  // by piece
  std::vector<epoll_event> ready_;
  std::vector<Handler*> dirty_, flushing_;
  int64_t waited_ns_ = 0;
};

}  // namespace parley::bench
