// A transport that runs in a separate thread. Its handler records its calls and acts by the request's path:
//
//   WebSocket  /echo sends every frame back; /refuse is answered 403; /patient lets the test answer the
//              peer's close; any other path only receives
//   HTTP       /later keeps the exchange; /drop drops it; /last ends the connection; /big answers 1 MB;
//              /large takes a body of 8 MiB and answers its size; /pieces takes as much in pieces; any other
//              path answers 200 "METHOD target body"
#pragma once

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gateway/net/transport.h"

namespace parley::gateway_test {

constexpr size_t kLargeBodyBytes = 8 << 20;
// The growth of the process's memory that is not attributed to the fault under test.
constexpr size_t kNoise = 300'000;

// Written on the loop's thread; tests read it through TestServer::See and Await.
struct SeenSession {
  gateway::Connection* connection = nullptr;  // null once closed; use only on the loop
  std::vector<std::pair<std::string, bool>> frames;
  size_t frame_count = 0;
  int pongs = 0;
  int writable = 0;
  int input_ends = 0;
  int closed = 0;
};

class TestServer final : public gateway::TransportHandler {
 public:
  explicit TestServer(gateway::TransportSettings settings = {});
  ~TestServer() override;  // stops, unless Stop was called

  uint16_t port() const { return transport_->port(); }
  gateway::Transport& transport() { return *transport_; }
  void Stop();     // RequestStop, join
  void Destroy();  // Stop, then the transport too

  // Runs `task` on the loop's thread and waits for it.
  void OnLoop(const std::function<void()>& task);
  // Lets the loop run `turns` turns, one after the other.
  void TurnLoop(int turns);
  gateway::TransportCounts Counts();
  bool AwaitOpen(size_t count);  // open connections, including lingering ones
  // True if the counts met `condition` within the time limit; checks once a turn.
  bool AwaitCounts(const std::function<bool(const gateway::TransportCounts&)>& condition);
  // True if `condition` (called under the lock) held within the time limit; checks after every event.
  bool Await(const std::function<bool()>& condition);
  SeenSession See(size_t index);  // a copy
  SeenSession& session(size_t index) {
    return *sessions_[index];
  }  // only in Await's condition or on the loop
  size_t session_count();
  std::vector<std::shared_ptr<gateway::HttpExchange>>& kept() { return kept_; }  // like session()
  size_t http_count = 0;      // number of OnHttp calls; only on the loop
  bool record_frames = true;  // false: only count them. Set before clients connect.
  // Overrides the default behaviour; set before clients connect, called on the loop.
  std::function<bool(const std::shared_ptr<gateway::HttpExchange>&)>
      on_http;  // returns false for the default
  std::function<std::unique_ptr<gateway::BodyReceiver>(std::shared_ptr<gateway::HttpExchange>)> on_pieces;
  std::function<void(const gateway::HttpAnswered&)> on_answered;
  std::function<void(const gateway::HttpRequestHead&, Judged)> on_judge_upgrade, on_judge_body;

  gateway::UpgradeDecision OnUpgrade(const gateway::HttpRequest& request,
                                     const std::vector<std::string>& offered) override;
  void OnHttp(std::shared_ptr<gateway::HttpExchange> exchange) override;
  size_t BodyLimit(const gateway::HttpRequestHead& head, size_t usual) override;
  bool TakesPieces(const gateway::HttpRequestHead& head) override { return head.target == "/pieces"; }
  std::unique_ptr<gateway::BodyReceiver> OnHttpInPieces(
      std::shared_ptr<gateway::HttpExchange> exchange) override {
    return on_pieces(std::move(exchange));
  }
  void JudgeUpgrade(const gateway::HttpRequestHead& head, const std::string&, Judged then) override {
    on_judge_upgrade ? on_judge_upgrade(head, std::move(then)) : then(std::nullopt);
  }
  void JudgeLargeBody(const gateway::HttpRequestHead& head, const std::string&, Judged then) override {
    on_judge_body ? on_judge_body(head, std::move(then)) : then(std::nullopt);
  }
  void OnAnswered(const gateway::HttpAnswered& answered) override {
    if (on_answered) on_answered(answered);
  }

  template <typename Change>
  void Note(const Change& change) {
    const std::lock_guard<std::mutex> lock(mutex_);
    change();
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<SeenSession>> sessions_;
  std::vector<std::shared_ptr<gateway::HttpExchange>> kept_;
  std::unique_ptr<gateway::Transport> transport_;
  std::thread thread_;
};

}  // namespace parley::gateway_test
