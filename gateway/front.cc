#include "gateway/front.h"

#include <algorithm>
#include <cstdio>

#include "gateway/app/node.h"
#include "gateway/app/origin.h"
#include "gateway/net/address.h"
#include "gateway/net/demo_guard.h"
#include "protocol/base/log.h"
#include "storage/guarded_reader.h"

namespace parley::gateway {
namespace {

constexpr int64_t kWaveMs = 50;
constexpr size_t kWaveMin = 64;  // the smallest wave, so that small servers drain at once

constexpr std::string_view kMsgpackProtocol = "parley.v1.msgpack";
constexpr std::string_view kJsonProtocol = "parley.v1.json";

bool Offers(const std::vector<std::string>& offered, std::string_view name) {
  return std::find(offered.begin(), offered.end(), name) != offered.end();
}

bool IsKnownMethod(std::string_view method) {
  constexpr std::string_view kMethods[] = {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"};
  return std::find(std::begin(kMethods), std::end(kMethods), method) != std::end(kMethods);
}

}  // namespace

// Owns the session for the transport and releases it one turn later, since a caller that iterates over
// sessions may still use it.
class Front::Handler final : public ConnectionHandler {
 public:
  Handler(Front& front, std::shared_ptr<Session> session) : front_(front), session_(std::move(session)) {}
  ~Handler() override {
    front_.io_.loop().Post([session = std::move(session_)] {});
  }
  void OnOpen(Connection* connection) override {
    front_.sessions_.insert(session_.get());
    session_->OnOpen(connection);
  }
  void OnFrame(std::string payload, bool binary) override { session_->OnFrame(std::move(payload), binary); }
  void OnPong() override { session_->OnPong(); }
  void OnWritable() override { session_->OnWritable(); }
  void OnInputEnd() override { session_->OnInputEnd(); }
  void OnTooSlow() override { session_->OnTooSlow(); }
  void OnClosed() override {
    front_.sessions_.erase(session_.get());
    session_->OnClosed();
  }

 private:
  Front& front_;
  std::shared_ptr<Session> session_;
};

// Counts an answer in pieces as one request under way until its last piece.
class Front::CountedSource final : public BodySource {
 public:
  CountedSource(std::shared_ptr<BodySource> source, std::shared_ptr<std::atomic<size_t>> unanswered)
      : source_(std::move(source)), unanswered_(std::move(unanswered)) {
    ++*unanswered_;
  }
  ~CountedSource() override { --*unanswered_; }
  void Next(std::function<void(BodyPiece)> give) override { source_->Next(std::move(give)); }

 private:
  const std::shared_ptr<BodySource> source_;
  const std::shared_ptr<std::atomic<size_t>> unanswered_;
};

// A plain request, counted until it is answered or abandoned.
class Front::Counted final : public HttpExchange {
 public:
  Counted(std::shared_ptr<HttpExchange> exchange, std::shared_ptr<std::atomic<size_t>> unanswered)
      : exchange_(std::move(exchange)), unanswered_(std::move(unanswered)) {
    ++*unanswered_;
  }
  ~Counted() override {
    if (!answered_) --*unanswered_;
  }
  const HttpRequest& request() const override { return exchange_->request(); }
  void PauseBody(bool pause) override { exchange_->PauseBody(pause); }
  void Respond(HttpResponse response) override {
    if (response.source)
      response.source = std::make_shared<CountedSource>(std::move(response.source), unanswered_);
    exchange_->Respond(std::move(response));
    if (!std::exchange(answered_, true)) --*unanswered_;
  }

