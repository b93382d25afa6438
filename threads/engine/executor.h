// The executor, the only writer of the threads' partitions, or of its share of them if several executors
// share a store (executors.h). It runs commands one after another against storage overlaid with the decisions
// that are not yet on disk, commits the decisions of a batch as one group with one sync, and only then
// publishes the changes and gives the answers.
//
// Three invariants, each with a test that fails without it (tests/threads/engine/executor_test.cc):
//   - a command sees the decisions before it in the same batch (overlay);
//   - an answer that saw undurable state waits for that state's sync (every answer of the batch does);
//   - nothing is visible to answers, reads, the log or sockets before the sync.
//
// Thread contract: Submit, Stop, queued and fault from any thread; Step (or Run, which loops over it) from
// one thread.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "protocol/base/clock.h"
#include "protocol/base/metrics.h"
#include "protocol/base/mutex.h"
#include "storage/committer.h"
#include "storage/overlay.h"
#include "threads/engine/checks.h"
#include "threads/engine/thread_cache.h"
#include "threads/engine/tracer.h"
#include "threads/engine/transaction.h"

namespace parley::threads {

using Answer = Result<std::string>;  // the ok map, or the error

struct Job {
  std::function<Result<Decision>(Transaction&)> decide;
  TenantId tenant;
  std::optional<ThreadId> thread;  // null: the decision names it (thread.create)
  std::function<void(Answer)> done;
  uint32_t origin = 0;  // chosen by the submitter, returned with the answer
  // The command is rejected with this error, unless it is a repeat or changes nothing.
  std::optional<Error> refusal = {};
  TracePtr trace = {};
};

struct Finished {
  std::function<void(Answer)> done;
  Answer answer;
  uint32_t origin;
};

// Receives the answers of a batch in order of submission, on the executor's thread; usually posts them to an
// I/O thread at once.
class AnswerSink {
 public:
  virtual ~AnswerSink() = default;
  virtual void OnAnswers(std::vector<Finished> finished) = 0;
};

// The index of the executor, out of `count`, that decides the thread's commands.
size_t ShardOf(const ThreadId& thread, size_t count);
struct Shard {
  size_t index = 0, count = 1;
  bool Owns(const ThreadId& thread) const { return count == 1 || ShardOf(thread, count) == index; }
};

struct ExecutorSettings {
  Shard shard;
  SizeLimits limits;
  size_t max_batch_commands = 2000;  // bounds the latency of one batch
  // A batch takes a quarter of the queue, but at least this many commands: while it is committed and synced,
  // the previous batch is answered and delivered. If a batch took the whole queue, every command would wait
  // for all the others.
  size_t min_batch_commands = 128;
  size_t max_batch_bytes = size_t{1} << 20;
  size_t max_queued = 200'000;  // further commands are rejected
  size_t max_cached_threads = 20'000;
  size_t max_cache_bytes = size_t{256} << 20;  // approximate; threads with thousands of members weigh more
  // Passes a command on to another thread's executor (Onward); by default this executor decides all threads.
  std::function<void(Job)> onward;
  // Incremented when a safety report was opened or ended; shared by the executors of a store.
  std::shared_ptr<std::atomic<uint64_t>> reports = std::make_shared<std::atomic<uint64_t>>(1);
  std::function<TenantRules(const TenantId&)> policy = [](const TenantId&) { return TenantRules{}; };
  // Called if the tenant only lets known users in. May read the disk: a record or two.
  std::function<Result<bool>(const storage::Reader&, const TenantId&, const UserId&, protocol::Time)>
      is_known = [](const storage::Reader&, const TenantId&, const UserId&, protocol::Time) { return true; };
  // The features'; shared by the executors of a store.
  std::shared_ptr<const Checks> checks = std::make_shared<const Checks>();
  Tracer* tracer = nullptr;  // nullptr: follows no request
};

class Executor {
 public:
  class Batch;  // batch.h
  Executor(storage::Table& table, const protocol::Clock& clock, protocol::IdSource& ids,
           ExecutorSettings settings, ChangeSink& changes, AnswerSink& answers, protocol::Metrics& metrics,
           storage::Committer* committer = nullptr);  // nullptr: it commits on its own
  ~Executor();

  void Submit(std::vector<Job> jobs);
  void Submit(Job job);
  // Runs the queued commands, up to the bounds of a batch. Returns false if the queue was empty.
  bool Step();
  // The parts of Step, for a caller that commits the batches of several executors as one group. Begin decides
  // and returns nullptr if the queue is empty, Share returns the writes to commit and the callback for their
  // outcome, and End answers.
  struct Pending;  // batch.h
  std::unique_ptr<Pending> Begin();
  storage::Committer::Share Share(Pending* pending);
  void End(Pending* pending);
  void Run();   // until Stop
  void Stop();  // Run returns once the queue is empty; does not wait for that

  size_t queued() const;      // commands
  std::string fault() const;  // why writes are rejected; empty while they are accepted

 private:
  struct Probe;

  std::vector<Job> TakeJobs();
  void LogCommitted(const std::vector<CommittedChangePtr>& changes) const;
  void FailBatch(const std::string& why, std::vector<Finished>* finished);

  storage::Table& table_;
  const protocol::Clock& clock_;
  protocol::IdSource& ids_;
  const ExecutorSettings settings_;
  ChangeSink& changes_;
  AnswerSink& answers_;
  const std::unique_ptr<storage::Committer> own_committer_;
  storage::Committer& committer_;
  std::unique_ptr<Probe> probe_;
  ThreadCache cache_;

  mutable protocol::Mutex mutex_;
  protocol::CondVar wake_;
  std::deque<Job> queue_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::string fault_ GUARDED_BY(mutex_);
};

}  // namespace parley::threads
