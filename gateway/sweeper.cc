#include "gateway/sweeper.h"

#include <algorithm>

#include "fanout/wakes.h"
#include "gateway/node.h"
#include "protocol/base/log.h"
#include "threads/clock_tasks.h"

namespace parley::gateway {
namespace {

constexpr size_t kBatch = 256;                  // commands in flight at once
constexpr int64_t kRetryMs = 1000;              // after a sweep that could not do its work
constexpr int64_t kLongestSleepMs = 3'600'000;  // the wall clock may be set meanwhile

threads::ClockTask TaskOf(fanout::WakeKind kind) {
  switch (kind) {
    case fanout::WakeKind::kSnooze:
      return threads::ClockTask::kSnooze;
    case fanout::WakeKind::kIdle:
      return threads::ClockTask::kIdle;
    case fanout::WakeKind::kTip:
      break;
  }
  return threads::ClockTask::kTip;
}

}  // namespace

Sweeper::Sweeper(Node& node, protocol::Metrics& metrics)
    : node_(node),
      tasks_(metrics.AddCounter("parley_clock_tasks_total",
                                "Commands that the clock gave: snoozes ended, idle threads put away, tips")) {
}

void Sweeper::Start() {
  started_ = true;
  Sweep();
}

void Sweeper::OnWake(protocol::Time at) {
  node_.loop().Post([this, at] {
    if (started_ && outstanding_ == 0 && (!timer_ || at < armed_at_)) Arm(at);
  });
}

void Sweeper::Arm(protocol::Time at) {
  const int64_t wait_ms = at.ms - node_.clock().Now().ms;
  armed_at_ = at;
  timer_ = node_.loop().CallAfter(std::clamp<int64_t>(wait_ms, 0, kLongestSleepMs), [this] { Sweep(); });
}

void Sweeper::Sweep() {
  timer_.reset();
  const protocol::Time now = node_.clock().Now();
  std::optional<protocol::Time> next;
  const storage::Snapshot snapshot = node_.table().NewSnapshot();
  for (const protocol::TenantId& tenant : node_.tenants().Ids()) {
    std::vector<fanout::Wake> wakes;
    const auto status = fanout::ReadWakes(*snapshot, tenant, kBatch, &wakes);
    if (!status.ok()) {
      protocol::Log(protocol::LogLevel::kError, "gateway", "what is due can not be read",
                    {{"why", status.detail}});
      next = protocol::Time{now.ms + kRetryMs};
      continue;
    }
    for (const fanout::Wake& wake : wakes) {
      if (wake.at > now) {
        next = next ? std::min(*next, wake.at) : wake.at;
        break;
      }
      Post(tenant, wake);
    }
  }
  if (outstanding_ == 0 && next) Arm(*next);
}

void Sweeper::Post(const protocol::TenantId& tenant, const fanout::Wake& wake) {
  threads::Job job;
  job.tenant = tenant;
  job.thread = wake.thread;
  job.decide = [tenant, wake](threads::Stage& stage) {
    return threads::RunClockTask(stage, tenant, TaskOf(wake.kind), wake.thread, wake.user);
  };
  job.done = [this](const threads::Answer& answer) {
    if (answer.ok()) tasks_.Add();
    OnDone();
  };
  ++outstanding_;
  node_.executor().Submit(std::move(job));
}

// When all are answered the index is brought up to date first: otherwise the same rows would be found again.
void Sweeper::OnDone() {
  if (--outstanding_ > 0) return;
  node_.AwaitProjection("inbox", [this](bool reached) {
    if (reached && node_.NotReady().empty()) return Sweep();
    if (!timer_) Arm(protocol::Time{node_.clock().Now().ms + kRetryMs});
  });
}

}  // namespace parley::gateway
