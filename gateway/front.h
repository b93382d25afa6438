// Handles the events of one I/O thread's transport. Thread contract: the I/O thread.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <unordered_set>

#include "gateway/app/config.h"
#include "gateway/app/io_thread.h"
#include "gateway/http/http_api.h"
#include "gateway/net/transport.h"
#include "gateway/ws/session.h"
#include "protocol/base/clock.h"

namespace parley::gateway {

// The largest body of a request to the tables: 16 MB, as their clients expect, with some room.
inline constexpr size_t kTableBodyBytesMax = size_t{17} << 20;

class Front final : public TransportHandler {
 public:
  Front(IoThread& io, Transport& transport, SessionProbe& probe, const StaticFiles& files);
  ~Front() override;

  UpgradeDecision OnUpgrade(const HttpRequest& request, const std::vector<std::string>& offered) override;
  void OnHttp(std::shared_ptr<HttpExchange> exchange) override;
  size_t BodyLimit(const HttpRequestHead& head, size_t usual) override;
  void JudgeUpgrade(const HttpRequestHead& head, const std::string& address, Judged then) override;
  void JudgeLargeBody(const HttpRequestHead& head, const std::string& address, Judged then) override {
    http_.JudgeLargeBody({head.method, head.target, {}, address, head.headers}, std::move(then));
  }
  bool TakesPieces(const HttpRequestHead& head) override { return HttpApi::TakesPieces(head); }
  std::unique_ptr<BodyReceiver> OnHttpInPieces(std::shared_ptr<HttpExchange> exchange) override;
  HttpResponse OnRefused(HttpResponse plain) override { return http_.Refusal(std::move(plain)); }
  void OnAnswered(const HttpAnswered& answered) override;

  // Announces the drain, closes the sessions in waves, waits for plain requests under way, then calls
  // `drained`. Probes are answered until then. Call once.
  void Drain(std::function<void()> drained);

 private:
  class Handler;
  class Counted;
  class CountedSource;
  void NextWave();
  UpgradeDecision Refuse(int status, std::string why);
  UpgradeDecision Refuse(const protocol::Error& error);
  bool MayBeGood(const std::string& credential, const std::string& origin, const std::string& address);

  IoThread& io_;
  Node& node_;
  const protocol::Clock& clock_;
  const Config& config_;
  Transport& transport_;
  SessionProbe& probe_;
  HttpApi http_;
  std::unordered_set<Session*> sessions_;
  std::shared_ptr<std::atomic<size_t>> unanswered_ = std::make_shared<std::atomic<size_t>>(0);
  std::function<void()> drained_;
  int64_t drain_deadline_ms_ = 0;
  std::unique_ptr<Timer> wave_;
};

}  // namespace parley::gateway
