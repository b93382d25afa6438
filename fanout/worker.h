// The fan-out worker: follows the change log with one cursor per projection. The runner moves data; the
// worker decides when. A thread with a row that cannot be read is set aside, so that it holds up no other
// thread: the projection records this with its cursor and continues, and tries again when the thread changes
// or the process starts. Thread contract: Step/Run on the worker's thread; Wake, WhenAt and Stop from any.
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
  // Once for each pass of the projection that has notices, in order; `through` is the log position that the
  // pass includes.
  virtual void OnEntries(std::vector<EntryNotice> notices, storage::Position through) = 0;
  // Reports a new wake time.
  virtual void OnWake(protocol::Time) {}
};

struct WorkerSettings {
  size_t pass_entries = 4096;  // log entries taken together, and so coalesced
  // Rows that a pass may write, which bounds its memory and how long commits wait for it. A larger pass
  // restarts with fewer entries, down to those of one thread.
  size_t pass_rows = 50'000;
  storage::Position save_cursor_every = 4096;  // how far a projection with nothing to write may go unsaved
  storage::Position trim_every = 65'536;
  // Under load a pass begins this long after the previous one, so that a busy thread moves its rows once for
  // many messages. After a silence, and whenever a caller waits, it begins at once.
  int64_t gather_ms = 0;
  // How long changes that may wait (Backlog) gather, even after a silence.
  int64_t patience_ms = 0;
};

class Worker {
 public:
  Worker(storage::Table& table, WorkerSettings settings, NoticeSink& notices, protocol::Metrics& metrics);
  ~Worker();

  // Before the first step, in the order in which they are to run.
  void Add(std::unique_ptr<Projection> projection);
  // Call before the first step; the argument must outlive this.
  void Add(LogFollower* follower) { followers_.push_back(follower); }
  // Reads the cursors, which threads of `tenants` are set aside (those are tried again), and how far their
  // rows of older releases are renewed. A fault here is storage's, or means that a projection missed entries
  // that are trimmed already (kCorrupt).
  storage::Status Open(const std::vector<TenantId>& tenants = {});

  // Runs one pass of every projection that lags. Returns false if all are caught up (or storage fails: see
  // fault()).
  bool Step();
  void Run();  // until Stop; catches up and saves the cursors before it returns
  void Stop();
  // Cursors of projections that had nothing to write lag on disk; this brings them up to date.
  void SaveCursors();
  void Wake();
  // The same for committed changes, which may have to wait. The argument must outlive this.
  void WakeFor(Backlog& backlog);
  // Runs soon, on the worker's thread, between two passes. From any thread. Returns false if too many are
  // waiting already.
  bool Repair(RepairOrder order);
  // Whether any requested repair is not done yet. From any thread.
  bool repairing() const;
  // Passes applied so far; moves before a watermark does. Any thread.
  uint64_t passes() const { return passes_.load(std::memory_order_acquire); }

  // Calls `reached` once the projection (REQUIRES: added before) includes `position`, without gathering
  // further changes first: at once, or later on the worker's thread.
  Watermark::Token WhenAt(ProjectionId projection, storage::Position position, std::function<void()> reached);
  // Call when a reader waits: the worker does not gather further changes first. Any thread.
  void Hurry();
  // REQUIRES: added before.
  Watermark& watermark(ProjectionId projection);
  std::string fault() const;
  // Threads that projections skip because one of their rows cannot be read: the number, and the first few.
  struct Aside {
    size_t threads = 0;
    std::vector<AsideThread> first;
  };
  Aside aside() const;
  // Whether the projection has stopped, so that a wait may never end. REQUIRES: added before.
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
  void Tell(const Runner& runner, Pass& pass);
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
  bool idle_ GUARDED_BY(mutex_) = false;  // waits for a change; while it gathers, it need not be woken
  std::deque<RepairOrder> repairs_ GUARDED_BY(mutex_);
  bool repairing_ GUARDED_BY(mutex_) = false;
  Aside aside_ GUARDED_BY(mutex_);
  std::map<const Runner*, std::string> failures_ GUARDED_BY(mutex_);  // of those that have stopped
};

}  // namespace parley::fanout
