// The seam between the transport (sockets, limits, the loop, HTTP) and WebSocket, so that websocketpp stays
// in one translation unit.
#pragma once

#include <memory>
#include <string>

#include "gateway/net/http_connection.h"
#include "gateway/net/transport.h"

namespace parley::gateway {

class WsEndpoint {
 public:
  virtual ~WsEndpoint() = default;
  // The WebSocket that an HTTP connection becomes, before Start was called on it. `from` is closed then; not
  // while it is in one of its callbacks.
  virtual std::shared_ptr<Socket> Upgrade(HttpConnection& from, UpgradeDecision decision,
                                          std::string handshake) = 0;
  virtual void Start(Socket* connection) = 0;
};

// The argument outlives the endpoint and its connections.
std::unique_ptr<WsEndpoint> NewWsEndpoint(const TransportSettings* settings);

}  // namespace parley::gateway
