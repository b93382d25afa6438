#include "gateway/app/read_pool.h"

#include "protocol/base/sure.h"
#include "storage/guarded_reader.h"

namespace parley::gateway {
namespace {

const std::vector<double> kWaitBounds = {0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5};

}  // namespace

ReadPool::ReadPool(const storage::Table& table, std::shared_ptr<ReaderBudget> budget, size_t answer_bytes,
                   size_t most_waiting, protocol::Metrics& metrics)
    : table_(table),
      budget_(std::move(budget)),
      answer_bytes_(answer_bytes),
      waiting_(most_waiting),
      from_memory_(metrics.AddCounter("parley_reads_from_memory_total",
                                      "Reads answered on the loop, from memory alone")),
      from_storage_(metrics.AddCounter("parley_reads_from_storage_total",
                                       "Reads by a reader thread, because memory did not have all rows")),
      given_up_(metrics.AddCounter("parley_reads_given_up_total",
                                   "Reads whose client had disconnected before a reader thread took them")),
      refused_(metrics.AddCounter("parley_reads_refused_total",
                                  "Reads rejected because too many waited for a reader thread")),
      wait_(metrics.AddHistogram("parley_read_wait_seconds", "Time that a read waited for a reader thread",
                                 kWaitBounds)) {
  metrics.AddReadGauge("parley_reads_waiting", "Reads waiting for a reader thread",
                       [this] { return static_cast<double>(waiting()); });
}

bool ReadPool::Submit(ReadJob& job) {
  job.since = std::chrono::steady_clock::now();
  {
    protocol::MutexLock lock(&mutex_);
    if (stopped_ || !waiting_.Push(job.owner, job)) {
      refused_.Add();
      return false;
    }
  }
  wake_.Signal();
  return true;
}

bool ReadPool::SubmitDue(ReadJob& job) {
  job.since = std::chrono::steady_clock::now();
  {
    protocol::MutexLock lock(&mutex_);
    if (stopped_) return false;
    waiting_.Add(job.owner, job);
  }
  wake_.Signal();
  return true;
}

size_t ReadPool::waiting() const {
  protocol::MutexLock lock(&mutex_);
  return waiting_.size();
}

std::optional<ReadJob> ReadPool::Take(size_t n) {
  protocol::MutexLock lock(&mutex_);
  return waiting_.PopAt(n);
}

bool ReadPool::Read(ReadJob& job) {
  if (!job.IsOver()) {
    wait_.Observe(std::chrono::duration<double>(std::chrono::steady_clock::now() - job.since).count());
    job.room = std::make_shared<const ReaderShare>(budget_, answer_bytes_);
    static const std::atomic<bool> kNever{false};
    const storage::Snapshot snapshot = table_.NewSnapshot();
    job.read(storage::EndableReader(*snapshot, job.over ? *job.over : kNever));
  }
  (job.IsOver() ? given_up_ : from_storage_).Add();
  return !job.IsOver();
}

void ReadPool::Finish(ReadJob job) {
  Loop& loop = *job.loop;
  loop.Post([job = std::make_shared<ReadJob>(std::move(job))] {
    if (!job->IsOver()) job->finish();
  });
}

bool ReadPool::Step() {
  auto job = Take();
  if (!job) return false;
  if (Read(*job)) Finish(std::move(*job));
  return true;
}

void ReadPool::Run() {
  for (;;) {
    std::optional<ReadJob> job;
    {
      protocol::MutexLock lock(&mutex_);
      while (!stopped_ && waiting_.empty()) wake_.Wait(&mutex_);
      if (stopped_) return;
      job = waiting_.Pop();
    }
    ReadJob& next = protocol::Sure(job);
    if (Read(next)) Finish(std::move(next));
  }
}

void ReadPool::Stop() {
  std::vector<ReadJob> dropped;  // destroyed after unlocking: a job's members may take other locks
  {
    protocol::MutexLock lock(&mutex_);
    stopped_ = true;
    while (auto job = waiting_.Pop()) dropped.push_back(std::move(*job));
  }
  wake_.SignalAll();
}

}  // namespace parley::gateway
