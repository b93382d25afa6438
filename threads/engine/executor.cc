#include "threads/engine/executor.h"

#include <algorithm>
#include <chrono>

#include "protocol/base/log.h"
#include "protocol/base/reason.h"
#include "protocol/base/watched_clock.h"
#include "threads/engine/batch.h"

namespace parley::threads {

namespace {
using TimePoint = std::chrono::steady_clock::time_point;
const std::vector<double> kBounds = {0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005,
                                     0.01,   0.02,   0.05,   0.1,   0.5,   1};
}  // namespace

struct Executor::Probe {
  explicit Probe(protocol::Metrics& metrics)
      : commands(metrics.AddCounter("parley_commands_total", "Commands decided, whatever the outcome")),
        rejected(metrics.AddCounter("parley_commands_rejected_total", "Commands answered with an error")),
        commits(metrics.AddCounter("parley_commits_total", "Group commits synced to disk")),
        failed(metrics.AddCounter("parley_commit_failures_total",
                                  "Group commits that failed; writes stop at the first")),
        group(metrics.AddHistogram("parley_commit_group_commands", "Commands per group commit",
                                   {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000})),
        seconds(metrics.AddHistogram("parley_commit_seconds", "Time of one group commit, sync included",
                                     kBounds)),
        waited(metrics.AddHistogram("parley_batch_wait_seconds",
                                    "Time that the oldest command of a batch waited for the executor",
                                    kBounds)),
        deciding(metrics.AddHistogram("parley_batch_decide_seconds",
                                      "Time in which the commands of a batch were decided", kBounds)) {}

  static double SecondsSince(TimePoint since) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
  }

  // Both need the queue's lock. Commands that came together share a time; NoteTaken removes the `count`
  // oldest.
  void NoteQueued(size_t count) {
    if (count > 0) queued.emplace_back(std::chrono::steady_clock::now(), count);
  }
  TimePoint NoteTaken(size_t count) {
    const TimePoint oldest = queued.front().first;
    while (count > 0) {
      const size_t from_front = std::min(count, queued.front().second);
      count -= from_front;
      queued.front().second -= from_front;
      if (queued.front().second == 0) queued.pop_front();
    }
    return oldest;
  }

  protocol::Counter commands, rejected, commits, failed;
  protocol::Histogram group, seconds, waited, deciding;
  // Time and number of commands; the numbers add up to the queue's length.
  std::deque<std::pair<TimePoint, size_t>> queued;
};

Executor::Executor(storage::Table& table, const protocol::Clock& clock, protocol::IdSource& ids,
                   ExecutorSettings settings, ChangeSink& changes, AnswerSink& answers,
                   protocol::Metrics& metrics, storage::Committer* committer)
    : table_(table),
      clock_(clock),
      ids_(ids),
      settings_(std::move(settings)),
      changes_(changes),
      answers_(answers),
      own_committer_(committer ? nullptr : std::make_unique<storage::Committer>(table)),
      committer_(committer ? *committer : *own_committer_),
      probe_(std::make_unique<Probe>(metrics)),
      cache_(settings_.max_cached_threads, settings_.max_cache_bytes) {}

Executor::~Executor() = default;

size_t ShardOf(const ThreadId& thread, size_t count) {
  // The end of an id is random.
  const auto bytes = thread.ulid.raw();
  return static_cast<uint8_t>(bytes.back()) % count;
}

void Executor::Submit(Job job) {
  std::vector<Job> jobs;
  jobs.push_back(std::move(job));
  Submit(std::move(jobs));
}

void Executor::Submit(std::vector<Job> jobs) {
  size_t taken = 0;
  {
    protocol::MutexLock lock(&mutex_);
    for (; taken < jobs.size() && queue_.size() < settings_.max_queued; ++taken)
      queue_.push_back(std::move(jobs[taken]));
    probe_->NoteQueued(taken);
    wake_.Signal();
  }
  if (taken == jobs.size()) return;
  Error error = ErrorFor(protocol::Reason::kBusy, "too many commands are waiting");
  error.retry_after_ms = 1000;
  std::vector<Finished> finished;
  for (; taken < jobs.size(); ++taken)
    finished.push_back({std::move(jobs[taken].done), error, jobs[taken].origin});
  answers_.OnAnswers(std::move(finished));
}

size_t Executor::queued() const {
  protocol::MutexLock lock(&mutex_);
  return queue_.size();
}

std::string Executor::fault() const {
  protocol::MutexLock lock(&mutex_);
  return fault_;
}

std::vector<Job> Executor::TakeJobs() {
  protocol::MutexLock lock(&mutex_);
  const size_t share = std::max(queue_.size() / 4, settings_.min_batch_commands);
  const size_t count = std::min({queue_.size(), share, settings_.max_batch_commands});
  std::vector<Job> jobs;
  if (count == 0) return jobs;
  probe_->waited.Observe(Probe::SecondsSince(probe_->NoteTaken(count)));
  jobs.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    jobs.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return jobs;
}

