// The one translation unit that sees websocketpp (C++17: its 0.8.2 is not valid C++20).
#include "gateway/net/endpoint.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gateway/net/connection.h"

#ifndef PARLEY_WEBSOCKETPP_FIXED
#error "websocketpp/processors/hybi13.hpp must be the corrected copy: see cmake/ParleyWebsocketpp.cmake"
#endif

namespace parley::gateway {
namespace {

using websocketpp::http::status_code::value;
namespace session_state = websocketpp::session::state;

class Exchange final : public HttpExchange {
 public:
  Exchange(std::weak_ptr<WsppConnection> connection, HttpRequest request)
      : connection_(std::move(connection)), request_(std::move(request)) {}
  ~Exchange() override {
    if (!answered_) Respond({500, {}, "no answer\n"});
  }
  const HttpRequest& request() const override { return request_; }
  void Respond(HttpResponse response) override {
    if (std::exchange(answered_, true)) return;
    if (const auto connection = connection_.lock()) connection->Respond(std::move(response));
  }

 private:
  std::weak_ptr<WsppConnection> connection_;
  HttpRequest request_;
  bool answered_ = false;
};

// 16 bytes in base64 (RFC 6455 §4.1); websocketpp only requires that it is not empty.
bool IsHandshakeKey(const std::string& key) {
  return key.size() == 24 && key.compare(22, 2, "==") == 0 && websocketpp::base64_decode(key).size() == 16;
}

std::string OneLine(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' && c != '\t'; }, ' ');
  return text;
}

bool IsToken(const std::string& text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), websocketpp::http::is_not_token_char);
}

std::string ReasonPhrase(int status) {
  switch (status) {
    case 422:
      return "Unprocessable Content";
    case 423:
      return "Locked";
    default:
      return websocketpp::http::status_code::get_string(static_cast<value>(status));
  }
}

bool HasBody(int status) {
  return status != 204 && status != 304;
}

HttpResponse RefusalOf(int status) {
  switch (status) {
    case 411:
      return {411, {}, "a body needs a Content-Length\n"};
    case 413:
      return {413, {}, "the body is too large\n"};
    case 431:
      return {431, {}, "the header is too large\n"};
    case 503:
      return {503, {{"Retry-After", "1"}}, "too much is held for other readers\n"};
    case 426:
      return {
          426, {{"Sec-WebSocket-Version", "13"}, {"Upgrade", "websocket"}}, "WebSocket version 13 only\n"};
    default:
      return {status, {}, "bad request\n"};
  }
}

const SharedFramePtr& PingFrame() {
  static const SharedFramePtr frame = FrameOf(WsOpcode::kPing, "");
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
// websocketpp exposes its request read-only; discarding what it no longer needs is our decision.
BoundedRequest& WsConnection::request() {
  return const_cast<BoundedRequest&>(self()->get_request());
}
bool WsConnection::is_open() const {
  return session_ && reads_frames() && (peer_done_ || self()->get_state() == session_state::open);
}

void WsConnection::Prepare(uint64_t id, std::string address, bool secure, const TransportSettings* settings,
                           TransportHandler* handler) {
  id_ = id;
  address_ = std::move(address);
  secure_ = secure;
  settings_ = settings;
  readers_ = settings->readers;
  handler_ = handler;
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
  constexpr size_t kCloseRoom = 4096;  // for a close frame, and the rest of a frame that is nearly written
  const auto keep = shared_from_this();
  if (is_open() && !closing_) session_->OnTooSlow();
  if (unsent_bytes() <= kCloseRoom) return;
  // It is in the middle of something large: we do not wait for the rest of it, and no close code can be sent.
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
    ReplaceHeldClose(FrameOf(WsOpcode::kClose, payload + reason)->wire());
    return WriteHeldClose();
  }
  WsPolicy::Status status;
  self()->close(code, reason, status);
  if (status) pool_->loop->Post([keep = shared_from_this(), this] { OnBroken(); });
}

void WsConnection::AnswerEnd() {
  if (!told_peer_done_ || closing_ || !is_open()) return;
  closing_ = true;
  if (holds_close()) return WriteHeldClose();
  // Its stream ended without a close frame: what is queued is sent, then the connection closes. Not before
  // this returns: the session is on the stack.
  pool_->loop->Post([keep = shared_from_this(), this] { OnFlushed(); });
}

