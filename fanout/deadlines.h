// The clock's part in the domain: finds threads with something that is over by now and has the executor, the
// only writer, take note. What is over is told by the rows when the command runs, so being late, early or
// twice changes nothing. Thread contract: the loop's thread.
#pragma once

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "protocol/base/clock.h"
#include "protocol/base/metrics.h"
#include "storage/table.h"
#include "threads/executor.h"

namespace parley::fanout {

class Deadlines {
 public:
  // `tenants` lists whose deadlines there are.
  Deadlines(const storage::Table& table, const protocol::Clock& clock, threads::Executor& executor,
            std::function<std::vector<protocol::TenantId>()> tenants, protocol::Metrics& metrics);

  // Posts a command for every thread that is due, up to a bound; the rest is found by the next sweep.
  void Sweep();

 private:
  void SweepTenant(const protocol::TenantId& tenant);

  const storage::Table& table_;
  const protocol::Clock& clock_;
  threads::Executor& executor_;
  const std::function<std::vector<protocol::TenantId>()> tenants_;
  // Posted and not yet answered: the row stays until the projection has seen what the command did.
  std::set<std::pair<protocol::TenantId, protocol::ThreadId>> posted_;
  protocol::Counter swept_;
};

}  // namespace parley::fanout
