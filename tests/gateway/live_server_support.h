// The whole server in this process with real threads: memory table, executors, worker and I/O threads, on a
// port of 127.0.0.1. Shows effects of the kernel and of other threads, which fake_server_support.h cannot.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "accounts/tenants/demo.h"
#include "gateway/server.h"
#include "storage/memory_table.h"
#include "tests/storage/cold_table.h"

namespace parley::gateway_test {

struct LiveSettings {
  size_t io_threads = 1;
  gateway::Config config;  // demo is enabled
  gateway::TransportSettings transport;
  bool cold = false;  // nothing is in memory, so every read goes to a reader thread
};

class LiveServer {
 public:
  explicit LiveServer(LiveSettings settings = {});
  ~LiveServer();  // drains

  uint16_t port() const { return transports_[0]->port(); }
  gateway::Node& node() { return *node_; }
  gateway::Transport& transport(size_t io = 0) { return *transports_[io]; }
  std::string Token(const std::string& user) const;
  // Runs `task` on the given I/O thread and waits for it.
  void OnLoop(const std::function<void()>& task, size_t io = 0);
  // Returns the value of a metric without labels, as in /metrics.
  double Metric(const std::string& name);

 private:
  std::unique_ptr<storage::Table> memory_ = storage::NewMemoryTable();
  storage::ColdTable table_{memory_.get()};
  const protocol::SystemClock clock_;
  protocol::Metrics metrics_;
  gateway::StaticFiles files_;
  std::unique_ptr<protocol::IdSource> ids_ = protocol::NewSecureIdSource();
  std::vector<std::unique_ptr<gateway::Transport>> transports_;
  std::unique_ptr<gateway::Node> node_;
  std::unique_ptr<gateway::Server> server_;
  std::vector<std::thread> workers_, io_;
};

}  // namespace parley::gateway_test
