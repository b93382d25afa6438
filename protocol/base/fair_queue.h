// Jobs of many owners, served round-robin by owner, so that an owner with many jobs delays only its own.
// Each owner may queue at most as many jobs as there are free places, so that one owner can never fill the
// queue and there is room for the next.
//
// Not thread-safe: the caller guards it with a lock.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::protocol {

template <class Job>
class FairQueue {
 public:
  // `most` limits all jobs together; a single owner may queue half of that.
  explicit FairQueue(size_t most) : most_(most) {}

  // Returns false, and leaves the job unchanged, if too many are queued.
  bool Push(std::string_view owner, Job& job) {
    const auto found = places_.find(owner);
    const size_t own = found == places_.end() ? 0 : found->second->jobs.size();
    if (size_ >= most_ || own >= most_ - size_) return false;
    Add(owner, job);
    return true;
  }
  // Like Push but without a limit, for jobs that are bounded elsewhere.
  void Add(std::string_view owner, Job& job) {
    auto found = places_.find(owner);
    if (found == places_.end()) {
      owners_.push_back({std::string(owner), {}});
      found = places_.emplace(std::string(owner), std::prev(owners_.end())).first;
    }
    found->second->jobs.push_back(std::move(job));  // last: `owner` may be a part of it
    ++size_;
  }
  // Returns the oldest job of the next owner.
  std::optional<Job> Pop() {
    if (size_ == 0) return std::nullopt;
    Job job = std::move(owners_.front().jobs.front());
    owners_.front().jobs.pop_front();
    owners_.splice(owners_.end(), owners_, owners_.begin());
    Settle(std::prev(owners_.end()));
    return job;
  }
  // Returns the n-th job in owner order, for tests that choose the order, or nullopt if there are fewer.
  std::optional<Job> PopAt(size_t n) {
    if (n == 0) return Pop();
    for (auto owner = owners_.begin(); owner != owners_.end(); ++owner) {
      if (n >= owner->jobs.size()) {
        n -= owner->jobs.size();
        continue;
      }
      const auto at = owner->jobs.begin() + static_cast<std::ptrdiff_t>(n);
      Job job = std::move(*at);
      owner->jobs.erase(at);
      Settle(owner);
      return job;
    }
    return std::nullopt;
  }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  struct Owner {
    std::string name;
    std::deque<Job> jobs;
  };
  using Place = typename std::list<Owner>::iterator;

  void Settle(Place owner) {
    --size_;
    if (!owner->jobs.empty()) return;
    places_.erase(owner->name);
    owners_.erase(owner);
  }

  const size_t most_;
  size_t size_ = 0;
  std::list<Owner> owners_;  // with queued jobs, in the order of their turns
  std::map<std::string, Place, std::less<>> places_;
};

}  // namespace parley::protocol
