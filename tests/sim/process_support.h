// One life of the server: everything between a start and a death, in one thread. What outlives it is the disk
// and the clock.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "gateway/server.h"
#include "tests/gateway/fake_support.h"
#include "tests/sim/dying_table_support.h"

namespace parley::sim {

// Names a sequence of texts by one number (FNV-1a), to compare whole runs.
class Digest {
 public:
  void Add(std::string_view text) {
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    value_ = (value_ ^ text.size()) * 0x100000001b3;  // where one text ends
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325;
};

class Process {
 public:
  Process(std::shared_ptr<storage::MemoryDisk> disk, gateway_test::FakeClock& clock, uint64_t seed,
          const gateway::Config& config);
  ~Process();

  // One step of one of its threads, if it has something to do. May throw ProcessDied.
  bool StepLoop() { return loop_.RunOne(); }
  bool StepExecutor() { return node_->executors().Step(); }
  bool StepWorker() { return node_->worker().Step(); }
  void Settle();  // until nobody has anything to do

  gateway_test::FakeLoop& loop() { return loop_; }
  gateway_test::FakeTransport& transport() { return transport_; }
  DyingTable& table() { return table_; }
  gateway::Node& node() { return *node_; }
  const protocol::Clock& clock() const { return clock_; }
  std::string TokenOf(const std::string& user) const;

 private:
  gateway_test::FakeClock& clock_;
  gateway_test::FakeLoop loop_;
  DyingTable table_;
  std::unique_ptr<protocol::IdSource> ids_;
  accounts::TenantDirectory tenants_;
  protocol::Metrics metrics_;
  gateway_test::FakeTransport transport_;
  gateway::StaticFiles files_;
  std::unique_ptr<gateway::Node> node_;
  std::unique_ptr<gateway::Server> server_;
};

}  // namespace parley::sim
