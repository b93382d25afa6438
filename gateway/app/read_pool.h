// Reads that cannot be answered from memory, on threads that may wait for the disk, so that no I/O loop does.
// A job reads from a snapshot of its own and is then finished on the loop that it came from.
//
// Bounded: so many jobs wait, of all together and of each tenant; further ones are refused and tried again or
// answered UNAVAILABLE by who asked. Tenants have their turns one after another, and a session has one job
// here at a time (Session::InTurn), so whoever asks for much waits behind themselves.
// Nobody waits for a job that is over (its connection ended): it is not begun, what it reads next fails, and
// nothing is posted.
//
// Thread contract: any thread, but for Run, of which there is one for each thread of the pool; a test calls
// Take, Read and Finish itself.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gateway/net/loop.h"
#include "gateway/net/reader_budget.h"
#include "protocol/base/fair_queue.h"
#include "protocol/base/metrics.h"
#include "protocol/base/mutex.h"
#include "storage/table.h"

namespace parley::gateway {

struct ReadJob {
  std::function<void(const storage::Reader&)> read;  // on a thread of the pool
  std::function<void()> finish;                      // on `loop`
  Loop* loop = nullptr;
  std::shared_ptr<const std::atomic<bool>> over = {};  // set: nobody waits any more; none: somebody does
  std::string owner = {};  // the tenant that asks; empty: nobody knows yet, or the server itself
  // The pool's own: since when it waits, and the room that its answer takes until it is finished.
  std::chrono::steady_clock::time_point since = {};
  std::shared_ptr<const ReaderShare> room = {};

  bool IsOver() const { return over && over->load(std::memory_order_relaxed); }
};

class ReadPool {
 public:
  // An answer is at most `answer_bytes` large, and counts so in `budget` while it is made.
  ReadPool(const storage::Table& table, std::shared_ptr<ReaderBudget> budget, size_t answer_bytes,
           size_t most_waiting, protocol::Metrics& metrics);

  // False: too many wait already, or it has stopped. The job is left as it was.
  bool Submit(ReadJob& job);
  // Of what must be made since it was promised, and is bounded where it was; false: it has stopped.
  bool SubmitDue(ReadJob& job);
  size_t waiting() const;
  // A read was answered from memory, and needed none of this.
  void CountFromMemory() { from_memory_.Add(); }

  void Run();   // until Stop
  void Stop();  // what is under way is finished, what waits is dropped

  // The n-th of those that wait, tenant by tenant; 0: the one whose turn it is. nullopt: there are not so
  // many.
  std::optional<ReadJob> Take(size_t n = 0);
  // False: nobody waits for it any more.
  bool Read(ReadJob& job);
  static void Finish(ReadJob job);
  // All three. False: nothing waits.
  bool Step();

 private:
  const storage::Table& table_;
  const std::shared_ptr<ReaderBudget> budget_;
  const size_t answer_bytes_;
  mutable protocol::Mutex mutex_;
  protocol::CondVar wake_;
  protocol::FairQueue<ReadJob> waiting_ GUARDED_BY(mutex_);
  bool stopped_ GUARDED_BY(mutex_) = false;
  protocol::Counter from_memory_, from_storage_, given_up_, refused_;
  protocol::Histogram wait_;
};

}  // namespace parley::gateway
