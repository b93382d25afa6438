// The only writer of items. It decides requests in order of arrival on the store plus all decisions that are
// not on disk yet, commits everything decided in a batch as one group with one sync, and only then sends the
// replies. Being the only one, it needs no locks for a read-modify-write, and a transaction over tables is
// just several partitions in one commit.
//
// Between batches it does the engine's upkeep (item_upkeep.h): it removes expired items, fills added indexes
// and erases dropped tables, a slice at a time.
//
// Three invariants, as for the executor of threads: a decision sees all earlier decisions; every reply waits
// for the batch's sync; nothing is visible before it. Each has a test (tests/storage/engine).
//
// Thread contract: Submit, Stop, queued and fault from any thread; Step, or Run, from one.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "protocol/base/clock.h"
#include "protocol/base/metrics.h"
#include "protocol/base/mutex.h"
#include "storage/committer.h"
#include "storage/engine/catalog.h"
#include "storage/engine/item_transaction.h"

namespace parley::storage {

struct ItemJob {
  // Stores its own result for `done`. Not called while the store rejects writes.
  std::function<void(ItemTransaction&)> decide;
  // Called when the decision and all before it are on disk; if the status is not ok, they may not be.
  std::function<void(const Status&)> done;
  uint32_t origin = 0;  // chosen by the submitter
};

// Receives finished jobs in order. Called on the writer's thread; typically posts to loops.
class ItemAnswerSink {
 public:
  virtual ~ItemAnswerSink() = default;
  virtual void OnItemAnswers(std::vector<ItemJob> done, const Status& status) = 0;
};

struct ItemWriterSettings {
  size_t max_batch_jobs = 1000;
  size_t max_batch_bytes = size_t{4} << 20;  // rows; the last decision may exceed it
  uint64_t max_batch_steps = 16'000'000;     // work, likewise: bounds the waiting time of the other replies
  size_t max_queued = 20'000;                // beyond it requests are rejected
  Sealer sealer = {};                        // for secret attributes (service_rules.h)
  int64_t upkeep_ms = 1000;                  // the interval of the search for expired items
  int64_t busy_upkeep_ms = 20;               // the interval of upkeep under constant load
  int64_t tenant_bytes_max = INT64_MAX;      // a tenant's items, by ItemSize
  // Called on the writer's thread with each expired item that upkeep removes, as it is stored.
  std::function<void(const TableDef&, const Item&)> on_expired = {};
};

class ItemUpkeep;

class ItemWriter {
 public:
  ItemWriter(Table& table, Committer& committer, Catalog& catalog, const protocol::Clock& clock,
             ItemWriterSettings settings, ItemAnswerSink& answers, protocol::Metrics& metrics);
  ~ItemWriter();

  // Returns false, and leaves the job unchanged, if too many are queued.
  bool Submit(ItemJob& job);
  // Runs one batch, or one slice of upkeep. Returns false if there was nothing to do.
  bool Step();
  void Run();   // until Stop
  void Stop();  // finishes the queue first
  size_t queued() const;
  std::string fault() const;

 private:
  class Batch;
  struct Probe;
  std::vector<ItemJob> Take();
  Status Commit(Batch& batch);
  bool StepUpkeep();
  void Fail(const std::string& why);

  Table& table_;
  Committer& committer_;
  Catalog& catalog_;
  const protocol::Clock& clock_;
  const ItemWriterSettings settings_;
  ItemAnswerSink& answers_;
  const std::unique_ptr<Probe> probe_;
  const std::unique_ptr<ItemUpkeep> upkeep_;
  std::map<std::string, TableStats> stats_;      // for tables with writes, by partition
  std::map<std::string, int64_t> tenant_bytes_;  // the sums of those, for tenants whose items have grown
  int64_t upkeep_at_ms_ = 0;

  mutable protocol::Mutex mutex_;
  protocol::CondVar wake_;
  std::deque<ItemJob> queue_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::string fault_ GUARDED_BY(mutex_);
};

}  // namespace parley::storage