 private:
  const std::shared_ptr<HttpExchange> exchange_;
  const std::shared_ptr<std::atomic<size_t>> unanswered_;
  bool answered_ = false;
};

void Front::OnHttp(std::shared_ptr<HttpExchange> exchange) {
  http_.Handle(std::make_shared<Counted>(std::move(exchange), unanswered_));
}

std::unique_ptr<BodyReceiver> Front::OnHttpInPieces(std::shared_ptr<HttpExchange> exchange) {
  return http_.Receive(std::make_shared<Counted>(std::move(exchange), unanswered_));
}

// Logs no text from the client, such as path, query or headers: the route is our own template.
void Front::OnAnswered(const HttpAnswered& answered) {
  if (!config_.access_log) return;
  char milliseconds[24];
  std::snprintf(milliseconds, sizeof milliseconds, "%.2f", static_cast<double>(answered.microseconds) / 1000);
  protocol::Log(protocol::LogLevel::kInfo, "http", "answered",
                {{"method", IsKnownMethod(answered.method) ? answered.method : "-"},
                 {"route", answered.route.empty() ? "-" : answered.route},
                 {"status", answered.status},
                 {"ms", milliseconds},
                 {"in", answered.bytes_in},
                 {"out", answered.bytes_out},
                 {"from", AddressGroup(answered.address)},
                 {"corrId", answered.corr_id.empty() ? "-" : answered.corr_id},
                 {"trace", answered.trace.empty() ? "-" : answered.trace}});
}

// Recognizes requests to the tables by path, to which some SDKs append a slash, or at the SDKs' path by
// header. A request without credential and length may have only a small body.
size_t Front::BodyLimit(const HttpRequestHead& head, size_t usual) {
  const std::string_view path = std::string_view(head.target).substr(0, head.target.find('?'));
  const bool to_tables =
      path == "/v1/dynamodb" || path == "/v1/dynamodb/" || (path == "/" && head.Header("X-Amz-Target"));
  if (to_tables && head.method == "POST") return std::max(usual, kTableBodyBytesMax);
  const size_t own = Dispatch::BodyLimit(head.method, path);
  const size_t limit = own == 0 ? usual : own;
  const bool unknown = head.Header("Transfer-Encoding") && !head.Header("Authorization") &&
                       !Dispatch::TakesPieces(head.method, path);
  return unknown ? std::min(limit, kSmallBodyBytes) : limit;
}

Front::Front(IoThread& io, Transport& transport, SessionProbe& probe, const StaticFiles& files)
    : io_(io),
      node_(io.node()),
      clock_(node_.clock()),
      config_(node_.config()),
      transport_(transport),
      probe_(probe),
      http_(io, files) {
  io_.set_revoker([this](const Revocation& revocation) {
    const std::vector<Session*> sessions(sessions_.begin(), sessions_.end());
    for (Session* session : sessions) session->OnRevoked(revocation);
  });
  io_.set_relief([&transport](size_t bytes) { transport.Relieve(bytes); });
}

Front::~Front() = default;

// Judges from memory alone; if that needs the disk, returns true, since the hello judges again in any case.
bool Front::MayBeGood(const std::string& credential, const std::string& origin, const std::string& address) {
  if (credential.starts_with(accounts::kApiKeyPrefix)) return true;
  Knock knock;
  knock.credential = credential;
  knock.purpose = accounts::Purpose::kSession;
  knock.origin = origin;
  const auto view = io_.View();
  const storage::MemoryAttempt attempt(*view);
  const auto judged = node_.authenticator().Judge(attempt, knock);
  if (attempt.missed()) return true;
  if (judged.ok()) return judged->caller.user.has_value();  // only users can open a session
  node_.rate_limits().NoteFailure(address, judged.error());
  return false;
}

// Checks the signature off the loop before OnUpgrade needs it.
void Front::JudgeUpgrade(const HttpRequestHead& head, const std::string& address, Judged then) {
  const std::string* header = head.Header("Authorization");
  const auto credential = header ? Authenticator::Bearer(*header) : std::nullopt;
  if (!credential || !node_.rate_limits().MayTry(address).allowed) return then(std::nullopt);
  CheckSignature(io_, std::string(*credential), address,
                 [this, address, then = std::move(then)](const protocol::Status& checked) {
                   if (checked.ok()) return then(std::nullopt);
                   node_.rate_limits().NoteFailure(address, checked.error());
                   then(http_.Refuse(checked.error()));
                 });
}

UpgradeDecision Front::Refuse(int status, std::string why) {
  UpgradeDecision decision;
  decision.refusal = http_.Refusal({status, {}, std::move(why)});
  return decision;
}

UpgradeDecision Front::Refuse(const protocol::Error& error) {
  UpgradeDecision decision;
  decision.refusal = http_.Refuse(error);
  return decision;
}

UpgradeDecision Front::OnUpgrade(const HttpRequest& request, const std::vector<std::string>& offered) {
  if (config_.demo && !IsFromThisMachine(request)) return Refuse(403, "a demo serves only its own machine");
  const std::string path = request.target.substr(0, request.target.find('?'));
  if (request.admin) return Refuse(404, "the operators' listener serves no WebSockets");
  if (path != "/v1/ws") return Refuse(404, "the path for WebSockets is /v1/ws");
  if (node_.draining()) return Refuse(503, "the server is draining");
  protocol::Encoding encoding = protocol::Encoding::kJson;
  std::string selected;
  if (Offers(offered, kMsgpackProtocol)) {
    encoding = protocol::Encoding::kMsgpack;
    selected = kMsgpackProtocol;
  } else if (Offers(offered, kJsonProtocol)) {
    selected = kJsonProtocol;
  } else if (!offered.empty()) {
    return Refuse(400, "known subprotocols: parley.v1.msgpack, parley.v1.json");
  }
  Visitor visitor;
  if (!config_.demo) visitor.origin = ForeignOrigin(request);  // a demo serves only its own machine
  if (!visitor.origin.empty() && !node_.tenants().AnyAllows(visitor.origin)) {
    node_.errors().NoteOrigin(visitor.origin, [this] { return node_.tenants().SomeAllowed(); });
    return Refuse(403, "no tenant allows pages of this origin");
  }
  if (const std::string* header = request.Header("Authorization")) {
    const accounts::Verdict may_try = node_.rate_limits().MayTry(request.address);
    if (!may_try.allowed) return Refuse(accounts::RateLimited(may_try));
    const auto credential = Authenticator::Bearer(*header);
    if (!credential || !MayBeGood(std::string(*credential), visitor.origin, request.address))
      return Refuse(401, "the Authorization header is not valid");
    visitor.credential = *credential;
  }
  UpgradeDecision decision;
  decision.subprotocol = selected;
  decision.handler =
      std::make_unique<Handler>(*this, std::make_shared<Session>(io_, probe_, encoding, std::move(visitor)));
  return decision;
}

void Front::Drain(std::function<void()> drained) {
  drained_ = std::move(drained);
  protocol::Log(protocol::LogLevel::kInfo, "gateway", "draining", {{"sessions", uint64_t{sessions_.size()}}});
  drain_deadline_ms_ = clock_.MonotonicMs() + config_.drain_seconds * 1000;
  transport_.StopKeepingAlive();
  for (Session* session : sessions_) session->AnnounceDrain();
  wave_ = io_.loop().CallAfter(kWaveMs, [this] { NextWave(); });
}

void Front::NextWave() {
  const int64_t left_ms = drain_deadline_ms_ - clock_.MonotonicMs();
  if ((sessions_.empty() && *unanswered_ == 0) || left_ms <= 0) {
    transport_.StopAccepting();  // not earlier, since readiness probes are answered until then
    return drained_();
  }
  // Waves of equal size, done by half of the time; the rest is for peers that are slow to close.
  const int64_t waves = std::max<int64_t>(1, (left_ms - config_.drain_seconds * 500) / kWaveMs);
  size_t quota = std::max(kWaveMin, sessions_.size() / static_cast<size_t>(waves) + 1);
  const std::vector<Session*> sessions(sessions_.begin(), sessions_.end());
  for (Session* session : sessions) {
    if (session->closing()) continue;
    if (!session->idle() && left_ms > config_.drain_seconds * 500) continue;  // its answers first
    if (quota-- == 0) break;
    session->CloseWith(protocol::CloseCode::kDraining, "the server drains");
  }
  wave_ = io_.loop().CallAfter(kWaveMs, [this] { NextWave(); });
}

}  // namespace parley::gateway
