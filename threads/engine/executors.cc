#include "threads/engine/executors.h"

#include <utility>

namespace parley::threads {

Executors::Executors(size_t count, storage::Table& table, storage::Committer& committer,
                     const protocol::Clock& clock, protocol::IdSource& ids, const ExecutorSettings& settings,
                     ChangeSink& changes, AnswerSink& answers, protocol::Metrics& metrics)
    : committer_(committer) {
  ExecutorSettings share = settings;
  share.max_cached_threads /= count;
  share.max_cache_bytes /= count;
  share.max_queued /= count;
  share.onward = [this](Job job) { Submit(std::move(job)); };
  for (size_t i = 0; i < count; ++i) {
    share.shard = {i, count};
    if (i > 0) more_ids_.push_back(ids.Another());
    executors_.push_back(std::make_unique<Executor>(table, clock, i > 0 ? *more_ids_.back() : ids, share,
                                                    changes, answers, metrics, &committer_));
  }
  metrics.AddReadGauge("parley_commands_queued", "Commands waiting for an executor",
                       [this] { return static_cast<double>(queued()); });
}

void Executors::Submit(Job job) {
  std::vector<Job> jobs;
  jobs.push_back(std::move(job));
  Submit(std::move(jobs));
}

void Executors::SubmitTo(size_t index, Job job) {
  executors_[index]->Submit(std::move(job));
}

void Executors::Submit(std::vector<Job> jobs) {
  if (executors_.size() == 1) return executors_.front()->Submit(std::move(jobs));
  std::vector<std::vector<Job>> shares(executors_.size());
  for (Job& job : jobs) {
    const size_t shard = job.thread ? ShardOf(*job.thread, executors_.size()) : 0;
    shares[shard].push_back(std::move(job));
  }
  for (size_t i = 0; i < shares.size(); ++i) {
    if (!shares[i].empty()) executors_[i]->Submit(std::move(shares[i]));
  }
}

bool Executors::Step() {
  bool worked = false;
  for (const auto& executor : executors_) worked |= executor->Step();
  return worked;
}

void Executors::Stop() {
  for (const auto& executor : executors_) executor->Stop();
}

size_t Executors::queued() const {
  size_t total = 0;
  for (const auto& executor : executors_) total += executor->queued();
  return total;
}

std::string Executors::fault() const {
  for (const auto& executor : executors_) {
    if (std::string fault = executor->fault(); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace parley::threads
