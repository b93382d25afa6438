// The writer: the one who changes items. Decides requests in order of arrival over storage overlaid with what
// is decided and not yet on disk, commits everything decided in a turn as one group with one sync, and only
// then gives the answers. Because there is one, a read-modify-write never meets another, and a transaction
// over tables is no more than several partitions in one batch.
//
// Between turns it does the engine's upkeep (item_upkeep.h): it removes what has expired, fills indexes that
// were added, and erases what was dropped, a slice at a time.
//
// Three invariants, as for the executor of threads: a decision sees what was decided before it; every answer
// waits for the turn's sync; nothing is visible before it. Each has a test (tests/storage/engine).
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
#include "storage/engine/item_stage.h"

namespace parley::storage {

struct ItemJob {
  // Keeps what it found out itself, for `done`. Not called when the store takes no writes.
  std::function<void(ItemStage&)> decide;
  // Once the decision and all before it are on disk; a status that is not ok says that they may not be.
  std::function<void(const Status&)> done;
  uint32_t origin = 0;  // chosen by the submitter
};

// Takes what is to be answered, in order. Called on the writer's thread; typically posts to loops.
class ItemAnswerSink {
 public:
  virtual ~ItemAnswerSink() = default;
  virtual void OnItemAnswers(std::vector<ItemJob> done, const Status& status) = 0;
};

struct ItemWriterSettings {
  size_t max_turn_jobs = 1000;
  size_t max_turn_bytes = size_t{4} << 20;  // of rows; one decision more may come on top
  uint64_t max_turn_steps = 16'000'000;     // of work, likewise: the answers of the others do not wait longer
  size_t max_queued = 20'000;               // beyond it requests are refused
  Sealer sealer = {};                       // of secret attributes (service_rules.h)
  int64_t upkeep_ms = 1000;                 // how often it looks for what has expired
  int64_t busy_upkeep_ms = 20;              // how often upkeep has a turn while requests keep coming
  int64_t tenant_bytes_max = INT64_MAX;     // of a tenant's items, as ItemSize counts them
  // Called on the writer's thread with each item that upkeep removes because it has expired, as it is stored.
  std::function<void(const TableDef&, const Item&)> on_expired = {};
};

class ItemUpkeep;

class ItemWriter {
 public:
  ItemWriter(Table& table, Committer& committer, Catalog& catalog, const protocol::Clock& clock,
             ItemWriterSettings settings, ItemAnswerSink& answers, protocol::Metrics& metrics);
  ~ItemWriter();

  // False: too many wait; the job is left as it was.
  bool Submit(ItemJob& job);
  // One turn, or one slice of upkeep. False: there was nothing to do.
  bool Step();
  void Run();   // until Stop
  void Stop();  // what is queued is finished first
  size_t queued() const;
  std::string fault() const;

 private:
  class Turn;
  struct Probe;
  std::vector<ItemJob> Take();
  Status Commit(Turn& turn);
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
  std::map<std::string, TableStats> stats_;      // of tables that were written to, by partition
  std::map<std::string, int64_t> tenant_bytes_;  // sums of those, of tenants whose items have grown
  int64_t upkeep_at_ms_ = 0;

  mutable protocol::Mutex mutex_;
  protocol::CondVar wake_;
  std::deque<ItemJob> queue_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::string fault_ GUARDED_BY(mutex_);
};

}  // namespace parley::storage
