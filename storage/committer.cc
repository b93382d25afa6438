#include "storage/committer.h"

#include <iterator>
#include <utility>

namespace parley::storage {

void Committer::Commit(Requests requests, const Done& done) {
  Waiting mine{std::move(requests), &done};
  std::vector<Waiting*> group;
  {
    protocol::MutexLock lock(&mutex_);
    waiting_.push_back(&mine);
    while (committing_ && !mine.over) over_.Wait(&mutex_);
    if (mine.over) return;
    committing_ = true;
    group.swap(waiting_);
  }
  CommitAll(group);
  protocol::MutexLock lock(&mutex_);
  for (Waiting* one : group) one->over = true;
  committing_ = false;
  over_.SignalAll();
}

void Committer::CommitTogether(std::vector<Share> shares) {
  if (shares.empty()) return;
  std::vector<Waiting> all;
  for (Share& share : shares) all.push_back({std::move(share.requests), &share.done});
  std::vector<Waiting*> group;
  for (Waiting& one : all) group.push_back(&one);
  CommitAll(group);
}

size_t Committer::waiting() const {
  protocol::MutexLock lock(&mutex_);
  return waiting_.size();
}

void Committer::CommitAll(const std::vector<Waiting*>& group) {
  Requests all = std::move(group.front()->requests);
  std::vector<size_t> counts = {all.size()};
  for (size_t i = 1; i < group.size(); ++i) {
    Requests& more = group[i]->requests;
    counts.push_back(more.size());
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }
  std::vector<CommitResult> results;
  const Status status = table_.Commit(all, &results);
  std::span<CommitResult> left(results);
  for (size_t i = 0; i < group.size(); ++i) {
    const size_t count = status.ok() ? counts[i] : 0;
    (*group[i]->done)(status, left.first(count));
    left = left.subspan(count);
  }
}

}  // namespace parley::storage