bool WsConnection::HandleUpgrade() {
  const std::vector<std::string> offered = self()->get_requested_subprotocols();
  const bool unreadable = offered.empty() && !request().get_header("Sec-WebSocket-Protocol").empty();
  if (unreadable || !IsHandshakeKey(request().get_header("Sec-WebSocket-Key"))) {
    Answer(handler_->OnRefused(RefusalOf(400)));
    return false;
  }
  UpgradeDecision decision = handler_->OnUpgrade(TakeRequest(), offered);
  if (!decision.handler) {
    Answer(decision.refusal);
    return false;
  }
  WsPolicy::Status status;
  self()->select_subprotocol(decision.subprotocol, status);
  if (status) {
    Answer({500, {}, "no such subprotocol was offered\n"});
    return false;
  }
  session_ = std::move(decision.handler);
  return true;
}

void WsConnection::HandleHttp() {
  head_ = request().get_method() == "HEAD";
  if (const int refusal = request().refusal(); refusal != 0) {
    Answer(handler_->OnRefused(RefusalOf(refusal)));
    return;
  }
  deadline_.reset();
  awaits_answer_ = true;
  self()->defer_http_response();
  const auto shared = std::static_pointer_cast<WsppConnection>(get_shared());
  handler_->OnHttp(std::make_shared<Exchange>(shared, TakeRequest()));
}

HttpRequest WsConnection::TakeRequest() {
  HttpRequest taken;
  taken.method = request().get_method();
  taken.target = request().get_uri();
  taken.body = request().TakeBody();
  taken.address = address_;
  for (const auto& [name, text] : request().get_headers()) taken.headers.emplace_back(name, text);
  return taken;
}

void WsConnection::Answer(const HttpResponse& response) {
  Answer(response, response.body.size());
}

void WsConnection::Answer(const HttpResponse& response, size_t body_bytes) {
  answered_ = true;
  WsppConnection* connection = self();
  connection->set_status(static_cast<value>(response.status), ReasonPhrase(response.status));
  for (const auto& [name, text] : response.headers) {
    if (IsToken(name)) connection->append_header(name, OneLine(text));
  }
  connection->set_body(head_ ? std::string() : response.body);
  if (HasBody(response.status)) {
    connection->replace_header("Content-Length", std::to_string(body_bytes));
  }
  connection->replace_header("Connection", "close");
}

// websocketpp's own response when a request cannot be read: it is sent without asking any handler.
std::string WsConnection::Reworded(std::string response) {
  const int status = static_cast<int>(self()->get_response_code());
  if (answered_ || status < 400) return response;
  const HttpResponse ours = handler_->OnRefused(RefusalOf(status));
  std::string out = "HTTP/1.1 " + std::to_string(ours.status) + " " + ReasonPhrase(ours.status) + "\r\n";
  for (const auto& [name, text] : ours.headers) {
    if (IsToken(name)) out += name + ": " + OneLine(text) + "\r\n";
  }
  out += "Connection: close\r\nContent-Length: " + std::to_string(ours.body.size()) + "\r\n\r\n";
  return request().get_method() == "HEAD" ? out : out + ours.body;
}

void WsConnection::Respond(HttpResponse response) {
  awaits_answer_ = false;
  if (self()->get_state() != session_state::connecting || !open()) return;
  response = Affordable(std::move(response));
  std::string body = std::exchange(response.body, {});
  const int status_code = response.status;
  Answer(response, body.size());
  WsPolicy::Status status;
  self()->send_http_response(status);
  if (!head_ && HasBody(status_code)) ExtendWrite(std::move(body));
  ExpectProgress();
}

// Small answers always are; a large one does not take its memory twice, because it moves into the queue.
HttpResponse WsConnection::Affordable(HttpResponse response) {
  constexpr size_t kSmall = 4096;
  const ReaderBudget* readers = settings_->readers.get();
  const size_t bytes = response.body.size();
  if (!readers || bytes <= kSmall || readers->Lacks(bytes) == 0) return response;
  pool_->relieve(readers->Lacks(bytes));
  if (readers->Lacks(bytes) == 0) return response;
  return handler_->OnRefused(RefusalOf(503));
}

// A peer that reads something now and then may take its time.
void WsConnection::ExpectProgress() {
  progress_ = done_bytes();
  deadline_ = pool_->loop->CallAfter(settings_->handshake_timeout_ms, [this] {
    if (done_bytes() == progress_) {
      OnBroken();
    } else {
      ExpectProgress();
    }
  });
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
  if (peer_done_ && held_.empty()) TellPeerDone();
  return !paused();
}

