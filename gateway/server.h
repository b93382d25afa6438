// The node behind a network: upgrades become sessions, plain requests go to HttpApi, SIGTERM becomes a paced
// drain. Thread contract: the loop's thread.
#pragma once

#include <functional>
#include <memory>
#include <unordered_set>

#include "gateway/http_api.h"
#include "gateway/node.h"
#include "gateway/session.h"
#include "gateway/transport.h"

namespace parley::gateway {

class Server final : public TransportHandler {
 public:
  Server(Node& node, Transport& transport, const StaticFiles& files);
  ~Server() override;

  UpgradeDecision OnUpgrade(const HttpRequest& request, const std::vector<std::string>& offered) override;
  void OnHttp(std::shared_ptr<HttpExchange> exchange) override { http_.Handle(std::move(exchange)); }

  // Announces the drain, closes the sessions in waves within config().drain_seconds, then calls `drained`.
  // Once.
  void Drain(std::function<void()> drained);

 private:
  class Handler;
  void NextWave();

  Node& node_;
  Transport& transport_;
  SessionProbe probe_;
  HttpApi http_;
  std::unordered_set<Session*> sessions_;
  std::function<void()> drained_;
  int64_t drain_deadline_ms_ = 0;
  std::unique_ptr<Timer> wave_;
};

}  // namespace parley::gateway
