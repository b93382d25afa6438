// Carries durable changes from the executor's thread to the loop's, in order, and gives them to the hub
// there, after Ring or when the loop's thread calls Deliver together with other work. While stopped, changes
// wait.
//
// The waiting changes are bounded: each has the bytes of its events and a member list that shares all but one
// block with its neighbours (threads/model/members.h), and each was made by a command. A session has at most
// max_in_flight unanswered commands, and answers pass through the loops too, so a lagging loop delays its own
// sessions' commands.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "fanout/hub.h"
#include "protocol/base/metrics.h"
#include "protocol/base/mutex.h"
#include "threads/model/change.h"

namespace parley::fanout {

class LiveDelivery final : public threads::ChangeSink {
 public:
  // `post` runs a task on the loop's thread. `seen` is called there for each change, after its delivery to
  // the sessions. `seconds` observes, for each delivery, the time since the commit of its oldest change.
  // `index` is the loop's number in traces.
  LiveDelivery(Hub& hub, std::function<void(std::function<void()>)> post,
               std::function<void(const threads::CommittedChange&)> seen, protocol::Histogram seconds = {},
               uint32_t index = 0)
      : hub_(hub), post_(std::move(post)), seen_(std::move(seen)), seconds_(seconds), index_(index) {}

  void OnCommitted(std::vector<threads::CommittedChangePtr> changes) override;  // any thread
  void Ring();                                                                  // any thread
  void Deliver();                                                               // loop's thread
  void Stop();                                                                  // loop's thread
  void Start();                                                                 // loop's thread

 private:
  void LogDelivered(const threads::CommittedChange& change);

  Hub& hub_;
  const std::function<void(std::function<void()>)> post_;
  const std::function<void(const threads::CommittedChange&)> seen_;
  protocol::Mutex mutex_;
  std::vector<threads::CommittedChangePtr> waiting_ GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point oldest_
      GUARDED_BY(mutex_);  // commit time of the oldest waiting change, if any
  bool posted_ GUARDED_BY(mutex_) = false;
  protocol::Histogram seconds_;
  const uint32_t index_;
  bool stopped_ = false;  // loop's thread
};

}  // namespace parley::fanout
