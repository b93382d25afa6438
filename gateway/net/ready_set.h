// Reports which sockets may be read or written: our own epoll set, which the loop watches through asio. Each
// socket is registered once, edge-triggered, and one asio wait covers all of them. With asio alone, each read
// would be awaited by itself, with its own system call and operation.
//
// Edge-triggered means that an event reports new input once. The receiver must remember it until a read or
// write finds nothing more (epoll(7)).
//
// Threads: the loop's.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstddef>

#include "gateway/net/descriptor.h"

namespace parley::gateway {

struct Readiness {
  bool readable;  // input, its end, or an error is there
  bool ended;     // no input follows the present one
  bool writable;
};

class Pollable {
 public:
  virtual void OnReadiness(Readiness readiness) = 0;

 protected:
  ~Pollable() = default;
};

class ReadySet {
 public:
  ReadySet();
  int descriptor() const { return epoll_.get(); }  // readable while events wait

  // Reports events of `descriptor` to `pollable` until Remove, beginning with its present state. Returns
  // false if the kernel cannot watch another descriptor.
  bool Add(int descriptor, Pollable* pollable);
  // Reports a descriptor to another pollable from now on, beginning with its present state.
  void HandOver(int descriptor, Pollable* from, Pollable* to);
  // Call before the descriptor is closed.
  void Remove(int descriptor, Pollable* pollable);
  // Reports the waiting events of at most kEventsMax descriptors.
  void NotifyListeners();

 private:
  static constexpr size_t kEventsMax = 256;

  void Forget(const Pollable* pollable);

  const Descriptor epoll_;
  std::array<epoll_event, kEventsMax> events_;
  size_t next_ = 0, count_ = 0;  // the events_ not reported yet
};

}  // namespace parley::gateway
