// Passes each executor batch's committed changes to the live delivery of every loop. Ring starts the
// delivery; a caller that posts a task of its own to the loop can let that task deliver instead.
//
// Thread contract: Add before the first commit; OnCommitted and TakeCommitted on the executors' threads, one
// call at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "fanout/backlog.h"
#include "fanout/live_delivery.h"
#include "protocol/base/metrics.h"
#include "threads/model/change.h"

namespace parley::fanout {

class ChangeFeed final : public threads::ChangeSink {
 public:
  explicit ChangeFeed(protocol::Metrics& metrics);

  // REQUIRES: `live` outlives the last call of OnCommitted and Ring.
  void Add(LiveDelivery* live) { loops_.push_back(live); }
  void OnCommitted(std::vector<threads::CommittedChangePtr> changes) override;
  // Makes every loop deliver its changes, unless a delivery is already posted.
  void Ring();
  // Incremented before any session receives a commit's changes. Any thread.
  uint64_t commits() const { return commits_.load(std::memory_order_acquire); }
  // Returns true if there was a commit since the last call.
  bool TakeCommitted() { return committed_.exchange(false); }
  Backlog& backlog() { return backlog_; }

 private:
  std::vector<LiveDelivery*> loops_;
  Backlog backlog_;
  std::atomic<uint64_t> commits_{0};
  std::atomic<bool> committed_{false};
  protocol::Counter events_;
};

}  // namespace parley::fanout
