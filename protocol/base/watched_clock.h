// A wall clock that is compared with the time since the host was started. The wall clock may be set; a step
// ahead, by a mistake or by a bad time server, would let everything lapse that has an end, for good. So after
// a large one nothing is written until it has gone back, or somebody who knows confirms it.
//
// A suspended host is no step: both clocks go on meanwhile. A step back is none either: nothing lapses by it.
// At a start the clock is believed.
//
// Thread-safe.
#pragma once

#include <deque>

#include "protocol/base/clock.h"
#include "protocol/base/error.h"
#include "protocol/base/mutex.h"

namespace parley::protocol {

// For how long a step counts in Kept(): nothing that is kept by it is kept for longer.
inline constexpr int64_t kStepKeptMs = int64_t{48} * 3600 * 1000;

class WatchedClock final : public Clock {
 public:
  // `ahead_max_ms`: how far the clock may be set ahead at once, and still be believed.
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
  // How far the clocks have moved apart, beyond what clocks do.
  int64_t Look() const REQUIRES(mutex_);
  void NoteStep(int64_t boot_ms, int64_t by_ms) const REQUIRES(mutex_);

  const Clock& clock_;
  const int64_t ahead_max_ms_;
  mutable Mutex mutex_;
  mutable int64_t believed_ms_ GUARDED_BY(mutex_) = 0;  // the wall clock less the time since boot
  mutable int64_t seen_ms_ GUARDED_BY(mutex_) = 0;      // the same, as it was at the last look
  mutable int64_t looked_ms_ GUARDED_BY(mutex_) = 0;    // since boot, from when on drift is counted
  mutable std::deque<Step> steps_ GUARDED_BY(mutex_);   // ahead, of late
};

// UNAVAILABLE, for who would write meanwhile.
Error ClockInDoubt(int64_t ahead_ms);

}  // namespace parley::protocol
