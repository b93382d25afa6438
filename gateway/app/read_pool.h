// Runs reads that memory cannot answer, on threads that may wait for the disk, so that no I/O loop does. A
// job reads from its own snapshot and finishes on the loop that submitted it.
//
// Bounded: a limited number of jobs wait, in total and per tenant. Submit rejects more; the caller retries or
// answers UNAVAILABLE. Tenants take turns, and a session has one job here at a time (ReadTurns::InTurn), so a
// heavy user delays only their own reads. A job whose connection ended is over: it is not started, its next
// read fails, and nothing is posted.
//
// Thread contract: any thread; Run once for each thread of the pool. Tests call Take, Read and Finish
// themselves.
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
  std::shared_ptr<const std::atomic<bool>> over = {};  // set to true: no client waits; null: one always does
  std::string owner = {};  // the tenant; empty: not known yet, or the server itself
  // Used by the pool: when the job was submitted, and the share of the budget that its answer reserves.
  std::chrono::steady_clock::time_point since = {};
  std::shared_ptr<const ReaderShare> room = {};

  bool IsOver() const { return over && over->load(std::memory_order_relaxed); }
};

class ReadPool {
 public:
  // An answer has at most `answer_bytes`, which count against `budget` while it is made.
  ReadPool(const storage::Table& table, std::shared_ptr<ReaderBudget> budget, size_t answer_bytes,
           size_t most_waiting, protocol::Metrics& metrics);

  // Returns false if too many jobs wait or the pool has stopped; then the job is unchanged.
  bool Submit(ReadJob& job);
  // Submits a job that must run because its result was promised, and that was bounded before. Returns false
  // if the pool has stopped.
  bool SubmitDue(ReadJob& job);
  size_t waiting() const;
  // Counts a read that was answered from memory.
  void CountFromMemory() { from_memory_.Add(); }

  void Run();   // until Stop
  void Stop();  // finishes running jobs, drops waiting ones

  // Takes the n-th waiting job in the order of turns (0: the next), or nullopt if there are fewer.
  std::optional<ReadJob> Take(size_t n = 0);
  // Returns false if the job is over.
  bool Read(ReadJob& job);
  static void Finish(ReadJob job);
  // Takes, reads and finishes one job. Returns false if none waits.
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
