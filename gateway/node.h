// The server without its sockets: storage, executor, fan-out, live delivery and what sessions need of them,
// wired by hand. main.cc gives it threads and a network; tests and the simulator step it.
//
// Stop order (main.cc): stop accepting → drain sessions → stop the executor (finishes what is queued) → stop
// the worker → close the table. Thread contract: everything on the loop's thread unless said otherwise;
// executor() and worker() have their own threads.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "accounts/tenants.h"
#include "fanout/hub.h"
#include "fanout/live_delivery.h"
#include "fanout/worker.h"
#include "gateway/authenticator.h"
#include "gateway/config.h"
#include "gateway/ephemera.h"
#include "gateway/loop.h"
#include "gateway/sweeper.h"
#include "protocol/base/metrics.h"
#include "threads/cursor.h"
#include "threads/executor.h"

namespace parley::gateway {

class Session;

// What a read is answered that waited for its projection in vain.
protocol::Error IndexBehind();

class Node final : private threads::AnswerSink, private fanout::NoticeSink, private threads::ChangeSink {
 public:
  Node(storage::Table& table, const protocol::Clock& clock, protocol::IdSource& ids, Loop& loop,
       const accounts::TenantDirectory& tenants, const Config& config, fanout::Framer framer,
       protocol::Metrics& metrics);
  ~Node();

  // Reads the projections' cursors, and begins to do what is due. Empty on success.
  std::string Open();

  storage::Table& table() { return table_; }
  const protocol::Clock& clock() const { return clock_; }
  Loop& loop() { return loop_; }
  const Config& config() const { return config_; }
  protocol::Metrics& metrics() { return metrics_; }
  threads::Executor& executor() { return executor_; }
  fanout::Worker& worker() { return worker_; }
  fanout::Hub& hub() { return hub_; }
  fanout::LiveDelivery& live() { return live_; }
  Ephemera& ephemera() { return ephemera_; }
  const Authenticator& authenticator() const { return authenticator_; }
  const threads::CursorCodec& cursors() const { return cursors_; }
  const accounts::TenantDirectory& tenants() const { return tenants_; }

  // Why the node should get no traffic, or empty: storage's fault, a projection's, or draining.
  std::string NotReady() const;
  void SetDraining() { draining_ = true; }
  bool draining() const { return draining_; }

  // What the sessions heard in a turn of the loop is handled at its end, and the commands among it reach the
  // executor together: one hand-over, and a group to commit instead of one after another.
  void PumpSoon(std::weak_ptr<Session> session);
  void Submit(threads::Job job);

  // Calls `done` on the loop's thread once `projection` includes everything acknowledged by now, or with
  // false after config().inbox_wait_ms, or at once while the projection stands still.
  void AwaitProjection(std::string_view projection, std::function<void(bool)> done);

  // The folders this server offers: bit n stands for protocol::Folder n.
  uint32_t folders() const { return folders_; }

  std::string NewCorrelationId();

  // Counts of sessions per user, bounded by config().max_sessions_per_user.
  bool AdmitSession(const threads::Caller& caller) const;

 private:
  void OnAnswers(std::vector<threads::Finished> finished) override;
  void OnEntries(std::vector<fanout::EntryNotice> notices) override;
  void OnWake(protocol::Time at) override { sweeper_.OnWake(at); }
  void OnCommitted(std::vector<threads::CommittedChangePtr> changes) override;
  void OnSeen(const threads::CommittedChange& change);
  void PostPump();
  void Pump();

  storage::Table& table_;
  const protocol::Clock& clock_;
  Loop& loop_;
  const accounts::TenantDirectory& tenants_;
  const Config config_;
  protocol::Metrics& metrics_;
  fanout::Hub hub_;
  fanout::LiveDelivery live_;
  Ephemera ephemera_;
  Authenticator authenticator_;
  threads::CursorCodec cursors_;
  fanout::Worker worker_;
  threads::Executor executor_;
  Sweeper sweeper_;
  const uint32_t folders_;
  std::vector<std::weak_ptr<Session>> heard_;  // sessions with input
  std::vector<threads::Job> commands_;         // on their way to the executor
  bool pump_posted_ = false;
  std::atomic<bool> committed_{false};  // something was, since the last answers
  bool draining_ = false;
  uint64_t next_correlation_ = 0;
  const std::string correlation_prefix_;
};

}  // namespace parley::gateway
