// Connects the node to the network: upgrades become sessions, plain requests are passed to HttpApi, and a
// drain is paced. Each I/O thread has its own front and transport.
//
// Thread contract: a front's handler on its I/O thread; Drain on the first I/O thread.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gateway/app/node.h"
#include "gateway/http/http_api.h"
#include "gateway/net/transport.h"
#include "gateway/ws/session.h"

namespace parley::gateway {

class Front;

class Server final {
 public:
  // REQUIRES: one transport per I/O thread of the node, in the same order; each is its I/O thread's loop.
  Server(Node& node, const std::vector<Transport*>& transports, const StaticFiles& files);
  ~Server();

  // The handler for the connections of the i-th transport.
  TransportHandler* handler(size_t i) const;

  // Announces the drain, closes the sessions in waves within config().drain_seconds, then calls `drained` on
  // the first I/O thread, once.
  void Drain(std::function<void()> drained);

 private:
  void CountTransports(const std::vector<Transport*>& transports);

  Node& node_;
  SessionProbe probe_;
  std::vector<std::unique_ptr<Front>> fronts_;
  std::function<void()> drained_;
  size_t draining_ = 0;  // fronts that are not done yet
};

}  // namespace parley::gateway
