// The seam between the transport (sockets, limits, the loop) and the protocol on a socket (HTTP and
// WebSocket), so that websocketpp stays in one translation unit.
#pragma once

#include <asio/ip/tcp.hpp>
#include <memory>
#include <string>

#include "gateway/net/socket.h"
#include "gateway/net/transport.h"

namespace parley::gateway {

class WsEndpoint {
 public:
  virtual ~WsEndpoint() = default;
  // A connection before Begin was called on it; `tls` null for plain TCP.
  virtual std::shared_ptr<Socket> NewConnection(uint64_t id, std::string address, TcpSocket socket,
                                                std::unique_ptr<TlsStream> tls) = 0;
  virtual void Start(Socket* connection) = 0;
};

// The arguments outlive the endpoint and its connections.
std::unique_ptr<WsEndpoint> NewWsEndpoint(SocketPool* pool, const TransportSettings* settings,
                                          TransportHandler* handler);

}  // namespace parley::gateway
