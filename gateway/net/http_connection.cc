#include "gateway/net/http_connection.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gateway/net/address.h"
#include "gateway/net/compression.h"
#include "gateway/net/http_answer.h"
#include "gateway/net/http_exchange.h"
#include "gateway/net/steady_time.h"
#include "gateway/net/upgrade.h"

namespace parley::gateway {
namespace {

// The slowest average pace of a body. A body in pieces takes no memory and may be large, so it may be slower.
constexpr int64_t kBodyBytesPerMs = 64;
constexpr int64_t kPiecesBytesPerMs = 4;
constexpr size_t kMethodBytesKept = 16;

bool IsAmong(const std::string& subprotocol, const std::vector<std::string>& offered) {
  return subprotocol.empty() || std::find(offered.begin(), offered.end(), subprotocol) != offered.end();
}

}  // namespace

HttpConnection::HttpConnection(const HttpContext* context, Peer peer)
    : context_(context),
      peer_(std::move(peer)),
      address_(peer_.address),
      reader_(context->settings->bodies),
      deadline_(context->pool->loop, [this] { OnLate(); }),
      progress_(context->pool->loop, [this] { OnNoProgress(); }) {}

HttpConnection::~HttpConnection() {
  if (receiver_) receiver_->OnGone();
}

void HttpConnection::Start() {
  deadline_.Set(context_->settings->handshake_timeout_ms);
  Begin();
}

void HttpConnection::Drop() {
  CloseNow(Ending::kLinger);
}

void HttpConnection::Evict() {
  if (unsent_bytes() == 0) return;
  AbandonOutput();
  pool_->loop->Post([keep = shared_from_this(), this] { OnBroken(); });
}

void HttpConnection::EndWhenIdle() {
  if (!idle_ || !open()) return;  // a request under way is answered as the last one
  closing_ = true;
  if (unsent_bytes() == 0) Finish(Ending::kLinger);
}

size_t HttpConnection::OnInput(const char* data, size_t size) {
  size_t taken = reader_.Take(data, size);
  if (idle_ && reader_.begun()) {
    idle_ = false;
    deadline_.Set(context_->settings->handshake_timeout_ms);
  }
  if (reader_.at() == HttpReader::At::kJudge) {
    JudgeHead();
    taken += reader_.Take(data + taken, size - taken);
  }
  GoOn();
  return taken;
}

void HttpConnection::JudgeHead() {
  const RequestHead& head = reader_.head();
  now_ = {};
  now_.method = head.method.substr(0, kMethodBytesKept);
  now_.since_us = SteadyMicroseconds();
  if (const std::string* trace = head.Header("traceparent")) now_.trace = TraceIdOf(*trace);
  now_.is_head = head.method == "HEAD";
  now_.is_http_1_1 = head.is_http_1_1;
  now_.keeps_alive = head.keeps_alive;
  now_.prefers_gzip = PrefersGzip(head.Header("Accept-Encoding"));
  address_ = peer_.is_proxy
                 ? context_->settings->proxies->ClientOf(peer_.address, head.Header("X-Forwarded-For"))
                 : peer_.address;
  if (head.asks_for_upgrade) return JudgeUpgrade();
  if (head.chunked || head.length > kSmallBodyBytes) return JudgeLargeBody();
  AllowBody({});
}

// No byte of the body is read before the handler answers. A chunked body may become large.
void HttpConnection::JudgeLargeBody() {
  const RequestHead& head = reader_.head();
  if (head.length > context_->handler->BodyLimit(head, context_->settings->max_http_body_bytes))
    return reader_.Refuse(413);
  deadline_.Clear();  // the peer waits for us
  context_->handler->JudgeLargeBody(head, address_, OnceJudged([this] {
                                      AllowBody(Arrival());
                                      GoOn();
                                    }));
}

void HttpConnection::AllowBody(BodyArrival arrival) {
  ++bodies_;
  reader_.AllowBody(context_->handler->BodyLimit(reader_.head(), context_->settings->max_http_body_bytes),
                    context_->handler->TakesPieces(reader_.head()), std::move(arrival));
  if (reader_.at() == HttpReader::At::kRefused) return;
  body_since_ms_ = EventLoop::NowMs();
  if (reader_.in_pieces()) BeginPieces();
}

BodyArrival HttpConnection::Arrival() {
  BodyArrival arrival;
  arrival.address = AddressGroup(address_);
  const auto weak = std::weak_ptr<Socket>(shared_from_this());
  arrival.evict = [weak, loop = pool_->loop, body = bodies_ + 1] {
    loop->Post([weak, body] {
      const auto self = std::static_pointer_cast<HttpConnection>(weak.lock());
      if (self && self->open()) self->EvictBody(body);
    });
  };
  return arrival;
}

void HttpConnection::EvictBody(uint64_t body) {
  if (body != bodies_ || reader_.at() != HttpReader::At::kBody) return;
  reader_.Refuse(503);
  Refuse(503);
}

void HttpConnection::JudgeUpgrade() {
  if (const int status = CheckUpgrade(reader_.head()); status != 0) return reader_.Refuse(status);
  context_->handler->JudgeUpgrade(reader_.head(), address_, OnceJudged([this] { Upgrade(); }));
}

// Posted, because this socket is in the middle of a read and cannot be taken over there.
TransportHandler::Judged HttpConnection::OnceJudged(std::function<void()> go_on) {
  const auto weak = std::weak_ptr<Socket>(shared_from_this());
  return [weak, loop = pool_->loop, go_on = std::move(go_on)](std::optional<HttpResponse> refusal) {
    loop->Post([weak, go_on, refusal = std::move(refusal)]() mutable {
      const auto self = std::static_pointer_cast<HttpConnection>(weak.lock());
      if (!self || !self->open() || self->reader_.at() != HttpReader::At::kJudge) return;
      if (refusal) return self->Send(std::move(*refusal), false);
      go_on();
    });
  };
}

HttpRequest HttpConnection::Described(RequestHead head, std::string body) {
  return {std::move(head.method),  std::move(head.target),
          std::move(body),         address_,
          std::move(head.headers), peer_.admin};
}

void HttpConnection::BeginPieces() {
  awaits_answer_ = true;
  const auto self = std::static_pointer_cast<HttpConnection>(shared_from_this());
  receiver_ = context_->handler->OnHttpInPieces(
      std::make_shared<Exchange>(self, Described(reader_.head(), {}), BodyShare()));
}

void HttpConnection::GoOn() {
  now_.bytes_in = reader_.body_bytes();
  if (reader_.in_pieces()) {
    const std::string piece = reader_.TakePiece();
    if (!piece.empty() && receiver_) receiver_->OnPiece(piece);
  }
  switch (reader_.at()) {
    case HttpReader::At::kBody:
      return AwaitBody();
    case HttpReader::At::kHead:
      return WantInput();
    case HttpReader::At::kWhole:
      return reader_.in_pieces() ? EndPieces() : Dispatch();
    case HttpReader::At::kRefused:
      return Refuse(reader_.refusal());
    case HttpReader::At::kJudge:
      return;  // an upgrade or a large body is being judged
  }
}

void HttpConnection::AwaitBody() {
  if (reader_.in_pieces() && !awaits_answer_) return;  // answered before its end: the rest is not read
  // A peer that asked for permission to send its body waits for it (RFC 9110 §10.1.1).
  if (reader_.head().awaits_continue && !reader_.body_begun() && !std::exchange(now_.sent_continue, true)) {
    Enqueue(std::make_shared<const SharedFrame>("HTTP/1.1 100 Continue\r\n\r\n"));
  }
  PaceBody();
  WantInput();
}

// The peer may neither pause for long nor be slow on average, whatever length it announced.
void HttpConnection::PaceBody() {
  if (paused()) return;
  const int64_t patience = context_->settings->handshake_timeout_ms;
  const int64_t pace = reader_.in_pieces() ? kPiecesBytesPerMs : kBodyBytesPerMs;
  const int64_t earned = static_cast<int64_t>(reader_.body_bytes()) / pace;
  deadline_.Set(std::min(patience, body_since_ms_ + patience + earned - EventLoop::NowMs()));
}

void HttpConnection::PauseBody(bool pause) {
  if (!reader_.in_pieces() || !awaits_answer_ || !open() || paused() == pause) return;
  if (pause) {
    paused_at_ms_ = EventLoop::NowMs();
    deadline_.Clear();
  } else if (receiver_) {
    body_since_ms_ += EventLoop::NowMs() - paused_at_ms_;
  }
  SetPaused(pause);
  if (!pause && receiver_) PaceBody();
}

// From here on the exchange is answered like any other.
void HttpConnection::EndPieces() {
  if (awaits_answer_) deadline_.Clear();
  reader_.TakeRequest();
  const auto receiver = std::move(receiver_);
  if (receiver) receiver->OnEnd();
}

void HttpConnection::Dispatch() {
  deadline_.Clear();
  awaits_answer_ = true;
  const auto self = std::static_pointer_cast<HttpConnection>(shared_from_this());
  HttpReader::Request request = reader_.TakeRequest();
  context_->handler->OnHttp(std::make_shared<Exchange>(
      self, Described(std::move(request.head), std::move(request.body)), std::move(request.share)));
}

void HttpConnection::Upgrade() {
  if (!open()) return;
  const auto offered = OfferedSubprotocols(reader_.head()).value_or(std::vector<std::string>());
  const HttpRequest request = Described(reader_.TakeRequest().head, {});
  if (address_ != peer_.address && !context_->may_hold(this, address_))
    return Send(context_->handler->OnRefused(RefusalOf(429)), false);
  UpgradeDecision decision = context_->handler->OnUpgrade(request, offered);
  if (!decision.handler) return Send(std::move(decision.refusal), false);
  if (!IsAmong(decision.subprotocol, offered))
    return Send(context_->handler->OnRefused(RefusalOf(500)), false);
  std::string handshake = PlainHandshake(*request.Header("Sec-WebSocket-Key"), decision.subprotocol);
  context_->on_upgrade(this, std::move(decision), std::move(handshake));
}

// Returns false if it was answered already.
bool HttpConnection::AbandonPieces() {
  const auto receiver = std::move(receiver_);
  if (!std::exchange(awaits_answer_, false)) return false;
  if (receiver) receiver->OnGone();
  return true;
}

// After a malformed request the rest of the stream has no meaning. A request whose body is refused may have
// been answered before.
void HttpConnection::Refuse(int status) {
  if (reader_.in_pieces() && !AbandonPieces()) return;
  now_.method = reader_.head().method.substr(0, kMethodBytesKept);
  now_.is_head = now_.method == "HEAD";
  Send(context_->handler->OnRefused(RefusalOf(status)), false);
}

// Earlier answers may still be on their way to a peer that only stopped sending.
void HttpConnection::OnInputEnd() {
  deadline_.Clear();
  closing_ = true;
  if (receiver_) AbandonPieces();
  if (unsent_bytes() == 0) Finish(Ending::kLinger);
}

void HttpConnection::OnBroken() {
  CloseNow(Ending::kAbort);
}

// A peer that misses the deadline of a request gets no more time; a peer that is idle did nothing wrong.
void HttpConnection::OnLate() {
  const auto keep = shared_from_this();
  if (!idle_) return OnBroken();
  if (unsent_bytes() > 0) return deadline_.Set(context_->settings->http_idle_timeout_ms);
  Finish(Ending::kLinger);
}

}  // namespace parley::gateway
