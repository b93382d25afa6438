#include "gateway/app/sweeper.h"

#include <algorithm>
#include <utility>

#include "accounts/limits/quota_sweep.h"
#include "fanout/wakes.h"
#include "features/all.h"
#include "gateway/app/node.h"
#include "protocol/base/log.h"
#include "threads/engine/reservations.h"

namespace parley::gateway {
namespace {

constexpr size_t kBatch = 256;           // commands in flight at once
constexpr int64_t kSweepRetryMs = 1000;  // after a sweep that failed
constexpr int64_t kLongestSleepMs = 3'600'000;
constexpr int64_t kGlanceMs = 60'000;  // rereads the clock, which may be set, or the host suspended
// The index is read from this long before its first row, or before now: OnWake reports any earlier row.
constexpr int64_t kReportedLateMs = 60'000;

protocol::Result<threads::Decision> ForgetQuotas(threads::Transaction& tx, const protocol::TenantId& tenant,
                                                 size_t executor) {
  const threads::RowReader rows = tx.Rows(tenant);
  PARLEY_TRY(slice, accounts::ForgetQuotas(rows.raw(), tenant, executor, tx.moment().now));
  threads::Decision decision;
  decision.reserves_only = !slice.writes.empty();
  for (auto& [partition, sort, payload] : slice.writes) {
    payload ? tx.Reserve(partition, sort, *std::move(payload)) : tx.Release(partition, sort);
  }
  if (slice.more) decision.reply = "more";
  return decision;
}

}  // namespace

Sweeper::Sweeper(Node& node, protocol::Metrics& metrics)
    : node_(node),
      tasks_(metrics.AddCounter("parley_clock_tasks_total",
                                "Commands run by the sweeper: snoozes ended, idle threads archived, tips, "
                                "cards expired, slices of old rows removed")) {
  for (const features::Feature* feature : features::AllFeatures()) {
    for (const features::Due& due : feature->due) due_.push_back({feature, &due});
  }
  running_.resize(due_.size());
}

void Sweeper::Start() {
  started_ = true;
  Sweep();
}

void Sweeper::OnWake(protocol::Time at) {
  node_.io().loop().Post([this, at] {
    for (auto& [tenant, from] : read_from_) from = std::min(from, at);
    reported_ = std::min(reported_.value_or(at), at);
    if (started_ && !looking_ && !busy_ && (!timer_ || at < armed_at_)) Arm(at);
  });
}

void Sweeper::Arm(protocol::Time at) {
  const int64_t now_ms = node_.clock().Now().ms;
  armed_at_ = {std::min(at.ms, now_ms + kLongestSleepMs)};
  const int64_t wait_ms = std::clamp<int64_t>(armed_at_.ms - now_ms, 0, kGlanceMs);
  timer_ = node_.io().loop().CallAfter(
      wait_ms, [this] { node_.clock().Now() < armed_at_ ? Arm(armed_at_) : Sweep(); });
}

void Sweeper::Retry() {
  busy_ = false;
  first_.reset();
  Arm(protocol::Time{node_.clock().Now().ms + kSweepRetryMs});
}

void Sweeper::Sweep() {
  timer_.reset();
  if (node_.clock().AheadMs() > 0) return Retry();  // nothing expires while the clock is not trusted
  looking_ = true;
  reported_.reset();
  const auto found = std::make_shared<Found>();
  ReadJob job;
  job.read = [found, tenants = node_.tenants().Ids(), now = node_.clock().Now(), from = read_from_,
              due = due_, &node = std::as_const(node_)](const storage::Reader& reader) {
    *found = Find(reader, tenants, now, from);
    for (const auto& [feature, one] : due) {
      features::Service* service = node.FindService(feature->name);
      found->of_features.push_back(
          one->find({reader, tenants, now, node.sealer(), kBatch, service, &found->next}));
    }
  };
  job.finish = [this, found] { Act(std::move(*found)); };
  job.loop = &node_.io().loop();
  if (node_.read_pool().Submit(job)) return;
  looking_ = false;
  Retry();
}

void Sweeper::Act(Found found) {
  looking_ = false;
  read_from_ = std::move(found.read_from);
  // The read may have missed rows written since it began.
  for (auto& [tenant, from] : read_from_) from = std::min(from, reported_.value_or(from));
  Begin(std::move(found.of_features));
  if (found.due.empty()) {
    first_.reset();
    // New reservations are not reported, since they are made days before they are due.
    const protocol::Time next = found.next.value_or(protocol::Time{node_.clock().Now().ms + kLongestSleepMs});
    return Arm(std::min(next, reported_.value_or(next)));
  }
  // A row whose command has no effect, or fails, would be swept forever: slow down.
  if (first_ == found.due.front()) return Retry();
  first_ = found.due.front();
  failed_ = false;
  busy_ = true;
  outstanding_ = found.due.size();
  for (const Due& one : found.due) Post(one, {});
}

// Waits for the tasks of the last sweep before it starts more of the same kind, and then looks again. A task
// that also runs for a request runs twice, which has no effect.
void Sweeper::Begin(std::vector<std::vector<features::DueTask>> of_features) {
  for (size_t i = 0; i < of_features.size(); ++i) {
    if (running_[i] > 0) {
      skipped_ |= !of_features[i].empty();
      continue;
    }
    for (const features::DueTask& task : of_features[i]) {
      ++running_[i];
      task(node_.io(), [this, i] {
        if (--running_[i] == 0 && std::exchange(skipped_, false)) OnWake(node_.clock().Now());
      });
    }
  }
}

Sweeper::Found Sweeper::Find(const storage::Reader& reader, const std::vector<protocol::TenantId>& tenants,
                             protocol::Time now, std::map<protocol::TenantId, protocol::Time> read_from) {
  Found out;
  for (const protocol::TenantId& tenant : tenants) {
    FindReservations(reader, tenant, now, &out);
    FindQuotas(reader, tenant, now, &out);
    std::vector<fanout::Wake> wakes;
    protocol::Time& from = read_from[tenant];
    const auto status = fanout::ReadWakes(reader, tenant, from, kBatch, &wakes);
    if (status.ok()) {
      const protocol::Time first = wakes.empty() ? now : std::min(wakes.front().at, now);
      from.ms = std::max<int64_t>(first.ms - kReportedLateMs, 0);
    } else {
      protocol::Log(protocol::LogLevel::kError, "gateway", "due work cannot be read",
                    {{"why", status.detail}});
      wakes = {{{now.ms + kSweepRetryMs}, {}, {}, {}}};
    }
    for (const fanout::Wake& wake : wakes) {
      if (wake.at > now) {
        out.next = std::min(out.next.value_or(wake.at), wake.at);
        break;
      }
      out.due.push_back({tenant, wake, false});
    }
  }
  out.read_from = std::move(read_from);
  return out;
}

void Sweeper::FindReservations(const storage::Reader& reader, const protocol::TenantId& tenant,
                               protocol::Time now, Found* out) {
  const auto first = threads::FirstReservationDue(reader, tenant);
  if (!first) return;
  if (*first > now) {
    out->next = std::min(out->next.value_or(*first), *first);
  } else {
    out->due.push_back({tenant, {*first, {}, {}, {}}, true});
  }
}

void Sweeper::FindQuotas(const storage::Reader& reader, const protocol::TenantId& tenant, protocol::Time now,
                         Found* out) {
  std::vector<accounts::QuotaDue> first;
  if (!accounts::FirstQuotasDue(reader, tenant, &first).ok()) return;
  for (const accounts::QuotaDue& due : first) {
    if (due.at > now) {
      out->next = std::min(out->next.value_or(due.at), due.at);
    } else {
      out->due.push_back({tenant, {due.at, {}, {}, {}}, false, due.executor});
    }
  }
}

void Sweeper::Post(const Due& due, const std::string& from) {
  threads::Executors& executors = node_.executors();
  threads::Job job;
  job.tenant = due.tenant;
  if (!due.reservations && !due.quotas_of) job.thread = due.wake.thread;
  job.decide = [due, from](threads::Transaction& tx) {
    if (due.reservations) return threads::ForgetReservations(tx, due.tenant);
    if (due.quotas_of) return ForgetQuotas(tx, due.tenant, *due.quotas_of);
    return threads::RunClockTask(tx, due.tenant, due.wake.kind, due.wake.thread, due.wake.user, from);
  };
  job.done = [this, due](const threads::Answer& answer) {
    // A task that works in slices continues after the commands submitted in between.
    if (answer.ok() && !answer->empty() && !node_.draining()) return Post(due, *answer);
    OnDone(answer.ok());
  };
  // Quotas of an executor that no longer exists are handled by one of the present ones.
  if (due.quotas_of) return executors.SubmitTo(*due.quotas_of % executors.count(), std::move(job));
  executors.Submit(std::move(job));
}

// After all are answered, waits for the index: otherwise the same rows would be found again.
void Sweeper::OnDone(bool ok) {
  if (ok) tasks_.Add();
  failed_ |= !ok;
  if (--outstanding_ > 0) return;
  if (failed_) return Retry();
  node_.io().Await(threads::Waits::kInbox, [this](bool reached) {
    if (!reached || !node_.NotReady().empty()) return Retry();
    busy_ = false;
    Sweep();
  });
}

}  // namespace parley::gateway
