// A deadline that is moved far more often than it passes, such as one per request. Moving it later only reads
// the clock; the timer still fires at the old time, and is then armed again for the rest.
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

  void Set(int64_t delay_ms);  // replaces the present deadline
  void Clear() { due_ms_ = INT64_MAX; }
  bool is_set() const { return due_ms_ != INT64_MAX; }

 private:
  void Arm(int64_t delay_ms);
  void OnTimer();

  EventLoop* loop_;
  const std::function<void()> passed_;
  int64_t due_ms_ = INT64_MAX;
  int64_t armed_ms_ = INT64_MAX;  // when the timer will fire
  std::unique_ptr<Timer> timer_;
};

}  // namespace parley::gateway
