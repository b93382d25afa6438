// The scrubber proves the inbox while the server runs: it looks at a random thread and at a user's inbox
// again and again (fanout/verify/scrub.h), counts and records what differs, and has it repaired. It should
// never find anything.
//
// At a bounded pace and on a thread of the lowest priority; not while projections are far behind.
//
// Thread contract: Step or Run on one thread; Stop from any.
#pragma once

#include <atomic>

#include "accounts/tenants/tenant_directory.h"
#include "fanout/verify/scrub.h"
#include "fanout/worker.h"
#include "protocol/base/metrics.h"
#include "protocol/base/mutex.h"

namespace parley::gateway {

class Scrubber {
 public:
  Scrubber(const storage::Table& table, fanout::Worker& worker, const accounts::TenantDirectory& tenants,
           const protocol::Clock& clock, protocol::Metrics& metrics, uint64_t seed);

  // Looks at one thread and one inbox of the next tenant. Returns how many rows were read.
  size_t Step();
  // Until Stop, at most at this pace.
  void Run(int64_t rows_per_second);
  void Stop();
  // Differences so far. From any thread.
  uint64_t found() const { return found_; }

 private:
  void Judge(fanout::Scrub::Look look);

  fanout::Worker& worker_;
  const accounts::TenantDirectory& tenants_;
  const protocol::Clock& clock_;
  fanout::Scrub scrub_;
  size_t turn_ = 0;
  std::atomic<int64_t> last_ms_{0};
  std::atomic<uint64_t> found_{0};
  protocol::Counter divergence_, threads_, inboxes_, rows_;
  protocol::Mutex mutex_;
  protocol::CondVar wake_;
  bool stopping_ GUARDED_BY(mutex_) = false;
};

}  // namespace parley::gateway
