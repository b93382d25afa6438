// Follows the change log with one cursor per projection, and decides when their passes run. A thread with an
// unreadable row is set aside, so that it does not block other threads: the projection records this with its
// cursor, continues, and retries when the thread changes or the process starts. Thread contract: Step/Run on
// the worker's thread; Wake, WhenAt and Stop from any.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fanout/backlog.h"
#include "fanout/log_follower.h"
#include "fanout/projection.h"
#include "fanout/watermark.h"
#include "protocol/base/metrics.h"
#include "protocol/base/mutex.h"

namespace parley::fanout {

// Receives changed entries and new wake times. Called on the worker's thread.
class NoticeSink {
 public:
  virtual ~NoticeSink() = default;
  // Called in order for each pass of the projection that has notices. `through` is the log position that the
  // pass includes.
  virtual void OnEntries(std::vector<EntryNotice> notices, storage::Position through) = 0;
  // Reports a new wake time.
  virtual void OnWake(protocol::Time) {}
};

struct WorkerSettings {
  size_t pass_entries = 4096;  // log entries that a pass merges
  // Bounds the rows that a pass writes, and so its memory and the time that commits wait for it. A larger
  // pass restarts with fewer entries, down to those of one thread.
  size_t pass_rows = 50'000;
  storage::Position save_cursor_every = 4096;  // entries that a projection without writes may pass unsaved
  storage::Position trim_every = 65'536;
  // Under load, the time from one pass to the next, so that a busy thread moves its rows once for many
  // messages. After a pause, or if a caller waits, a pass begins at once.
  int64_t gather_ms = 0;
  // The time for which changes that may wait (Backlog) are gathered, even after a pause.
  int64_t patience_ms = 0;
};

class Worker {
 public:
  Worker(storage::Table& table, WorkerSettings settings, NoticeSink& notices, protocol::Metrics& metrics);
  ~Worker();

  // Call before the first step, in the order in which the projections run.
  void Add(std::unique_ptr<Projection> projection);
  // Call before the first step. REQUIRES: the argument outlives this.
  void Add(LogFollower* follower) { followers_.push_back(follower); }
  // Reads the cursors, the threads of `tenants` that are set aside, to retry them, and the progress of
  // renewal. Fails if storage fails, or with kCorrupt if a projection missed entries that have been trimmed.
  storage::Status Open(const std::vector<TenantId>& tenants = {});

  // Runs one pass of every projection that lags. Returns false if all are caught up (or storage fails: see
  // fault()).
  bool Step();
  void Run();  // until Stop; before it returns, catches up and saves the cursors
  void Stop();
  // Saves the cursors of projections that had nothing to write, which lag on disk.
  void SaveCursors();
  void Wake();
  // The same for committed changes, which may wait. REQUIRES: the argument outlives this.
  void WakeFor(Backlog& backlog);
  // Queues a repair, which runs on the worker's thread between two passes. Returns false if too many are
  // waiting. Any thread.
  bool Repair(RepairOrder order);
  // Returns true while a requested repair is not done. Any thread.
  bool repairing() const;
  // Returns the number of passes applied; incremented before a watermark advances. Any thread.
  uint64_t passes() const { return passes_.load(std::memory_order_acquire); }

  // Calls `reached` when the projection includes `position`, without gathering further changes first: at
  // once, or later on the worker's thread. REQUIRES: the projection was added.
  Watermark::Token WhenAt(ProjectionId projection, storage::Position position, std::function<void()> reached);
  // Call when a reader waits, so that the worker does not gather further changes first. Any thread.
  void Hurry();
  // REQUIRES: the projection was added.
  Watermark& watermark(ProjectionId projection);
  std::string fault() const;
  // The threads that projections skip because a row cannot be read: their number, and the first few.
  struct Aside {
    size_t threads = 0;
    std::vector<AsideThread> first;
  };
  Aside aside() const;
  // Returns true if the projection has stopped, so that a wait may never end. REQUIRES: the projection was
  // added.
  bool stopped(ProjectionId projection) const;

 private:
  struct Runner;
  struct Pass;
  Runner& RunnerOf(ProjectionId projection) const;
  using ThreadName = std::pair<TenantId, ThreadId>;
  bool StepOne(Runner& runner);
  bool StepRepair();
  bool CatchUp();
  bool StepRenewal();
  bool Renew(Runner& runner);
  void RepairIn(Runner& runner, const RepairOrder& order, bool rebuild);
  storage::Status OpenRunner(Runner& runner) const;
  std::string ReadDirty(const Runner& runner, Pass* pass) const;
  std::string Project(Runner& runner, Pass* pass) const;
  bool TooLong(size_t rows, const Pass& pass) const;
  std::string Save(Runner& runner, const Pass& pass);
  void Report(Runner& runner, Pass& pass);
  void Notify(const Runner& runner, Pass& pass);
  void NoteAside(Runner& runner, const Pass& pass);
  void PublishAside();
  void SetFailure(const Runner& runner, const std::string& failure);
  void MaybeTrim();
  std::string FaultLocked() const REQUIRES(mutex_);
  bool Awaited() const;
  bool MustRetry() const REQUIRES(mutex_);
  void Rest(std::chrono::steady_clock::time_point began, bool worked) REQUIRES(mutex_);
  void GatherMore(std::chrono::steady_clock::time_point began) REQUIRES(mutex_);
  void BePatient() REQUIRES(mutex_);

  storage::Table& table_;
  const WorkerSettings settings_;
  NoticeSink& notices_;
  protocol::Metrics& metrics_;
  std::atomic<uint64_t> passes_{0};
  std::vector<std::unique_ptr<Runner>> runners_;
  std::vector<LogFollower*> followers_;
  storage::Position trimmed_ = 0;

  mutable protocol::Mutex mutex_;
  protocol::CondVar wake_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  bool woken_ GUARDED_BY(mutex_) = false;
  bool hurried_ GUARDED_BY(mutex_) = false;  // a caller waits
  bool pressed_ GUARDED_BY(mutex_) = false;  // woken by a change that must not wait
  bool patient_ GUARDED_BY(mutex_) = false;  // gathers more changes before its pass
  std::atomic<Backlog*> backlog_{nullptr};
  bool idle_ GUARDED_BY(mutex_) = false;  // waits for a change; a worker that gathers need not be woken
  std::deque<RepairOrder> repairs_ GUARDED_BY(mutex_);
  bool repairing_ GUARDED_BY(mutex_) = false;
  Aside aside_ GUARDED_BY(mutex_);
  std::map<const Runner*, std::string> failures_ GUARDED_BY(mutex_);  // by projection that has stopped
};

}  // namespace parley::fanout
