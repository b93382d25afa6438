// Returns the microseconds of a clock that never goes back, to measure durations.
#pragma once

#include <chrono>
#include <cstdint>

namespace parley::gateway {

inline int64_t SteadyMicroseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

}  // namespace parley::gateway
