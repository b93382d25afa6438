// The only translation unit that includes websocketpp (C++17: its 0.8.2 is not valid C++20).
#include "gateway/net/endpoint.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gateway/net/connection.h"
#include "gateway/net/http_answer.h"

#ifndef PARLEY_WEBSOCKETPP_FIXED
#error "websocketpp/processors/hybi13.hpp must be the corrected copy: see cmake/ParleyWebsocketpp.cmake"
#endif

namespace parley::gateway {
namespace {

namespace session_state = websocketpp::session::state;

const SharedFramePtr& PingFrame() {
  static const SharedFramePtr frame = ControlFrame(WsOpcode::kPing, "");
  return frame;
}

std::shared_ptr<WsppConnection> Of(const websocketpp::connection_hdl& handle) {
  return std::static_pointer_cast<WsppConnection>(handle.lock());
}

}  // namespace

WsppConnection* WsConnection::self() {
  return static_cast<WsppConnection*>(this);
}
const WsppConnection* WsConnection::self() const {
  return static_cast<const WsppConnection*>(this);
}
// websocketpp exposes its request read-only, but does not need the headers again.
HandshakeRequest& WsConnection::request() {
  return const_cast<HandshakeRequest&>(self()->get_request());
}
bool WsConnection::is_open() const {
  return session_ && reads_frames() && (peer_done_ || self()->get_state() == session_state::open);
}

void WsConnection::Prepare(const HttpConnection& from, UpgradeDecision decision,
                           const TransportSettings* settings) {
  id_ = from.id();
  address_ = from.address();
  secure_ = settings->tls != nullptr;
  settings_ = settings;
  readers_ = settings->readers;
  subprotocol_ = std::move(decision.subprotocol);
  session_ = std::move(decision.handler);
}

void WsConnection::Arm() {
  deadline_ = pool_->loop->CallAfter(settings_->handshake_timeout_ms, [this] { OnBroken(); });
}

void WsConnection::Drop() {
  const auto keep = shared_from_this();
  self()->terminate(make_error_code(websocketpp::error::general));
  Socket::CloseNow(Ending::kLinger);
}

void WsConnection::Evict() {
  constexpr size_t kCloseRoom = 4096;  // a close frame, and the rest of a nearly written frame
  const auto keep = shared_from_this();
  if (is_open() && !closing_) session_->OnTooSlow();
  if (unsent_bytes() <= kCloseRoom) return;
  // A large frame is partly written: do not wait for the rest. No close code can be sent.
  AbandonOutput();
  pool_->loop->Post([keep, this] { OnBroken(); });
}

void WsConnection::Send(const SharedFramePtr& frame) {
  if (closing_ || !is_open()) return;
  had_output_ = true;
  Enqueue(frame);
}

void WsConnection::Ping() {
  Send(PingFrame());
}

void WsConnection::Close(uint16_t code, const std::string& reason, bool discard) {
  if (closing_ || !is_open()) return;
  closing_ = true;
  if (discard) DropUnstartedOutput();
  held_ = {};
  SetPaused(false);     // the peer's answer is input
  if (holds_close()) {  // it closed too: one close frame answers it, with our reason
    const std::string payload{static_cast<char>(code >> 8), static_cast<char>(code)};
    ReplaceHeldClose(FrameOf(WsOpcode::kClose, payload + reason));
    return WriteHeldClose();
  }
  WsConnectionTransport::Status status;
  self()->close(code, reason, status);
  if (status) pool_->loop->Post([keep = shared_from_this(), this] { OnBroken(); });
}

void WsConnection::AnswerEnd() {
  if (!notified_peer_done_ || closing_ || !is_open()) return;
  closing_ = true;
  if (holds_close()) return WriteHeldClose();
  // The stream ended without a close frame: send the queue, then close. Posted, because the session is on the
  // stack.
  pool_->loop->Post([keep = shared_from_this(), this] { OnFlushed(); });
}

// Passes the decision, which was made before, to websocketpp.
bool WsConnection::HandleUpgrade() {
  self()->append_header("Date", std::string(DateOfNow()));
  self()->append_header("X-Content-Type-Options", "nosniff");
  WsConnectionTransport::Status status;
  self()->select_subprotocol(std::exchange(subprotocol_, {}), status);
  return !status;
}

void WsConnection::HandleOpen() {
  deadline_.reset();
  request().Forget();
  ReadFrames();
  session_->OnOpen(this);
}

void WsConnection::HandleMessage(std::string payload, bool binary) {
  if (closing_ || !session_) return;
  if (paused() || !held_.empty()) {
    held_.emplace_back(std::move(payload), binary);
  } else {
    session_->OnFrame(std::move(payload), binary);
  }
}

bool WsConnection::OnResume() {
  size_t given = 0;
  while (given < held_.size() && !paused() && !closing_ && session_) {
    auto [payload, binary] = std::move(held_[given++]);
    session_->OnFrame(std::move(payload), binary);
  }
  if (given == held_.size()) {
    held_ = {};
  } else {
    held_.erase(held_.begin(), held_.begin() + static_cast<ptrdiff_t>(given));
  }
  if (peer_done_ && held_.empty()) NotifyPeerDone();
  return !paused();
}

bool WsConnection::HoldsClose() {
  if (closing_ || !session_) return false;
  PeerDone();
  return true;
}

// websocketpp bounds its own closing handshake, but not the time after the end of a stream.
void WsConnection::PeerDone() {
  if (std::exchange(peer_done_, true)) return;
  deadline_ = pool_->loop->CallAfter(settings_->close_timeout_ms, [this] { OnBroken(); });
  // Posted, because websocketpp is handling this close.
  if (held_.empty()) pool_->loop->Post([keep = shared_from_this(), this] { NotifyPeerDone(); });
}

void WsConnection::NotifyPeerDone() {
  if (!session_ || closing_ || std::exchange(notified_peer_done_, true)) return;
  session_->OnInputEnd();
}

// At most one pong is queued. Only the latest of the pings that arrive until it has left is answered
// (RFC 6455 §5.5.3), so that a peer that pings without reading costs nothing.
void WsConnection::HandlePing(const std::string& payload) {
  if (closing_ || !is_open()) return;
  if (done_bytes() >= pong_end_) {
    SendPong(payload);
  } else {
    late_pong_ = payload;
    has_late_pong_ = true;
  }
  session_->OnPong();
}

void WsConnection::SendPong(const std::string& payload) {
  had_output_ = true;
  Enqueue(ControlFrame(WsOpcode::kPong, payload));
  pong_end_ = enqueued_bytes();
}

void WsConnection::HandlePong() {
  if (is_open()) session_->OnPong();
}

void WsConnection::HandleEnd() {
  deadline_.reset();
  const auto held = std::exchange(held_, {});
  const auto session = std::move(session_);
  if (!session || !reads_frames()) return;
  for (const auto& [payload, binary] : held) session->OnFrame(payload, binary);
  session->OnClosed();
}

void WsConnection::OnFrameBytes(size_t size) {
  self()->handle_read_frame(WsConnectionTransport::Status(), size);
}

void WsConnection::OnFlushed() {
  WsConnectionTransport::OnFlushed();
  const bool unanswered = peer_done_ && !closing_;
  if (input_ended() && !writes() && !unanswered && unsent_bytes() == 0 && open()) {
    self()->terminate(make_error_code(websocketpp::transport::error::eof));
    return;
  }
  if (closing_ || !is_open()) return;
  if (has_late_pong_ && done_bytes() >= pong_end_) {
    has_late_pong_ = false;
    SendPong(std::exchange(late_pong_, {}));
  }
  if (had_output_ && unsent_bytes() == 0) {
    had_output_ = false;
    session_->OnWritable();
  }
}

void WsConnection::OnInputEnd() {
  if (is_open() && !closing_) return PeerDone();
  // Our close frame may still be on its way to a peer that only stopped sending.
  if (!writes()) self()->terminate(make_error_code(websocketpp::transport::error::eof));
}

void WsConnection::OnBroken() {
  ending_ = Ending::kAbort;
  self()->terminate(make_error_code(websocketpp::transport::error::pass_through));
}

namespace {

class WsppEndpoint final : public WsEndpoint {
 public:
  explicit WsppEndpoint(const TransportSettings* settings) : settings_(settings) {
    server_.set_user_agent("");
    server_.set_open_handshake_timeout(0);  // we have our own deadline
    server_.set_close_handshake_timeout(static_cast<long>(settings->close_timeout_ms));
    server_.set_max_message_size(settings->max_frame_bytes);
    server_.set_validate_handler([](const auto& handle) { return Of(handle)->HandleUpgrade(); });
    server_.set_open_handler([](const auto& handle) { Of(handle)->HandleOpen(); });
    server_.set_close_handler([](const auto& handle) { Of(handle)->HandleEnd(); });
    server_.set_fail_handler([](const auto& handle) { Of(handle)->HandleEnd(); });
    server_.set_pong_handler([](const auto& handle, const auto&) { Of(handle)->HandlePong(); });
    server_.set_ping_handler([](const auto& handle, const auto& payload) {
      Of(handle)->HandlePing(payload);
      return false;  // HandlePing answers
    });
    server_.set_message_handler([](const auto& handle, const auto& message) {
      const bool binary = message->get_opcode() == websocketpp::frame::opcode::binary;
      Of(handle)->HandleMessage(std::move(message->get_raw_payload()), binary);
    });
  }

  std::shared_ptr<Socket> Upgrade(HttpConnection& from, UpgradeDecision decision,
                                  std::string handshake) override {
    const auto connection = server_.get_connection();
    connection->Prepare(from, std::move(decision), settings_);
    connection->TakeOver(from, std::move(handshake));
    return connection;
  }

  void Start(Socket* connection) override {
    auto* started = static_cast<WsppConnection*>(connection);
    started->Arm();
    started->start();
  }

 private:
  const TransportSettings* settings_;
  WsServer server_;
};

}  // namespace

std::unique_ptr<WsEndpoint> NewWsEndpoint(const TransportSettings* settings) {
  return std::make_unique<WsppEndpoint>(settings);
}

}  // namespace parley::gateway
