// A WebSocket connection: websocketpp's connection on our transport policy, and the gateway::Connection of a
// session. Part of the only translation unit that includes websocketpp.
//
// Life: upgraded (http_connection.h) → open → closing → closed. If the peer closes first, it is answered once
// the session has processed everything that it sent (peer_done_ until then). `session_` lives from OnUpgrade
// until after OnClosed; if the handshake fails, it is dropped without a call.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>
#include <websocketpp/concurrency/none.hpp>
#include <websocketpp/config/core.hpp>
#include <websocketpp/server.hpp>

#include "gateway/net/http_connection.h"
#include "gateway/net/transport.h"
#include "gateway/net/ws_connection_transport.h"

namespace parley::gateway {

struct WsConfig;
using WsServer = websocketpp::server<WsConfig>;
using WsppConnection = websocketpp::connection<WsConfig>;

// Headers are not read after the handshake, so the connection can free them.
class HandshakeRequest : public websocketpp::http::parser::request {
 public:
  void Forget() { m_headers.clear(); }
};

class WsConnection : public WsConnectionTransport, public Connection {
 public:
  using WsConnectionTransport::WsConnectionTransport;
  ~WsConnection() override = default;
  void Prepare(const HttpConnection& from, UpgradeDecision decision, const TransportSettings* settings);
  void Arm();  // the handshake deadline; REQUIRES: taken over
  void Drop() override;
  void Evict() override;

  uint64_t id() const override { return id_; }
  const std::string& address() const override { return address_; }
  void Send(const SharedFramePtr& frame) override;
  size_t BufferedBytes() const override { return unsent_bytes(); }
  void Ping() override;
  void PauseReading(bool pause) override { SetPaused(pause); }
  void Close(uint16_t code, const std::string& reason, bool discard) override;
  void AnswerEnd() override;

  // From websocketpp.
  bool HandleUpgrade();
  void HandleOpen();
  void HandleMessage(std::string payload, bool binary);
  void HandlePing(const std::string& payload);
  void HandlePong();
  void HandleEnd();  // closed or failed

 protected:
  void OnFrameBytes(size_t size) override;
  bool HoldsClose() override;
  bool OnResume() override;
  void OnFlushed() override;
  void OnInputEnd() override;
  void OnBroken() override;

 private:
  WsppConnection* self();
  const WsppConnection* self() const;
  HandshakeRequest& request();
  bool is_open() const;
  void SendPong(const std::string& payload);
  void PeerDone();  // the peer sends no more
  void NotifyPeerDone();

  uint64_t id_ = 0;
  std::string address_;
  const TransportSettings* settings_ = nullptr;
  std::string subprotocol_;  // until the handshake
  std::unique_ptr<ConnectionHandler> session_;
  std::unique_ptr<Timer> deadline_;  // the handshake's deadline, then that of closing
  // Messages that arrived in the same read before a pause took effect.
  std::vector<std::pair<std::string, bool>> held_;
  std::string late_pong_;
  uint64_t pong_end_ = 0;  // in done_bytes(): once reached, the queued pong has left
  bool has_late_pong_ = false;
  bool had_output_ = false;
  bool closing_ = false;             // we close, or have answered the peer's close
  bool peer_done_ = false;           // the peer closes, or has ended its stream
  bool notified_peer_done_ = false;  // the session knows it, after every frame
};

struct WsEndpointPolicy {
  using transport_con_type = WsConnection;

 protected:
  void init_logging(const WsConnectionTransport::Logger&, const WsConnectionTransport::Logger&) {}
  WsConnectionTransport::Status init(const WsConnectionTransport::ptr&) { return {}; }
};

struct WsConfig : websocketpp::config::core {
  using type = WsConfig;
  using concurrency_type = websocketpp::concurrency::none;
  using request_type = HandshakeRequest;
  using alog_type = websocketpp::log::stub;
  using elog_type = websocketpp::log::stub;
  using transport_type = WsEndpointPolicy;
  static const bool enable_multithreading = false;
  // Disabled, not merely not offered: websocketpp's inflater has no size limit.
  static const bool enable_extensions = false;
  // Allocated per connection for its whole life; sockets are read into one larger, shared buffer.
  static const size_t connection_read_buffer_size = 1024;
};

}  // namespace parley::gateway
