#include "features/host/work_pool.h"

#include <pthread.h>

#include <optional>
#include <utility>

namespace parley::features {

WorkPool::WorkPool(const std::string& name, size_t threads, size_t most_waiting) : waiting_(most_waiting) {
  for (size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this, name, i] {
      pthread_setname_np(pthread_self(), (name + "-" + std::to_string(i)).c_str());
      Run();
    });
  }
}

WorkPool::~WorkPool() {
  Stop();
}

bool WorkPool::Submit(std::string_view owner, Job& job) {
  {
    const protocol::MutexLock lock(&mutex_);
    if (stopped_ || !waiting_.Push(owner, job)) return false;
  }
  wake_.Signal();
  return true;
}

bool WorkPool::SubmitDue(std::string_view owner, Job& job) {
  {
    const protocol::MutexLock lock(&mutex_);
    if (stopped_) return false;
    waiting_.Add(owner, job);
  }
  wake_.Signal();
  return true;
}

void WorkPool::SubmitLater(std::string_view owner, Job job, std::chrono::milliseconds delay) {
  {
    const protocol::MutexLock lock(&mutex_);
    if (stopped_) return;
    later_.emplace(std::chrono::steady_clock::now() + delay, std::pair(std::string(owner), std::move(job)));
  }
  wake_.Signal();
}

size_t WorkPool::waiting() const {
  const protocol::MutexLock lock(&mutex_);
  return waiting_.size();
}

void WorkPool::Stop() {
  {
    const protocol::MutexLock lock(&mutex_);
    stopped_ = true;
    while (waiting_.Pop()) {
    }
    later_.clear();
  }
  Join();
}

void WorkPool::Join() {
  wake_.SignalAll();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void WorkPool::EndThreads() {
  {
    const protocol::MutexLock lock(&mutex_);
    stopped_ = true;
  }
  Join();
  threads_.clear();
  const protocol::MutexLock lock(&mutex_);
  stopped_ = false;
}

bool WorkPool::Step() {
  std::optional<Job> job;
  {
    const protocol::MutexLock lock(&mutex_);
    if (waiting_.empty()) return false;
    job = waiting_.Pop();
  }
  (*job)();
  return true;
}

void WorkPool::Await() {
  if (later_.empty()) {
    wake_.Wait(&mutex_);
  } else if (const Instant first = later_.begin()->first; first > std::chrono::steady_clock::now()) {
    wake_.WaitUntil(&mutex_, first);
  } else {
    auto& [owner, job] = later_.begin()->second;
    waiting_.Add(owner, job);
    later_.erase(later_.begin());
  }
}

void WorkPool::Run() {
  while (true) {
    std::optional<Job> job;
    {
      const protocol::MutexLock lock(&mutex_);
      while (!stopped_ && waiting_.empty()) Await();
      if (stopped_) return;
      job = waiting_.Pop();
    }
    (*job)();
  }
}

}  // namespace parley::features