bool Executor::Step() {
  const auto pending = Begin();
  if (!pending) return false;
  if (pending->commits()) {
    storage::Committer::Share share = Share(pending.get());
    committer_.Commit(std::move(share.requests), share.done);
  }
  End(pending.get());
  return true;
}

std::unique_ptr<Executor::Pending> Executor::Begin() {
  std::vector<Job> jobs = TakeJobs();
  if (jobs.empty()) return nullptr;
  auto pending = std::make_unique<Pending>();
  std::vector<Finished>& finished = pending->finished;
  finished.reserve(jobs.size());
  if (!fault().empty()) {
    for (Job& job : jobs)
      finished.push_back({std::move(job.done),
                          ErrorFor(protocol::Reason::kStoreDown, "the store takes no writes"), job.origin});
    return pending;
  }
  const TimePoint begun = std::chrono::steady_clock::now();
  const int64_t ahead_ms = clock_.AheadMs();
  Batch& batch = pending->batch.emplace(table_, cache_, clock_, ids_, settings_);
  size_t done = 0;
  for (; done < jobs.size() && batch.bytes() < settings_.max_batch_bytes; ++done) {
    Job& job = jobs[done];
    if (ahead_ms > 0) job.refusal = protocol::ClockInDoubt(ahead_ms);
    std::optional<Onward> onward;
    Answer answer = batch.Decide(job, &onward);
    probe_->commands.Add();
    if (!answer.ok()) probe_->rejected.Add();
    if (job.trace)
      LogStep(*job.trace, "decided",
              {{"code", answer.ok() ? "OK" : protocol::Describe(answer.error().code).name}});
    if (onward) {
      pending->onward.push_back({std::move(onward->decide), job.tenant, onward->thread, std::move(job.done),
                                 job.origin, std::move(job.refusal), std::move(job.trace)});
    } else {
      finished.push_back({std::move(job.done), std::move(answer), job.origin});
    }
  }
  // The batch is full: the rest returns to the head of the queue, as if it came now.
  if (done < jobs.size()) {
    protocol::MutexLock lock(&mutex_);
    probe_->queued.emplace_front(begun, jobs.size() - done);
    for (size_t i = jobs.size(); i-- > done;) queue_.push_front(std::move(jobs[i]));
  }
  pending->decided = std::chrono::steady_clock::now();
  probe_->deciding.Observe(std::chrono::duration<double>(pending->decided - begun).count());
  return pending;
}

// Publishes changes in the order of commits, whichever executor decided them: otherwise a reader could find a
// thread in the store before its creation was published.
storage::Committer::Share Executor::Share(Pending* pending) {
  return {pending->batch->TakeRequests(),
          [this, pending](const storage::Status& status, std::span<storage::CommitResult> results) {
            std::vector<CommittedChangePtr> changes;
            pending->failure = pending->batch->Conclude(status, results, &changes);
            pending->committed = pending->failure.empty();
            if (!pending->committed) return;
            LogCommitted(changes);
            changes_.OnCommitted(std::move(changes));
          }};
}

void Executor::LogCommitted(const std::vector<CommittedChangePtr>& changes) const {
  if (!settings_.tracer) return;
  for (const CommittedChangePtr& change : changes) {
    if (change->trace) settings_.tracer->OnCommitted(change->trace, change->thread, change->position);
  }
}

void Executor::End(Pending* pending) {
  if (!pending->failure.empty()) {
    probe_->failed.Add();
    for (Job& job : pending->onward)
      pending->finished.push_back({std::move(job.done), std::string(), job.origin});
    pending->onward.clear();
    FailBatch(pending->failure, &pending->finished);
  } else if (pending->committed) {
    probe_->commits.Add();
    probe_->group.Observe(static_cast<double>(pending->finished.size()));
    probe_->seconds.Observe(Probe::SecondsSince(pending->decided));
  }
  // Before the answers: a client that reads one of them may use the room at once.
  if (pending->batch) pending->batch->EndCharges();
  answers_.OnAnswers(std::move(pending->finished));
  for (Job& job : pending->onward)
    settings_.onward ? settings_.onward(std::move(job)) : Submit(std::move(job));
}

void Executor::FailBatch(const std::string& why, std::vector<Finished>* finished) {
  protocol::Log(protocol::LogLevel::kError, "threads", "commit failed, writes stop", {{"why", why}});
  cache_.Clear();
  {
    protocol::MutexLock lock(&mutex_);
    fault_ = why;
  }
  // Every answer of the batch may depend on a write that failed, including rejections and duplicates.
  for (Finished& one : *finished)
    one.answer = ErrorFor(protocol::Reason::kStoreDown, "the store takes no writes");
}

void Executor::Run() {
  for (;;) {
    if (Step()) continue;
    protocol::MutexLock lock(&mutex_);
    while (!stopping_ && queue_.empty()) wake_.Wait(&mutex_);
    if (stopping_ && queue_.empty()) return;
  }
}

void Executor::Stop() {
  protocol::MutexLock lock(&mutex_);
  stopping_ = true;
  wake_.SignalAll();
}

}  // namespace parley::threads
