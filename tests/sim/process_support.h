// One life of the server, from a start to a crash, in one thread. Only the disk and the clock survive it.
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

// Reduces a sequence of texts to one number (FNV-1a), to compare whole runs.
class Digest {
 public:
  void Add(std::string_view text) {
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    value_ = (value_ ^ text.size()) * 0x100000001b3;  // marks the end of a text
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325;
};

// The operator's key.
inline const std::string kOperatorKey = "opk_" + std::string(64, 'a');

class Process {
 public:
  // With config.io_threads I/O threads. `cold`: the share of reads that memory cannot answer.
  Process(std::shared_ptr<storage::MemoryDisk> disk, gateway_test::FakeClock& clock, uint64_t seed,
          const gateway::Config& config, Witness* witness, double cold);
  ~Process();

  // Runs one step of an I/O thread, if it has work. May throw ProcessDied.
  bool StepLoop(size_t io) { return loops_[io].RunOne(); }
  bool StepLoops();  // runs each in turn
  threads::Executors& executors() { return node_->executors(); }
  bool StepWorker() { return node_->worker().Step(); }
  // A reader thread takes the n-th waiting read (modulo their number) and reads; FinishRead delivers the
  // result.
  bool StepReaders(size_t n = 0);
  bool FinishRead(size_t n = 0);
  size_t reads() const { return reads_; }  // reads that needed a reader thread
  // pages of missed changes that were encoded for another member before
  size_t shared_pages();
  void Settle();             // until no thread has work
  void Advance(int64_t ms);  // advances the clock and fires the timers that are due, settling after each
  // The same, but stops a server that accepts no writes, because operators do not wait for the morning.
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
