// The scrubber proves the inbox while the server runs: it looks at a random thread and at a user's inbox
// again and again (fanout/verify/scrub.h), counts and records what differs, and has it repaired. It walks
// along the audit chains, too, a piece at a time (fanout/verify/audit_facts.h); what is wrong there is told,
// and cannot be repaired. It should never find anything.
//
// At a bounded pace and on a thread of the lowest priority; not while projections are far behind.
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
#include "protocol/base/metrics.h"
#include "protocol/base/mutex.h"

namespace parley::gateway {

class Scrubber {
 public:
  Scrubber(const storage::Table& table, fanout::Worker& worker, const accounts::TenantDirectory& tenants,
           const protocol::Clock& clock, protocol::Metrics& metrics, uint64_t seed);
  ~Scrubber();

  // Looks at one thread, one inbox and a piece of the audit of the next tenant. Returns how many rows were
  // read.
  size_t Step();
  // Until Stop, at most at this pace.
  void Run(int64_t rows_per_second);
  void Stop();
  // Differences so far. From any thread.
  uint64_t found() const { return found_; }

 private:
  struct Audits;  // how far the chains were read
  void Judge(fanout::Scrub::Look look);
  void Tell(const char* what, const std::vector<std::string>& differences);
  size_t LookAtAudit(const protocol::TenantId& tenant);

  fanout::Worker& worker_;
  const accounts::TenantDirectory& tenants_;
  const protocol::Clock& clock_;
  fanout::Scrub scrub_;
  const std::unique_ptr<Audits> audits_;
  size_t turn_ = 0;
  std::atomic<int64_t> last_ms_{0};
  std::atomic<uint64_t> found_{0};
  protocol::Counter divergence_, threads_, inboxes_, rows_;
  protocol::Mutex mutex_;
  protocol::CondVar wake_;
  bool stopping_ GUARDED_BY(mutex_) = false;
};

}  // namespace parley::gateway
