// Does what has come due: ends snoozes, puts idle threads away, posts safety tips. Asleep until the earliest
// row of the index in order of time, so nothing polls; what it finds due it posts to the executor as
// commands.
//
// Thread contract: the loop's thread, but for OnWake.
#pragma once

#include <memory>

#include "fanout/keys.h"
#include "gateway/loop.h"
#include "protocol/base/clock.h"
#include "protocol/base/metrics.h"
#include "threads/executor.h"

namespace parley::gateway {

class Node;

class Sweeper {
 public:
  Sweeper(Node& node, protocol::Metrics& metrics);

  // Looks at once what is due, and from then on when the time has come.
  void Start();
  // The index has a new row. From any thread.
  void OnWake(protocol::Time at);

 private:
  void Arm(protocol::Time at);
  void Sweep();
  void Post(const protocol::TenantId& tenant, const fanout::Wake& wake);
  void OnDone();

  Node& node_;
  std::unique_ptr<Timer> timer_;
  protocol::Time armed_at_;
  size_t outstanding_ = 0;  // commands posted and not yet answered
  bool started_ = false;
  protocol::Counter tasks_;
};

}  // namespace parley::gateway
