// One WebSocket: websocketpp's connection on our transport policy, seen by sessions as gateway::Connection.
// Part of the one translation unit that sees websocketpp.
//
// Life: upgraded (http_connection.h) → open → closing → closed. A peer that closes first is answered when the
// session has processed everything that it sent (peer_done_ until then). `session_` lives from OnUpgrade
// until after OnClosed; a connection that fails between the two drops it without either call.
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

// After the handshake the headers are not read again: a connection need not hold them for its life.
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
  void TellPeerDone();

  uint64_t id_ = 0;
  std::string address_;
  const TransportSettings* settings_ = nullptr;
  std::string subprotocol_;  // until the handshake
  std::unique_ptr<ConnectionHandler> session_;
  std::unique_ptr<Timer> deadline_;  // of the handshake, then of an end
  // Messages that arrived in the same read, before a pause.
  std::vector<std::pair<std::string, bool>> held_;
  std::string late_pong_;
  uint64_t pong_end_ = 0;  // in done_bytes(): once reached, the pong in the queue has left
  bool has_late_pong_ = false;
  bool had_output_ = false;
  bool closing_ = false;         // we close, or have answered the peer's close
  bool peer_done_ = false;       // the peer closes, or has ended its stream
  bool told_peer_done_ = false;  // the session was told, too, after every frame
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
  // Disabled, not merely not offered: websocketpp's inflater knows no size limit.
  static const bool enable_extensions = false;
  // Per connection and for its life; sockets are read into one larger buffer that all share.
  static const size_t connection_read_buffer_size = 1024;
};

}  // namespace parley::gateway
