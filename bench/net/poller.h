// The generator's event loop: epoll, level-triggered, one thread. With the server's it shares the system call
// that writes for many, so that the generator leaves more of the machine to the server, and nothing else.
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
    // For those that called FlushLater. Before OnTurnEnd, what is to be written, if that can be done for it;
    // Took says how much of it was.
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
  // What is written in a turn leaves at its end, in one call per connection.
  void FlushLater(Handler* handler) { dirty_.push_back(handler); }
  void FlushNow();

  // Waits for events until `deadline_ns` at most, then handles what is there. Returns how many there were.
  int Poll(int64_t deadline_ns);

  // Time spent waiting with nothing to do: a generator that never waits was the bottleneck.
  int64_t waited_ns() const { return waited_ns_; }

 private:
  void WriteTogether();

  const int epoll_;
  const std::unique_ptr<gateway::BatchWriter> writer_;
  std::vector<iovec> vectors_;
  std::vector<gateway::Piece> pieces_;
  std::vector<Handler*> offering_;  // by piece
  std::vector<epoll_event> ready_;
  std::vector<Handler*> dirty_, flushing_;
  int64_t waited_ns_ = 0;
};

}  // namespace parley::bench
