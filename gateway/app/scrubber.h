// Verifies derived rows while the server runs: checks random threads and users' inboxes
// (fanout/verify/scrub.h), counts and logs differences, and has them repaired. Features compare rows of their
// own, a piece at a time (RowScrub); differences there are logged but cannot be repaired. It should never
// find any.
//
// It runs at a bounded pace on a thread of the lowest priority, and pauses while the lag of projections is
// large.
//
// Thread contract: Step or Run on one thread; Stop from any.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "accounts/tenants/tenant_directory.h"
#include "fanout/verify/scrub.h"
#include "fanout/worker.h"
#include "features/host/feature.h"
#include "protocol/base/metrics.h"
#include "protocol/base/mutex.h"

namespace parley::gateway {

class Scrubber {
 public:
  Scrubber(const storage::Table& table, fanout::Worker& worker, const accounts::TenantDirectory& tenants,
           const protocol::Clock& clock, protocol::Metrics& metrics, uint64_t seed);
  ~Scrubber();

  // Checks one thread, one inbox and a piece of the features' rows of the next tenant. Returns the number of
  // rows read.
  size_t Step();
  // Runs until Stop, at most at this pace.
  void Run(int64_t rows_per_second);
  void Stop();
  // The differences found so far. From any thread.
  uint64_t found() const { return found_; }

 private:
  void Judge(fanout::Scrub::Look look);
  void Report(const char* what, const std::vector<std::string>& differences);
  size_t LookAtFeatures(const protocol::TenantId& tenant);

  fanout::Worker& worker_;
  const accounts::TenantDirectory& tenants_;
  const protocol::Clock& clock_;
  fanout::Scrub scrub_;
  const storage::Table& table_;
  std::vector<std::unique_ptr<features::RowScrub>> of_features_;
  size_t turn_ = 0;
  std::atomic<int64_t> last_ms_{0};
  std::atomic<uint64_t> found_{0};
  protocol::Counter divergence_, threads_, inboxes_, rows_;
  protocol::Mutex mutex_;
  protocol::CondVar wake_;
  bool stopping_ GUARDED_BY(mutex_) = false;
};

}  // namespace parley::gateway
