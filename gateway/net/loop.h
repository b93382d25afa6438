// Defines the event loop as the rest of the gateway sees it. The transport implements it; tests and the
// simulator step their own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace parley::gateway {

// Cancels on destruction.
class Timer {
 public:
  virtual ~Timer() = default;
};

class Loop {
 public:
  virtual ~Loop() = default;
  // Runs `task` on the loop's thread, soon, in order of posting. From any thread.
  virtual void Post(std::function<void()> task) = 0;
  // Runs `task` once after `delay_ms`, unless the timer is destroyed before. On the loop's thread only.
  [[nodiscard]] virtual std::unique_ptr<Timer> CallAfter(int64_t delay_ms, std::function<void()> task) = 0;
};

}  // namespace parley::gateway
