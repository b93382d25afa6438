#include "gateway/net/http_connection.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gateway/net/http_answer.h"
#include "gateway/net/upgrade.h"

namespace parley::gateway {
namespace {

constexpr int64_t kBodyBytesPerMs = 64;        // the slowest pace at which a body may come
constexpr size_t kUnsentBytesMax = 64 * 1024;  // beyond it the next request waits
constexpr int kAnswersPerTurn = 64;            // then it is the others' turn
constexpr size_t kJoinedBytesMax = 16 * 1024;  // a smaller body shares a buffer with its head

bool IsAmong(const std::string& subprotocol, const std::vector<std::string>& offered) {
  return subprotocol.empty() || std::find(offered.begin(), offered.end(), subprotocol) != offered.end();
}

HttpRequest Joined(HttpReader::Request request, std::string address) {
  return {std::move(request.head.method), std::move(request.head.target), std::move(request.body),
          std::move(address), std::move(request.head.headers)};
}

class Exchange final : public HttpExchange {
 public:
  Exchange(std::weak_ptr<HttpConnection> connection, std::string address, HttpReader::Request request)
      : connection_(std::move(connection)),
        share_(std::move(request.share)),
        request_(Joined(std::move(request), std::move(address))) {}
  ~Exchange() override {
    if (!answered_) Respond({500, {}, "no answer\n"});
  }
  const HttpRequest& request() const override { return request_; }
  void Respond(HttpResponse response) override {
    if (std::exchange(answered_, true)) return;
    if (const auto connection = connection_.lock()) connection->Respond(std::move(response));
  }

 private:
  const std::weak_ptr<HttpConnection> connection_;
  const BodyShare share_;
  const HttpRequest request_;
  bool answered_ = false;
};

}  // namespace

HttpConnection::HttpConnection(const HttpContext* context, uint64_t id, std::string address)
    : context_(context),
      id_(id),
      address_(std::move(address)),
      reader_(context->settings->bodies),
      deadline_(context->pool->loop, [this] { OnLate(); }),
      progress_(context->pool->loop, [this] { OnNoProgress(); }) {}

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
  if (!idle_ || !open()) return;  // what is under way is answered as the last
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
  told_to_continue_ = false;
  is_head_ = head.method == "HEAD";
  is_http_1_1_ = head.is_http_1_1;
  keeps_alive_ = head.keeps_alive;
  if (head.asks_for_upgrade) return JudgeUpgrade();
  reader_.AllowBody(context_->handler->BodyLimit(head, context_->settings->max_http_body_bytes));
  if (reader_.at() == HttpReader::At::kBody) {
    const auto length = static_cast<int64_t>(head.length);
    deadline_.Set(context_->settings->handshake_timeout_ms + length / kBodyBytesPerMs);
  }
}

void HttpConnection::JudgeUpgrade() {
  if (const int status = CheckUpgrade(reader_.head()); status != 0) return reader_.Refuse(status);
  // Through the loop: this socket is in the middle of a read, and cannot be taken over there.
  pool_->loop->Post([keep = shared_from_this(), this] { Upgrade(); });
}

void HttpConnection::GoOn() {
  switch (reader_.at()) {
    case HttpReader::At::kBody:
      // A peer that asked for permission to send its body is waiting for it (RFC 9110 §10.1.1).
      if (reader_.head().awaits_continue && reader_.body_bytes() == 0 &&
          !std::exchange(told_to_continue_, true)) {
        Enqueue(std::make_shared<const SharedFrame>("HTTP/1.1 100 Continue\r\n\r\n"));
      }
      return WantInput();
    case HttpReader::At::kHead:
      return WantInput();
    case HttpReader::At::kWhole:
      return Dispatch();
    case HttpReader::At::kRefused:
      return Refuse(reader_.refusal());
    case HttpReader::At::kJudge:
      return;  // an upgrade
  }
}

void HttpConnection::Dispatch() {
  deadline_.Clear();
  awaits_answer_ = true;
  const auto self = std::static_pointer_cast<HttpConnection>(shared_from_this());
  context_->handler->OnHttp(std::make_shared<Exchange>(self, address_, reader_.TakeRequest()));
}

