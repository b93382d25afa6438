// Accepts connections from the listening socket, a bounded number per turn.
//
// If accept fails, because descriptors ran out for example, accepting is suspended until one of our
// connections ends or accept_retry_ms have passed, so that the loop does not spin. The last
// descriptor_reserve descriptors are not given to connections: the store needs to open files even under a
// flood of connections.
//
// Threads: the loop's.
#pragma once

#include <asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "gateway/net/asio_loop.h"
#include "gateway/net/descriptor.h"
#include "gateway/net/transport.h"

namespace parley::gateway {

class Acceptor {
 public:
  // `peer` has no port; an IPv4 address mapped into IPv6 is given as IPv4. `scarce`: only reserved
  // descriptors are left.
  using Taken = std::function<void(Descriptor socket, const asio::ip::address& peer, bool scarce)>;

  Acceptor(EventLoop* loop, Taken taken) : loop_(loop), taken_(std::move(taken)), acceptor_(loop->io()) {}
  // Returns "" on success, else a sentence for a person.
  std::string Listen(const TransportSettings& settings);
  uint16_t port() const { return port_; }
  void Stop();
  void Retry();  // a descriptor was closed, so resume accepting
  uint64_t errors() const { return errors_.value(); }

 private:
  static constexpr int kAcceptsPerTurn = 64;

  void Wait();
  void AcceptSome();
  bool IsScarce(int descriptor) const;

  EventLoop* loop_;
  Taken taken_;
  TcpAcceptor acceptor_;
  std::unique_ptr<Timer> retry_timer_;  // set while accepting is suspended
  size_t reserve_ = 0;
  int64_t retry_ms_ = 0;
  LoopCounter errors_;
  uint16_t port_ = 0;
};

}  // namespace parley::gateway
