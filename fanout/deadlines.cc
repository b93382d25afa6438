#include "fanout/deadlines.h"

#include "fanout/keys.h"
#include "threads/cards/commands.h"

namespace parley::fanout {
namespace {
constexpr size_t kThreadsPerSweep = 500;
}

Deadlines::Deadlines(const storage::Table& table, const protocol::Clock& clock, threads::Executor& executor,
                     std::function<std::vector<protocol::TenantId>()> tenants, protocol::Metrics& metrics)
    : table_(table),
      clock_(clock),
      executor_(executor),
      tenants_(std::move(tenants)),
      swept_(metrics.AddCounter("parley_deadlines_total", "Threads looked at because a deadline was over")) {}

void Deadlines::Sweep() {
  for (const protocol::TenantId& tenant : tenants_()) SweepTenant(tenant);
}

void Deadlines::SweepTenant(const protocol::TenantId& tenant) {
  std::vector<protocol::ThreadId> due;
  const protocol::Time now = clock_.Now();
  const auto status =
      table_.Scan(DuePartition(tenant), storage::SortRange::All(), storage::Direction::kForward,
                  kThreadsPerSweep, [&](std::string_view sort, storage::RowView) {
                    protocol::Time at;
                    protocol::ThreadId thread;
                    if (!ParseDueKey(sort, &at, &thread) || at > now) return false;
                    due.push_back(thread);
                    return true;
                  });
  if (!status.ok()) return;  // storage's fault shows in readiness; the next sweep tries again
  for (const protocol::ThreadId& thread : due) {
    if (!posted_.emplace(tenant, thread).second) continue;
    swept_.Add();
    threads::Job job;
    job.tenant = tenant;
    job.thread = thread;
    job.decide = [tenant, thread](threads::Stage& stage) {
      return threads::LapseCards(stage, tenant, thread);
    };
    job.done = [this, tenant, thread](const threads::Answer&) { posted_.erase({tenant, thread}); };
    executor_.Submit(std::move(job));
  }
}

}  // namespace parley::fanout
