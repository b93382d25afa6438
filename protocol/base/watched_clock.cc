#include "protocol/base/watched_clock.h"

#include <algorithm>
#include <string>

#include "protocol/base/reason.h"

namespace parley::protocol {
namespace {

// Clocks drift, and time servers slew them, so only more than a thousandth of the elapsed time is a step.
constexpr int64_t kDriftPart = 1000;
constexpr int64_t kStepMinMs = 1000;
constexpr size_t kStepsMax = 64;  // beyond this, merges the latest
constexpr int64_t kRetryMs = 30'000;

}  // namespace

WatchedClock::WatchedClock(const Clock& clock, int64_t ahead_max_ms)
    : clock_(clock), ahead_max_ms_(ahead_max_ms) {
  looked_ms_ = clock_.BootMs();
  believed_ms_ = seen_ms_ = clock_.Now().ms - looked_ms_;
}

void WatchedClock::NoteStep(int64_t boot_ms, int64_t by_ms) const {
  while (!steps_.empty() && steps_.front().at_ms + kStepKeptMs <= boot_ms) steps_.pop_front();
  if (by_ms < kStepMinMs) return;
  if (steps_.size() < kStepsMax) {
    steps_.push_back({boot_ms, by_ms});
  } else {
    steps_.back() = {boot_ms, steps_.back().by_ms + by_ms};
  }
}

int64_t WatchedClock::Look() const {
  const int64_t boot_ms = clock_.BootMs();
  const int64_t apart_ms = clock_.Now().ms - boot_ms;
  const int64_t drift_ms = std::max<int64_t>(boot_ms - looked_ms_, 0) / kDriftPart;
  NoteStep(boot_ms, apart_ms - seen_ms_);
  seen_ms_ = apart_ms;
  const int64_t ahead_ms = apart_ms - believed_ms_;
  if (drift_ms == 0) return ahead_ms;
  looked_ms_ = boot_ms;
  if (ahead_ms > ahead_max_ms_) return ahead_ms;  // elapsed time alone does not make it plausible
  const int64_t followed_ms = std::clamp(ahead_ms, -drift_ms, drift_ms);
  believed_ms_ += followed_ms;
  return ahead_ms - followed_ms;
}

int64_t WatchedClock::AheadMs() const {
  MutexLock lock(&mutex_);
  const int64_t ahead_ms = Look();
  return ahead_ms > ahead_max_ms_ ? ahead_ms : 0;
}

Time WatchedClock::Kept() const {
  MutexLock lock(&mutex_);
  Look();
  int64_t ahead_ms = 0;
  for (const Step& step : steps_) ahead_ms += step.by_ms;
  return {clock_.Now().ms - ahead_ms};
}

bool WatchedClock::Confirm() const {
  MutexLock lock(&mutex_);
  const bool doubted = Look() > ahead_max_ms_;
  believed_ms_ = seen_ms_;
  return doubted;
}

Error ClockInDoubt(int64_t ahead_ms) {
  Error error =
      ErrorFor(Reason::kClockInDoubt, "the clock was set ahead by " + std::to_string(ahead_ms / 1000) +
                                          " s: nothing is written until it is set back or confirmed");
  error.retry_after_ms = kRetryMs;
  return error;
}

}  // namespace parley::protocol
