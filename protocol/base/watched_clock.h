// A wall clock that is compared with the time since the host booted. A step ahead of the wall clock, by a
// mistake or by a bad time server, would expire everything that has an end, permanently. So after a large
// step ahead all writes stop until the clock is set back or an operator confirms it.
//
// A suspended host is no step, because both clocks count that time. A step back expires nothing, so it is
// allowed. The time at start is accepted.
//
// Thread-safe.
#pragma once

#include <deque>

#include "protocol/base/clock.h"
#include "protocol/base/error.h"
#include "protocol/base/mutex.h"

namespace parley::protocol {

// Kept() subtracts a step for this long; so this is the longest retention period that it protects.
inline constexpr int64_t kStepKeptMs = int64_t{48} * 3600 * 1000;

class WatchedClock final : public Clock {
 public:
  // `ahead_max_ms`: the largest step ahead that is accepted at once.
  WatchedClock(const Clock& clock, int64_t ahead_max_ms);

  Time Now() const override { return clock_.Now(); }
  int64_t MonotonicMs() const override { return clock_.MonotonicMs(); }
  int64_t BootMs() const override { return clock_.BootMs(); }
  int64_t AheadMs() const override;
  Time Kept() const override;
  bool Confirm() const override;

 private:
  struct Step {
    int64_t at_ms;  // since boot
    int64_t by_ms;
  };
  // Returns how far the clocks have moved apart, beyond normal drift.
  int64_t Look() const REQUIRES(mutex_);
  void NoteStep(int64_t boot_ms, int64_t by_ms) const REQUIRES(mutex_);

  const Clock& clock_;
  const int64_t ahead_max_ms_;
  mutable Mutex mutex_;
  mutable int64_t believed_ms_ GUARDED_BY(mutex_) = 0;  // the wall clock minus the time since boot
  mutable int64_t seen_ms_ GUARDED_BY(mutex_) = 0;      // the same, at the last look
  mutable int64_t looked_ms_ GUARDED_BY(mutex_) = 0;    // since boot; drift is counted from here
  mutable std::deque<Step> steps_ GUARDED_BY(mutex_);   // recent steps ahead
};

// UNAVAILABLE, for writes while the clock is in doubt.
Error ClockInDoubt(int64_t ahead_ms);

}  // namespace parley::protocol
