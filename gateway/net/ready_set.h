// Which sockets may be read or written: an epoll set of our own inside asio's. A socket is registered once,
// edge-triggered, and one wait of asio's stands for all of them. Through asio each read would be awaited by
// itself, with a system call and an operation of its own.
//
// Edge-triggered means: an event says that something came, once. Whoever is told must remember it until a read
// or write has found nothing more (epoll(7)).
//
// Threads: the loop's.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <asio/io_context.hpp>
#include <asio/posix/basic_stream_descriptor.hpp>
#include <cstddef>

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
  explicit ReadySet(asio::io_context& io);

  // From now until Remove, `pollable` is told of `descriptor`, first of what is there already. False: the
  // kernel cannot watch another one.
  bool Add(int descriptor, Pollable* pollable);
  // The same for a descriptor that another pollable was told of.
  void HandOver(int descriptor, Pollable* from, Pollable* to);
  // Before the descriptor is closed.
  void Remove(int descriptor, Pollable* pollable);
  // Before the loop blocks, so that it wakes up. Each wake-up tells of at most kEventsMax sockets.
  void Await();

 private:
  static constexpr size_t kEventsMax = 256;
  using Epoll = asio::posix::basic_stream_descriptor<asio::io_context::executor_type>;

  void Tell();
  void Forget(const Pollable* pollable);

  Epoll epoll_;
  std::array<epoll_event, kEventsMax> events_;
  size_t next_ = 0, count_ = 0;  // of events_: not told yet
  bool awaited_ = false;
};

}  // namespace parley::gateway
