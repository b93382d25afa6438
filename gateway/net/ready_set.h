// Which sockets may be read or written: an epoll set of our own, which the loop watches through asio. A
// socket is registered once, edge-triggered, and one wait of asio's stands for all of them. Through asio each
// read would be awaited by itself, with a system call and an operation of its own.
//
// Edge-triggered means: an event says that something came, once. Whoever is told must remember it until a
// read or write has found nothing more (epoll(7)).
//
// Threads: the loop's.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstddef>

#include "gateway/net/descriptor.h"

namespace parley::gateway {

struct Readiness {
  bool readable;  // input came, or its end, or an error
  bool ended;     // no input comes after what is there
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
  int descriptor() const { return epoll_.get(); }  // readable while there is something to tell

  // From now until Remove, `pollable` is told of `descriptor`, first of what is there already. False: the
  // kernel cannot watch another one.
  bool Add(int descriptor, Pollable* pollable);
  // The same for a descriptor that another pollable was told of.
  void HandOver(int descriptor, Pollable* from, Pollable* to);
  // Before the descriptor is closed.
  void Remove(int descriptor, Pollable* pollable);
  // Tells what came, of at most kEventsMax descriptors.
  void Tell();

 private:
  static constexpr size_t kEventsMax = 256;

  void Forget(const Pollable* pollable);

  const Descriptor epoll_;
  std::array<epoll_event, kEventsMax> events_;
  size_t next_ = 0, count_ = 0;  // of events_: not told yet
};

}  // namespace parley::gateway
