// A deadline that is moved far more often than it passes: for every request, say. Moving it to a later time
// costs a look at the clock; the timer behind it fires at the old time, sees that, and waits on.
//
// Threads: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "gateway/net/asio_loop.h"

namespace parley::gateway {

class Deadline {
 public:
  // `passed` may destroy the deadline.
  Deadline(EventLoop* loop, std::function<void()> passed) : loop_(loop), passed_(std::move(passed)) {}

  void Set(int64_t delay_ms);  // instead of the one before
  void Clear() { due_ms_ = INT64_MAX; }
  bool is_set() const { return due_ms_ != INT64_MAX; }

 private:
  void Arm(int64_t delay_ms);
  void OnTimer();

  EventLoop* loop_;
  const std::function<void()> passed_;
  int64_t due_ms_ = INT64_MAX;
  int64_t armed_ms_ = INT64_MAX;  // when the timer fires
  std::unique_ptr<Timer> timer_;
};

}  // namespace parley::gateway
