// A clock that tests advance by hand.
#pragma once

#include "protocol/base/clock.h"

namespace parley::threads {

class FakeClock final : public protocol::Clock {
 public:
  protocol::Time Now() const override { return now_; }
  int64_t MonotonicMs() const override { return monotonic_ms_; }

  void Advance(int64_t ms) {
    now_.ms += ms;
    monotonic_ms_ += ms;
  }
  // Sets the wall clock back; the clock for time-outs continues.
  void SetBack(int64_t ms) { now_.ms -= ms; }

 private:
  protocol::Time now_ = *protocol::ParseTime("2025-11-05T14:00:00.000Z");
  int64_t monotonic_ms_ = 1000;
};

}  // namespace parley::threads
