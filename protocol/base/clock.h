// Time is passed in, never fetched, so that tests and the simulator run on a clock that they advance.
#pragma once

#include "protocol/base/time.h"

namespace parley::protocol {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time Now() const = 0;             // wall clock, may jump
  virtual int64_t MonotonicMs() const = 0;  // for timeouts, never decreases
  // Like MonotonicMs, but keeps counting while the host is suspended.
  virtual int64_t BootMs() const { return MonotonicMs(); }

  // How many milliseconds the wall clock was set ahead implausibly (watched_clock.h), or 0. Unless this is 0,
  // all writes are rejected.
  virtual int64_t AheadMs() const { return 0; }
  // The wall clock minus recent steps ahead, so that such a step does not end a retention period early.
  virtual Time Kept() const { return Now(); }
  // Accepts the current time as correct. Returns false if it was not in doubt.
  virtual bool Confirm() const { return false; }
};

class SystemClock final : public Clock {
 public:
  Time Now() const override;
  int64_t MonotonicMs() const override;
  int64_t BootMs() const override;
};

}  // namespace parley::protocol
