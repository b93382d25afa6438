// The generator's event loop: epoll, level-triggered, one thread, nothing shared with the server's.
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <vector>

namespace parley::bench {

class Poller {
 public:
  class Handler {
   public:
    virtual ~Handler() = default;
    virtual void OnReady(uint32_t events) = 0;
    virtual void OnTurnEnd() {}  // for those that called FlushLater
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
  const int epoll_;
  std::vector<epoll_event> ready_;
  std::vector<Handler*> dirty_, flushing_;
  int64_t waited_ns_ = 0;
};

}  // namespace parley::bench