bool WsConnection::HoldsClose() {
  if (closing_ || !session_) return false;
  PeerDone();
  return true;
}

// The library bounds its own closing handshake, but not the time after the end of a stream.
void WsConnection::PeerDone() {
  if (std::exchange(peer_done_, true)) return;
  deadline_ = pool_->loop->CallAfter(settings_->close_timeout_ms, [this] { OnBroken(); });
  // Through the loop: the library is in the middle of this close.
  if (held_.empty()) pool_->loop->Post([keep = shared_from_this(), this] { TellPeerDone(); });
}

void WsConnection::TellPeerDone() {
  if (!session_ || closing_ || std::exchange(told_peer_done_, true)) return;
  session_->OnInputEnd();
}

// Only one pong waits in the queue; of the pings that arrive meanwhile the latest is answered (RFC 6455
// §5.5.3), so that a peer that pings without reading costs nothing.
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
  Enqueue(FrameOf(WsOpcode::kPong, payload));
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
  self()->handle_read_frame(WsPolicy::Status(), size);
}

size_t WsConnection::OnInput(const char* data, size_t size) {
  const size_t used = WsPolicy::OnInput(data, size);
  if (!reads_frames() && open() && request().TakeExpectContinue()) {
    Enqueue(std::make_shared<const SharedFrame>("HTTP/1.1 100 Continue\r\n\r\n"));
  }
  return used;
}

void WsConnection::OnFlushed() {
  WsPolicy::OnFlushed();
  const bool unanswered = awaits_answer_ || (peer_done_ && !closing_);
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
  // Our answer to its close frame, or an HTTP response, may still be on its way to a peer that only stopped
  // sending.
  if (!writes() && !awaits_answer_) self()->terminate(make_error_code(websocketpp::transport::error::eof));
}

void WsConnection::OnBroken() {
  ending_ = Ending::kAbort;
  self()->terminate(make_error_code(websocketpp::transport::error::pass_through));
}

namespace {

class WsppEndpoint final : public WsEndpoint {
 public:
  WsppEndpoint(SocketPool* pool, const TransportSettings* settings, TransportHandler* handler)
      : pool_(pool), settings_(settings), handler_(handler) {
    server_.set_user_agent("");
    server_.set_open_handshake_timeout(0);  // ours covers TLS too
    server_.set_close_handshake_timeout(static_cast<long>(settings->close_timeout_ms));
    server_.set_max_message_size(settings->max_frame_bytes);
    server_.set_max_http_body_size(settings->max_http_body_bytes);
    server_.set_validate_handler([](const auto& handle) { return Of(handle)->HandleUpgrade(); });
    server_.set_http_handler([](const auto& handle) { Of(handle)->HandleHttp(); });
    server_.set_open_handler([](const auto& handle) { Of(handle)->HandleOpen(); });
    server_.set_close_handler([](const auto& handle) { Of(handle)->HandleEnd(); });
    server_.set_fail_handler([](const auto& handle) { Of(handle)->HandleEnd(); });
    server_.set_pong_handler([](const auto& handle, const auto&) { Of(handle)->HandlePong(); });
    server_.set_ping_handler([](const auto& handle, const auto& payload) {
      Of(handle)->HandlePing(payload);
      return false;  // answered there
    });
    server_.set_message_handler([](const auto& handle, const auto& message) {
      const bool binary = message->get_opcode() == websocketpp::frame::opcode::binary;
      Of(handle)->HandleMessage(std::move(message->get_raw_payload()), binary);
    });
  }

  std::shared_ptr<Socket> NewConnection(uint64_t id, std::string address, TcpSocket socket,
                                        std::unique_ptr<TlsStream> tls) override {
    const auto connection = server_.get_connection();
    connection->Prepare(id, std::move(address), tls != nullptr, settings_, handler_);
    connection->Attach(pool_, std::move(socket), std::move(tls));
    return connection;
  }

  void Start(Socket* connection) override {
    auto* started = static_cast<WsppConnection*>(connection);
    started->Arm();
    started->start();
  }

 private:
  SocketPool* pool_;
  const TransportSettings* settings_;
  TransportHandler* handler_;
  WsServer server_;
};

}  // namespace

std::unique_ptr<WsEndpoint> NewWsEndpoint(SocketPool* pool, const TransportSettings* settings,
                                          TransportHandler* handler) {
  return std::make_unique<WsppEndpoint>(pool, settings, handler);
}

}  // namespace parley::gateway
