// Runs blocking work of features (disks, other programs, networks) on threads of its own, so that no I/O
// thread waits. Tenants take turns, and the number of waiting jobs is bounded.
//
// Thread contract: any thread; a job runs on a thread of the pool.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "protocol/base/fair_queue.h"
#include "protocol/base/mutex.h"

namespace parley::features {

class WorkPool {
 public:
  using Job = std::function<void()>;
  // `name`: of its threads, at most 12 characters.
  WorkPool(const std::string& name, size_t threads, size_t most_waiting);
  ~WorkPool();  // stops

  // For the simulator, which interleaves the jobs with all else: ends the threads, and Step runs the next
  // waiting job in the caller's thread, but no delayed one. Step returns false if none waits.
  void EndThreads();
  bool Step();

  // Returns false, and leaves the job unchanged, if too many jobs wait or the pool has stopped. `owner`: the
  // tenant.
  bool Submit(std::string_view owner, Job& job);
  // Submits a job that must run because earlier work waits for it, and that was bounded before. Returns false
  // if the pool has stopped.
  bool SubmitDue(std::string_view owner, Job& job);
  // Submits such a job after a time; drops it if the pool stops before.
  void SubmitLater(std::string_view owner, Job job, std::chrono::milliseconds delay);
  size_t waiting() const;
  void Stop();  // finishes running jobs, drops waiting ones

 private:
  void Run();
  void Join();
  // Waits for a job, or until a delayed one is due.
  void Await() REQUIRES(mutex_);

  using Instant = std::chrono::steady_clock::time_point;
  mutable protocol::Mutex mutex_;
  protocol::CondVar wake_;
  protocol::FairQueue<Job> waiting_ GUARDED_BY(mutex_);
  std::multimap<Instant, std::pair<std::string, Job>> later_ GUARDED_BY(mutex_);
  bool stopped_ GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace parley::features
