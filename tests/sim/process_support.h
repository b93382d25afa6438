// One life of the server: everything between a start and a crash, in one thread. Only the disk and the clock
// outlive it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/tenants/demo.h"
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

// Of whoever runs the server.
inline const std::string kOperatorKey = "opk_" + std::string(64, 'a');

class Process {
 public:
  // With config.io_threads I/O threads. `cold`: which share of what is read is not in memory.
  Process(std::shared_ptr<storage::MemoryDisk> disk, gateway_test::FakeClock& clock, uint64_t seed,
          const gateway::Config& config, Witness* witness, double cold);
  ~Process();

  // One step of one of its threads, if it has something to do. May throw ProcessDied.
  bool StepLoop(size_t io) { return loops_[io].RunOne(); }
  bool StepLoops();  // each in turn
  threads::Executors& executors() { return node_->executors(); }
  bool StepWorker() { return node_->worker().Step(); }
  // A reader thread takes the n-th read that waits (of as many as wait) and reads; what it read is on its way
  // back until FinishRead.
  bool StepReaders(size_t n = 0);
  bool FinishRead(size_t n = 0);
  size_t reads() const { return reads_; }  // that needed a reader thread
  size_t shared_pages();                   // of missed changes, encoded for another member before
  void Settle();                           // until nobody has anything to do
  void Advance(int64_t ms);  // turns the clock and does what falls due, settled after each timer
  // The same, but a server that takes no writes is stopped: operators do not wait for the morning.
  void AdvanceWatched(int64_t ms);
  const protocol::Clock& clock() const { return clock_; }

  size_t io_threads() const { return loops_.size(); }
  gateway_test::FakeTransport& transport(size_t io) { return transports_[io]; }
  DyingTable& table() { return table_; }
  gateway::Node& node() { return *node_; }
  std::string TokenOf(const std::string& user) const;

 private:
  gateway_test::FakeClock& clock_;
  std::deque<gateway_test::FakeLoop> loops_;
  DyingTable table_;
  std::unique_ptr<protocol::IdSource> ids_;
  protocol::Metrics metrics_;
  std::deque<gateway_test::FakeTransport> transports_;
  gateway::StaticFiles files_;
  std::unique_ptr<gateway::Node> node_;
  std::unique_ptr<gateway::Server> server_;
  std::deque<gateway::ReadJob> read_;
  size_t reads_ = 0;
};

}  // namespace parley::sim