void HttpConnection::Upgrade() {
  if (!open()) return;
  const auto offered = OfferedSubprotocols(reader_.head()).value_or(std::vector<std::string>());
  const HttpRequest request = Joined(reader_.TakeRequest(), address_);
  UpgradeDecision decision = context_->handler->OnUpgrade(request, offered);
  if (!decision.handler) return Send(std::move(decision.refusal), false);
  if (!IsAmong(decision.subprotocol, offered))
    return Send({500, {}, "no such subprotocol was offered\n"}, false);
  std::string handshake = PlainHandshake(*request.Header("Sec-WebSocket-Key"), decision.subprotocol);
  context_->on_upgrade(this, std::move(decision), std::move(handshake));
}

// What follows a request that was not understood is not understood either.
void HttpConnection::Refuse(int status) {
  is_head_ = reader_.head().method == "HEAD";
  Send(context_->handler->OnRefused(RefusalOf(status)), false);
}

void HttpConnection::Respond(HttpResponse response) {
  if (!std::exchange(awaits_answer_, false) || !open()) return;
  Send(Affordable(std::move(response)), keeps_alive_);
}

// Small answers always are; a large one does not take its memory twice, because it moves into the queue.
HttpResponse HttpConnection::Affordable(HttpResponse response) const {
  constexpr size_t kSmall = 4096;
  const ReaderBudget* readers = context_->settings->readers.get();
  const size_t bytes = response.body.size();
  if (!readers || bytes <= kSmall || readers->Lacks(bytes) == 0) return response;
  pool_->relieve(readers->Lacks(bytes));
  if (readers->Lacks(bytes) == 0) return response;
  return context_->handler->OnRefused(RefusalOf(503));
}

void HttpConnection::Send(HttpResponse response, bool keeps_alive) {
  const auto& readers = context_->settings->readers;
  const bool stays = keeps_alive && context_->keeps_alive && !EndsConnection(response);
  std::string wire = AnswerHead(response, response.body.size(), stays, is_http_1_1_);
  const bool has_body = !is_head_ && HasBody(response.status) && !response.body.empty();
  const bool joined = response.body.size() <= kJoinedBytesMax;
  if (has_body && joined) wire += response.body;
  Enqueue(std::make_shared<const SharedFrame>(std::move(wire), readers));
  if (has_body && !joined) Enqueue(std::make_shared<const SharedFrame>(std::move(response.body), readers));
  if (!progress_.is_set()) ExpectProgress();
  if (stays) return AwaitRequest();
  closing_ = true;
  deadline_.Clear();
}

void HttpConnection::AwaitRequest() {
  idle_ = true;
  deadline_.Set(context_->settings->http_idle_timeout_ms);
  wants_next_ = unsent_bytes() > kUnsentBytesMax || ++answers_ >= kAnswersPerTurn;
  if (!wants_next_) WantInput();
}

void HttpConnection::OnFlushed() {
  answers_ = 0;
  if (unsent_bytes() == 0) {
    progress_.Clear();
    if (closing_ && !awaits_answer_) return Finish(Ending::kLinger);
  }
  if (wants_next_ && unsent_bytes() <= kUnsentBytesMax) {
    wants_next_ = false;
    WantInput();
  }
}

// The answers to what came before may still be on their way to a peer that only stopped sending.
void HttpConnection::OnInputEnd() {
  deadline_.Clear();
  closing_ = true;
  if (unsent_bytes() == 0) Finish(Ending::kLinger);
}

void HttpConnection::OnBroken() {
  CloseNow(Ending::kAbort);
}

// A peer that let the deadline of a request pass gets no more patience; one that has nothing to ask did
// nothing wrong.
void HttpConnection::OnLate() {
  const auto keep = shared_from_this();
  if (!idle_) return OnBroken();
  if (unsent_bytes() > 0) return deadline_.Set(context_->settings->http_idle_timeout_ms);
  Finish(Ending::kLinger);
}

// A peer that reads something now and then may take its time.
void HttpConnection::ExpectProgress() {
  progress_at_ = done_bytes();
  progress_.Set(context_->settings->handshake_timeout_ms);
}

void HttpConnection::OnNoProgress() {
  const auto keep = shared_from_this();
  if (done_bytes() == progress_at_) return OnBroken();
  ExpectProgress();
}

}  // namespace parley::gateway
