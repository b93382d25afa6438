#include "tests/gateway/transport_support.h"

#include <gtest/gtest.h>

#include "tests/gateway/ws_test_client_support.h"

namespace parley::gateway_test {
namespace {

using gateway::Connection;
using gateway::MakeFrame;

class Listener final : public gateway::ConnectionHandler {
 public:
  Listener(TestServer* server, std::shared_ptr<SeenSession> seen, const std::string& path)
      : server_(server), seen_(std::move(seen)), echo_(path == "/echo"), patient_(path == "/patient") {}

  void OnOpen(Connection* connection) override {
    connection_ = connection;
    server_->Note([&] { seen_->connection = connection; });
  }
  void OnFrame(std::string payload, bool binary) override {
    if (echo_) connection_->Send(MakeFrame(payload, binary));
    server_->Note([&] {
      ++seen_->frame_count;
      if (server_->record_frames) seen_->frames.emplace_back(std::move(payload), binary);
    });
  }
  void OnPong() override {
    server_->Note([&] { ++seen_->pongs; });
  }
  void OnWritable() override {
    server_->Note([&] { ++seen_->writable; });
  }
  void OnTooSlow() override { connection_->Close(4508, "too slow", true); }
  void OnInputEnd() override {
    server_->Note([&] { ++seen_->input_ends; });
    if (!patient_) connection_->AnswerEnd();
  }
  void OnClosed() override {
    server_->Note([&] {
      ++seen_->closed;
      seen_->connection = nullptr;
    });
  }

 private:
  TestServer* server_;
  std::shared_ptr<SeenSession> seen_;
  const bool echo_, patient_;
  Connection* connection_ = nullptr;
};

}  // namespace

TestServer::TestServer(gateway::TransportSettings settings) : transport_(gateway::NewTransport()) {
  const std::string error = transport_->Listen(settings, this);
  EXPECT_EQ(error, "");
  thread_ = std::thread([this] { transport_->Run(); });
}

TestServer::~TestServer() {
  if (thread_.joinable()) Stop();
}

void TestServer::Stop() {
  transport_->RequestStop();
  thread_.join();
}

void TestServer::Destroy() {
  if (thread_.joinable()) Stop();
  transport_.reset();
}

void TestServer::OnLoop(const std::function<void()>& task) {
  std::promise<void> done;
  transport_->Post([&] {
    task();
    done.set_value();
  });
  done.get_future().wait();
}

void TestServer::TurnLoop(int turns) {
  for (int i = 0; i < turns; ++i) OnLoop([] {});
}

gateway::TransportCounts TestServer::Counts() {
  gateway::TransportCounts counts;
  OnLoop([&] { counts = transport_->Counts(); });
  return counts;
}

bool TestServer::AwaitCounts(const std::function<bool(const gateway::TransportCounts&)>& condition) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(kTimeoutMs);
  while (!condition(Counts())) {
    if (std::chrono::steady_clock::now() > until) return false;
  }
  return true;
}

bool TestServer::AwaitOpen(size_t count) {
  if (!AwaitCounts([&](const gateway::TransportCounts& counts) { return counts.open == count; }))
    return false;
  TurnLoop(2);  // a closed socket's pending work is released a turn later
  return true;
}

bool TestServer::Await(const std::function<bool()>& condition) {
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_for(lock, std::chrono::milliseconds(kTimeoutMs), condition);
}

SeenSession TestServer::See(size_t index) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return *sessions_.at(index);
}

size_t TestServer::session_count() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return sessions_.size();
}

gateway::UpgradeDecision TestServer::OnUpgrade(const gateway::HttpRequest& request,
                                               const std::vector<std::string>& offered) {
  gateway::UpgradeDecision decision;
  if (request.target == "/refuse") {
    decision.refusal = {403, {{"X-Why", "because\r\nSet-Cookie: no"}}, "not you\n"};
    return decision;
  }
  for (const auto& name : offered) {
    if (name == "parley.v1.json" && decision.subprotocol.empty()) decision.subprotocol = name;
  }
  auto seen = std::make_shared<SeenSession>();
  decision.handler = std::make_unique<Listener>(this, seen, request.target);
  Note([&] { sessions_.push_back(seen); });
  return decision;
}

size_t TestServer::BodyLimit(const gateway::HttpRequestHead& head, size_t usual) {
  return head.target == "/large" || head.target == "/pieces" ? kLargeBodyBytes : usual;
}

void TestServer::OnHttp(std::shared_ptr<gateway::HttpExchange> exchange) {
  const gateway::HttpRequest& request = exchange->request();
  ++http_count;
  if (on_http && on_http(exchange)) return;
  if (request.target == "/later") {
    Note([&] { kept_.push_back(exchange); });
  } else if (request.target == "/large") {
    exchange->Respond({200, {}, std::to_string(request.body.size())});
  } else if (request.target == "/big") {
    exchange->Respond({200, {}, std::string(1'000'000, 'b')});
  } else if (request.target == "/last") {
    exchange->Respond({200, {{"Connection", "close"}}, "the last"});
  } else if (request.target != "/drop") {
    exchange->Respond(
        {200, {{"Content-Type", "text/plain"}}, request.method + " " + request.target + " " + request.body});
  }
}

}  // namespace parley::gateway_test
