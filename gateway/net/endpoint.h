// Separates WebSocket from the transport (sockets, limits, the loop, HTTP), so that websocketpp stays in one
// translation unit.
#pragma once

#include <memory>
#include <string>

#include "gateway/net/http_connection.h"
#include "gateway/net/transport.h"

namespace parley::gateway {

class WsEndpoint {
 public:
  virtual ~WsEndpoint() = default;
  // Returns the WebSocket that replaces an HTTP connection; call Start on it next. `from` is closed by this,
  // so do not call it in one of its callbacks.
  virtual std::shared_ptr<Socket> Upgrade(HttpConnection& from, UpgradeDecision decision,
                                          std::string handshake) = 0;
  virtual void Start(Socket* connection) = 0;
};

// `settings` must outlive the endpoint and its connections.
std::unique_ptr<WsEndpoint> NewWsEndpoint(const TransportSettings* settings);

}  // namespace parley::gateway
