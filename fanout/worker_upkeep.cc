// The worker's upkeep: threads that are set aside, repairs, and renewal.
#include <algorithm>

#include "fanout/renewal.h"
#include "fanout/worker_pass.h"
#include "protocol/base/log.h"

namespace parley::fanout {
namespace {

constexpr size_t kAsideShown = 5;
constexpr size_t kRepairsWaiting = 64;

}  // namespace

// Call after the record is on disk.
void Worker::NoteAside(Runner& runner, const Pass& pass) {
  if (pass.aside.empty() && pass.back.empty()) return;
  const auto log = [&](protocol::LogLevel level, std::string_view what, const ThreadName& thread,
                       std::string_view why) {
    protocol::Log(level, "fanout", what,
                  {{"projection", runner.projection->name()},
                   {"tenant", thread.first.value.text()},
                   {"thread", thread.second.ToText()},
                   {"why", why}});
  };
  for (const auto& [thread, why] : pass.aside) {
    if (runner.aside.emplace(thread, why).second)
      log(protocol::LogLevel::kError, "a thread is set aside", thread, why);
  }
  for (const ThreadName& thread : pass.back) {
    runner.aside.erase(thread);
    log(protocol::LogLevel::kInfo, "a thread that was set aside is read again", thread, "");
  }
  PublishAside();
}

void Worker::PublishAside() {
  Aside now;
  for (const auto& runner : runners_) {
    runner->aside_count = runner->aside.size();
    now.threads += runner->aside.size();
    for (const auto& [thread, why] : runner->aside) {
      if (now.first.size() == kAsideShown) break;
      now.first.push_back({std::string(runner->projection->name()), thread.first, thread.second, why});
    }
  }
  protocol::MutexLock lock(&mutex_);
  aside_ = std::move(now);
}

Worker::Aside Worker::aside() const {
  protocol::MutexLock lock(&mutex_);
  return aside_;
}

bool Worker::Repair(RepairOrder order) {
  protocol::MutexLock lock(&mutex_);
  if (repairs_.size() >= kRepairsWaiting) return false;
  repairs_.push_back(std::move(order));
  woken_ = true;
  if (idle_) wake_.Signal();
  return true;
}

bool Worker::StepRepair() {
  RepairOrder order;
  {
    protocol::MutexLock lock(&mutex_);
    if (repairs_.empty()) return false;
    order = std::move(repairs_.front());
    repairs_.pop_front();
    repairing_ = true;
  }
  // First recompute the rows at their known places, then remove rows at other places.
  for (auto& runner : runners_) {
    RepairIn(*runner, order, /*rebuild=*/false);
    if (!order.what.empty()) RepairIn(*runner, order, /*rebuild=*/true);
  }
  protocol::MutexLock lock(&mutex_);
  repairing_ = false;
  return true;
}

bool Worker::repairing() const {
  protocol::MutexLock lock(&mutex_);
  return repairing_ || !repairs_.empty();
}

// Does not retry a failed repair, because the scrubber finds the difference again.
void Worker::RepairIn(Runner& runner, const RepairOrder& order, bool rebuild) {
  Pass pass;
  pass.last = runner.cursor;
  std::string failure;
  if (rebuild) {
    const storage::Snapshot snapshot = table_.NewSnapshot();
    runner.projection->Begin();
    auto done = runner.projection->Rebuild(*snapshot, order, &pass.projected);
    if (done.ok()) done = runner.projection->Finish(*snapshot, &pass.projected);
    if (!done.ok()) failure = done.error().message;
  } else {
    pass.dirty[{order.tenant, order.thread}].changed = kEverything;
    failure = Project(runner, &pass);
  }
  if (failure.empty() && !rebuild && !order.what.empty() && &runner == runners_.front().get())
    failure = RecordRepair(table_, order.tenant, order.at, order.what, &pass.projected.writes).detail;
  if (failure.empty()) failure = Save(runner, pass);
  if (!failure.empty()) {
    protocol::Log(protocol::LogLevel::kError, "fanout", "a repair failed",
                  {{"projection", runner.projection->name()}, {"why", failure}});
    return;
  }
  NoteAside(runner, pass);
  Notify(runner, pass);
}

bool Worker::StepRenewal() {
  return std::any_of(runners_.begin(), runners_.end(),
                     [this](const auto& runner) { return !runner->renewals.empty() && Renew(*runner); });
}

// Renews some threads of one tenant, without notices. Returns false if that is impossible now.
bool Worker::Renew(Runner& runner) {
  if (stopped(runner.projection->id())) return false;
  Renewal& renewal = runner.renewals.front();
  std::vector<ThreadId> threads;
  if (!ThreadsAfter(table_, renewal.tenant, renewal.after, runner.renewed_together, &threads).ok())
    return false;
  Pass pass;
  pass.last = runner.cursor;
  pass.entries = threads.size();
  for (const ThreadId& thread : threads) pass.dirty[{renewal.tenant, thread}].changed = kEverything;
  std::string failure = Project(runner, &pass);
  if (failure.empty() && TooLong(pass.projected.rows(), pass)) {
    runner.renewed_together = threads.size() / 2;
    return true;
  }
  Renewal next = renewal;
  next.done = threads.size() < runner.renewed_together;
  if (!threads.empty()) next.after = threads.back();
  pass.projected.notices.clear();
  pass.projected.writes.push_back(RenewalWrite(runner.projection->name(), next));
  if (failure.empty()) failure = Save(runner, pass);
  if (!failure.empty()) {
    SetFailure(runner, failure);
    return false;
  }
  NoteAside(runner, pass);
  Notify(runner, pass);
  if (next.done) {
    runner.renewals.pop_front();
  } else {
    renewal = std::move(next);
  }
  return true;
}

}  // namespace parley::fanout
