// A token bucket: it contains at most its burst, each request takes a token, and it refills at its rate. With
// 20 a minute and a burst of 40, 40 pass at once, then one every three seconds.
//
// All integers: the missing part is counted in fractions of a token, and a millisecond adds a whole number of
// them, so that nothing is ever rounded. The time is a monotonic clock's.
//
// Thread contract: values.
#pragma once

#include <algorithm>
#include <cstdint>

namespace parley::accounts {

inline constexpr int64_t kSecondMs = 1000, kMinuteMs = 60 * kSecondMs, kHourMs = 60 * kMinuteMs,
                         kDayMs = 24 * kHourMs;

struct Rate {
  int64_t count = 0;           // tokens in `per_ms`; 0: no limit
  int64_t per_ms = kSecondMs;  // at most a day
  int64_t burst = 0;           // at least 1, at most 2^31

  bool limits() const { return count > 0; }
  static Rate PerSecond(int64_t count) { return {count, kSecondMs, count}; }
  friend bool operator==(const Rate&, const Rate&) = default;
};

// The result of a Take and the remaining tokens, for response headers.
struct Verdict {
  bool allowed = true;
  int64_t limit = 0;           // the burst; 0: no limit
  int64_t remaining = 0;       // whole tokens
  int64_t retry_after_ms = 0;  // until as many can be taken; 0 if allowed
  int64_t reset_ms = 0;        // until the bucket is full
};

class TokenBucket {
 public:
  // Takes `cost` tokens, or nothing. A cost above the burst empties a full bucket.
  Verdict Take(const Rate& rate, int64_t now_ms, int64_t cost = 1) { return Weigh(rate, now_ms, cost, true); }
  // Returns the result of Take without taking.
  Verdict Ask(const Rate& rate, int64_t now_ms, int64_t cost = 1) { return Weigh(rate, now_ms, cost, false); }
  // Takes `cost`, or the rest.
  void Fine(const Rate& rate, int64_t now_ms, int64_t cost) {
    if (!rate.limits()) return;
    Refill(rate, now_ms);
    missing_ = std::min(missing_ + cost * rate.per_ms, rate.burst * rate.per_ms);
  }
  void GiveBack(const Rate& rate, int64_t now_ms, int64_t cost = 1) {
    Refill(rate, now_ms);
    missing_ = std::max<int64_t>(0, missing_ - cost * rate.per_ms);
  }
  // From then on it equals a new one.
  int64_t FullAt(const Rate& rate) const { return at_ms_ + WaitFor(rate, missing_); }

 private:
  static int64_t WaitFor(const Rate& rate, int64_t parts) {
    return parts <= 0 || rate.count <= 0 ? 0 : (parts + rate.count - 1) / rate.count;
  }
  // A clock that several threads read may seem to step back a little: then nothing is refilled.
  void Refill(const Rate& rate, int64_t now_ms) {
    const int64_t passed = std::max<int64_t>(0, now_ms - at_ms_);
    missing_ = passed >= WaitFor(rate, missing_) ? 0 : missing_ - passed * rate.count;
    missing_ = std::min(missing_, rate.burst * rate.per_ms);  // the tenant may have lowered it in between
    at_ms_ = std::max(at_ms_, now_ms);
  }
  Verdict Weigh(const Rate& rate, int64_t now_ms, int64_t cost, bool take) {
    if (!rate.limits()) return {};
    Refill(rate, now_ms);
    const int64_t room = rate.burst * rate.per_ms;
    const int64_t wanted = std::min(cost, rate.burst) * rate.per_ms;
    Verdict out{missing_ + wanted <= room, rate.burst};
    if (out.allowed && take) missing_ += wanted;
    if (!out.allowed) out.retry_after_ms = WaitFor(rate, missing_ + wanted - room);
    out.remaining = (room - missing_) / rate.per_ms;
    out.reset_ms = WaitFor(rate, missing_);
    return out;
  }

  int64_t missing_ = 0;  // in 1/per_ms of a token, at at_ms_
  int64_t at_ms_ = 0;
};

}  // namespace parley::accounts
