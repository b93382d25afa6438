// Time is passed in, never fetched: tests and the simulator run on a clock that they advance themselves.
#pragma once

#include "protocol/base/time.h"

namespace parley::protocol {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time Now() const = 0;             // wall clock, may jump
  virtual int64_t MonotonicMs() const = 0;  // for timeouts, never goes back
};

class SystemClock final : public Clock {
 public:
  Time Now() const override;
  int64_t MonotonicMs() const override;
};

}  // namespace parley::protocol
