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
  // The same, and it goes on while the host is suspended.
  virtual int64_t BootMs() const { return MonotonicMs(); }

  // By how much the wall clock was set ahead of what can be believed (watched_clock.h); 0: it is believed.
  // While it is not, nothing is written.
  virtual int64_t AheadMs() const { return 0; }
  // The wall clock, less what it was set ahead of late: a step must not end early what is kept for a time.
  virtual Time Kept() const { return Now(); }
  // The time is right as it is now. False: nobody doubted it.
  virtual bool Confirm() const { return false; }
};

class SystemClock final : public Clock {
 public:
  Time Now() const override;
  int64_t MonotonicMs() const override;
  int64_t BootMs() const override;
};

}  // namespace parley::protocol
