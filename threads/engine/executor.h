// The executor: the only writer of the threads' partitions, or of its share of them if several executors
// share a store (executors.h). Runs commands one after another against storage overlaid with what is decided
// and not yet on disk, commits everything decided in a turn as one group with one sync, and only then
// publishes the changes and gives the answers.
//
// Three invariants, each with a test that fails without it (tests/threads/engine/executor_test.cc):
//   - a command sees what was decided before it in the same turn (overlay);
//   - an answer that saw undurable state waits for that state's sync (here: every answer of the turn does);
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
#include "threads/engine/contacts.h"
#include "threads/engine/thread_cache.h"
#include "threads/engine/transaction.h"
#include "threads/model/people.h"

namespace parley::threads {

using Answer = Result<std::string>;  // the ok map, or the error

struct Job {
  std::function<Result<Decision>(Transaction&)> decide;
  TenantId tenant;
  std::optional<ThreadId> thread;  // none: the decision names it (thread.create)
  std::function<void(Answer)> done;
  uint32_t origin = 0;  // chosen by the submitter: comes back with the answer
  // Refused already, unless it is a repeat: this is then the answer in place of any change.
  std::optional<Error> refusal = {};
};

struct Finished {
  std::function<void(Answer)> done;
  Answer answer;
  uint32_t origin;
};

// Takes the answers of a turn, in order of submission. Called on the executor's thread; typically posts them
// to a loop at once.
class AnswerSink {
 public:
  virtual ~AnswerSink() = default;
  virtual void OnAnswers(std::vector<Finished> finished) = 0;
};

// Which of `count` executors decides a thread's commands.
size_t ShardOf(const ThreadId& thread, size_t count);
struct Shard {
  size_t index = 0, count = 1;
  bool Owns(const ThreadId& thread) const { return count == 1 || ShardOf(thread, count) == index; }
};

struct ExecutorSettings {
  Shard shard;
  SizeLimits limits;
  size_t max_batch_commands = 2000;  // bounds the latency of one turn
  // A turn takes a quarter of what waits, but at least this much: while it is committed and synced, the
  // previous turn is answered and delivered. If a turn took everything, everyone would wait for everyone
  // else.
  size_t min_batch_commands = 128;
  size_t max_batch_bytes = size_t{1} << 20;
  size_t max_queued = 200'000;  // beyond it commands are refused
  size_t max_cached_threads = 20'000;
  size_t max_cache_bytes = size_t{256} << 20;  // roughly; threads with thousands of members weigh more
  // Passes a command on to another thread's executor (Onward); by default one executor has all threads.
  std::function<void(Job)> onward;
  // Incremented when a safety report has been opened or ended: shared by the executors of a store.
  std::shared_ptr<std::atomic<uint64_t>> reports = std::make_shared<std::atomic<uint64_t>>(1);
  std::function<TenantRules(const TenantId&)> policy = [](const TenantId&) { return TenantRules{}; };
  // Asked where the policy lets nobody in but known users. May read the disk: a record or two.
  std::function<Result<bool>(const storage::Reader&, const TenantId&, const UserId&, protocol::Time)>
      is_known = [](const storage::Reader&, const TenantId&, const UserId&, protocol::Time) { return true; };
  Meter* meter = nullptr;              // what writing costs; none: nothing
  const People* people = nullptr;      // none: nobody blocks anybody, and nothing was decided about anybody
  const Contacts* contacts = nullptr;  // none: strangers share nothing, ask for nothing and pay nothing
};

class Executor {
 public:
  class Batch;  // batch.h
  Executor(storage::Table& table, const protocol::Clock& clock, protocol::IdSource& ids,
           ExecutorSettings settings, ChangeSink& changes, AnswerSink& answers, protocol::Metrics& metrics,
           storage::Committer* committer = nullptr);  // none: it commits for itself alone
  ~Executor();

  void Submit(std::vector<Job> jobs);
  void Submit(Job job);
  // Runs what is queued, up to the bounds of a turn. False when there was nothing to do.
  bool Step();
  // The halves of a step, for a caller that commits what several executors decided as one group. Begin
  // decides (nothing: the queue is empty), Share is what is to be committed and what follows from it, and End
  // answers.
  struct Pending;  // batch.h
  std::unique_ptr<Pending> Begin();
  storage::Committer::Share Share(Pending* pending);
  void End(Pending* pending);
  void Run();   // until Stop
  void Stop();  // Run returns once the queue is empty; does not wait for that

  size_t queued() const;      // commands
  std::string fault() const;  // why writes are refused; empty while they are accepted

 private:
  struct Probe;

  std::vector<Job> TakeJobs();
  void FailTurn(const std::string& why, std::vector<Finished>* finished);

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
