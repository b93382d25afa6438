#include "tests/gateway/fake_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "gateway/net/frame.h"

namespace parley::gateway_test {

// --- loop

class FakeTimer final : public gateway::Timer {
 public:
  FakeTimer(std::weak_ptr<FakeLoop::Timers> timers, FakeLoop::Due due)
      : timers_(std::move(timers)), due_(due) {}
  ~FakeTimer() override {
    if (const auto timers = timers_.lock()) timers->erase(due_);
  }

 private:
  std::weak_ptr<FakeLoop::Timers> timers_;
  FakeLoop::Due due_;
};

std::unique_ptr<gateway::Timer> FakeLoop::CallAfter(int64_t delay_ms, std::function<void()> task) {
  const Due due{clock_.MonotonicMs() + std::max<int64_t>(delay_ms, 0), next_order_++};
  timers_->emplace(due, std::move(task));
  return std::make_unique<FakeTimer>(timers_, due);
}

bool FakeLoop::RunOne() {
  if (!tasks_.empty()) {
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    task();
    return true;
  }
  if (timers_->empty() || timers_->begin()->first.at_ms > clock_.MonotonicMs()) return false;
  const auto task = std::move(timers_->begin()->second);
  timers_->erase(timers_->begin());
  task();
  return true;
}

void FakeLoop::RunUntilIdle() {
  constexpr int kTooMany = 10'000'000;  // a loop that keeps posting to itself
  for (int turns = 0; RunOne(); ++turns) {
    if (turns == kTooMany) GTEST_FAIL() << "the loop does not come to rest";
  }
}

void FakeLoop::Advance(int64_t ms, const std::function<void()>& settle) {
  const auto run = [&] { settle ? settle() : RunUntilIdle(); };
  const int64_t end_ms = clock_.MonotonicMs() + ms;
  run();
  while (!timers_->empty() && timers_->begin()->first.at_ms <= end_ms) {
    clock_.Advance(std::max<int64_t>(timers_->begin()->first.at_ms - clock_.MonotonicMs(), 0));
    run();
  }
  clock_.Advance(end_ms - clock_.MonotonicMs());
  run();
}

void FakeLoop::DropAll() {
  // Destroying a task may post another, for example when a handler releases its session.
  while (!tasks_.empty() || !timers_->empty()) {
    std::exchange(tasks_, {}).clear();
    Timers dropped;
    dropped.swap(*timers_);
  }
}

// --- connection

std::vector<FakeConnection::Payload> PayloadsOf(const gateway::SharedFrame& piece) {
  std::vector<FakeConnection::Payload> payloads;
  const std::string wire = std::string(piece.part(0)) + std::string(piece.part(1));
  for (size_t at = 0; at < wire.size();) {
    const bool binary = (wire[at] & 0x0f) == static_cast<char>(gateway::WsOpcode::kBinary);
    size_t length = static_cast<uint8_t>(wire[at + 1]);
    const size_t more = length == 127 ? 8 : length == 126 ? 2 : 0;
    if (more) length = 0;
    for (size_t i = 0; i < more; ++i) length = length << 8 | static_cast<uint8_t>(wire[at + 2 + i]);
    payloads.push_back({wire.substr(at + 2 + more, length), binary});
    at += 2 + more + length;
  }
  return payloads;
}

FakeConnection::~FakeConnection() {
  *alive_ = false;
  HangUp();  // the session outlives the handler, so it must learn that the connection is gone
}

void FakeConnection::Send(const gateway::SharedFramePtr& frame) {
  if (closed_) {
    ++sends_after_close_;
    return;
  }
  buffered_.push_back(frame);
  buffered_bytes_ += gateway::FrameBytes(*frame);
  most_buffered_bytes_ = std::max(most_buffered_bytes_, buffered_bytes_);
  SoonRead();
}

void FakeConnection::set_reads_itself(bool on) {
  reads_itself_ = on;
  SoonRead();
}

void FakeConnection::SoonRead() {
  if (!reads_itself_ || read_posted_ || buffered_.empty()) return;
  read_posted_ = true;
  loop_.Post([this, alive = alive_] {
    if (!*alive) return;
    read_posted_ = false;
    if (reads_itself_) Read();
  });
}

void FakeConnection::Read(size_t frames) {
  const bool held = buffered_bytes_ > 0;
  for (; frames > 0 && !buffered_.empty(); --frames) {
    for (Payload& payload : PayloadsOf(*buffered_.front())) received_.push_back(std::move(payload));
    buffered_bytes_ -= gateway::FrameBytes(*buffered_.front());
    buffered_.pop_front();
  }
  if (held && buffered_bytes_ == 0 && handler_) handler_->OnWritable();
}

void FakeConnection::PauseReading(bool pause) {
  paused_ = pause;
  if (pause || (typed_.empty() && !says_goodbye_)) return;
  loop_.Post([this, alive = alive_] {
    if (*alive) DeliverTyped();
  });
}

void FakeConnection::DeliverTyped() {
  while (!paused_ && handler_ && !typed_.empty()) {
    Payload payload = std::move(typed_.front());
    typed_.pop_front();
    handler_->OnFrame(std::move(payload.bytes), payload.binary);
  }
  if (paused_ || !handler_ || !says_goodbye_ || std::exchange(said_goodbye_, true)) return;
  handler_->OnInputEnd();
}

void FakeConnection::SayGoodbye() {
  says_goodbye_ = true;
  DeliverTyped();
}

void FakeConnection::AnswerEnd() {
  if (said_goodbye_) Close(1000, "", false);
}

void FakeConnection::Close(uint16_t code, const std::string& reason, bool discard) {
  if (closed_) return;
  closed_ = {code, reason, discard};
  if (discard) {
    buffered_.clear();
    buffered_bytes_ = 0;
  }
  // The peer answers the close once it has read the frames before it.
  loop_.Post([this, alive = alive_] {
    if (!*alive || !reads_itself_) return;
    Read();
    HangUp();
  });
}

void FakeConnection::Attach(std::unique_ptr<gateway::ConnectionHandler> handler) {
  handler_ = std::move(handler);
  handler_->OnOpen(this);
}

void FakeConnection::Type(std::string payload, bool binary) {
  if (!handler_) return;
  typed_.push_back({std::move(payload), binary});
  DeliverTyped();
}

void FakeConnection::Pong() {
  if (handler_) handler_->OnPong();
}

void FakeConnection::HangUp() {
  if (!handler_) return;
  handler_->OnClosed();
  handler_.reset();
}

void FakeConnection::Evict() {
  if (handler_) handler_->OnTooSlow();
  buffered_.clear();
  buffered_bytes_ = 0;
}

void FakeConnection::Drop() {
  handler_.reset();
  buffered_.clear();
  buffered_bytes_ = 0;
}

// --- transport

namespace {
// Every request has a Host line; one that the test gives is kept.
gateway::HttpRequest WithHost(gateway::HttpRequest request) {
  if (!request.Header("Host")) request.headers.emplace_back("Host", "localhost:8080");
  return request;
}
}  // namespace

FakeTransport::Upgraded FakeTransport::Connect(const gateway::HttpRequest& request,
                                               const std::vector<std::string>& offered) {
  gateway::UpgradeDecision decision = handler_->OnUpgrade(WithHost(request), offered);
  Upgraded out;
  out.subprotocol = decision.subprotocol;
  out.refusal = std::move(decision.refusal);
  if (decision.handler) {
    out.connection = std::make_shared<FakeConnection>(loop_, ++next_id_);
    connections_.push_back(out.connection);
    out.connection->Attach(std::move(decision.handler));
  }
  return out;
}

void FakeTransport::Relieve(size_t bytes) {
  std::vector<std::shared_ptr<FakeConnection>> holders;
  for (const auto& connection : connections_) {
    if (auto alive = connection.lock(); alive && alive->BufferedBytes() > 0)
      holders.push_back(std::move(alive));
  }
  std::sort(holders.begin(), holders.end(),
            [](const auto& a, const auto& b) { return a->BufferedBytes() > b->BufferedBytes(); });
  for (const auto& holder : holders) {
    if (bytes == 0) break;
    bytes -= std::min(bytes, holder->BufferedBytes());
    holder->Evict();
  }
}

void FakeTransport::DropAll() {
  for (const auto& connection : connections_) {
    if (const auto alive = connection.lock()) alive->Drop();
  }
  connections_.clear();
}

std::shared_ptr<std::optional<gateway::HttpResponse>> FakeTransport::Http(gateway::HttpRequest request) {
  class Exchange final : public gateway::HttpExchange {
   public:
    Exchange(gateway::HttpRequest request, std::shared_ptr<std::optional<gateway::HttpResponse>> answer)
        : request_(std::move(request)), answer_(std::move(answer)) {}
    const gateway::HttpRequest& request() const override { return request_; }
    void Respond(gateway::HttpResponse response) override {
      EXPECT_FALSE(answer_->has_value()) << "answered twice: " << request_.target;
      *answer_ = std::move(response);
    }

   private:
    const gateway::HttpRequest request_;
    std::shared_ptr<std::optional<gateway::HttpResponse>> answer_;
  };
  auto answer = std::make_shared<std::optional<gateway::HttpResponse>>();
  handler_->OnHttp(std::make_shared<Exchange>(WithHost(std::move(request)), answer));
  return answer;
}

}  // namespace parley::gateway_test
