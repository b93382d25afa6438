// A token bucket: it holds its burst, each taking costs a token, and it is filled again at its rate. With 20
// a minute and a burst of 40, 40 come through at once, then one every three seconds.
//
// All in integers: what is missing is counted in fractions of a token, of which a millisecond brings a whole
// number, so that nothing is rounded however often one asks. The time is a monotonic clock's.
//
// Thread contract: values.
#pragma once

#include <algorithm>
#include <cstdint>

namespace parley::accounts {

inline constexpr int64_t kSecondMs = 1000, kMinuteMs = 60 * kSecondMs, kHourMs = 60 * kMinuteMs,
                         kDayMs = 24 * kHourMs;

struct Rate {
  int64_t count = 0;           // tokens in `per_ms`; 0: there is no limit
  int64_t per_ms = kSecondMs;  // at most a day
  int64_t burst = 0;           // at least 1, at most 2^31

  bool limits() const { return count > 0; }
  static Rate PerSecond(int64_t count) { return {count, kSecondMs, count}; }
  friend bool operator==(const Rate&, const Rate&) = default;
};

// What came of a taking, and what is left; for the answer's headers.
struct Verdict {
  bool allowed = true;
  int64_t limit = 0;           // the burst; 0: there was no limit
  int64_t remaining = 0;       // whole tokens
  int64_t retry_after_ms = 0;  // until as much can be taken; 0 where it was
  int64_t reset_ms = 0;        // until the bucket is full
};

class TokenBucket {
 public:
  // Takes `cost` tokens, or nothing. More than the burst is taken from a full bucket as if it were the burst.
  Verdict Take(const Rate& rate, int64_t now_ms, int64_t cost = 1) { return Weigh(rate, now_ms, cost, true); }
  // What Take would answer.
  Verdict Ask(const Rate& rate, int64_t now_ms, int64_t cost = 1) { return Weigh(rate, now_ms, cost, false); }
  // Takes `cost`, or what is there.
  void Fine(const Rate& rate, int64_t now_ms, int64_t cost) {
    if (!rate.limits()) return;
    Refill(rate, now_ms);
    missing_ = std::min(missing_ + cost * rate.per_ms, rate.burst * rate.per_ms);
  }
  void GiveBack(const Rate& rate, int64_t now_ms, int64_t cost = 1) {
    Refill(rate, now_ms);
    missing_ = std::max<int64_t>(0, missing_ - cost * rate.per_ms);
  }
  // From when on it equals a new one.
  int64_t FullAt(const Rate& rate) const { return at_ms_ + WaitFor(rate, missing_); }

 private:
  static int64_t WaitFor(const Rate& rate, int64_t parts) {
    return parts <= 0 || rate.count <= 0 ? 0 : (parts + rate.count - 1) / rate.count;
  }
  // A clock that is read on several threads may seem to go back by a little: then nothing is filled in.
  void Refill(const Rate& rate, int64_t now_ms) {
    const int64_t passed = std::max<int64_t>(0, now_ms - at_ms_);
    missing_ = passed >= WaitFor(rate, missing_) ? 0 : missing_ - passed * rate.count;
    missing_ = std::min(missing_, rate.burst * rate.per_ms);  // the tenant may have set less meanwhile
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

  int64_t missing_ = 0;  // in 1/per_ms of a token; at_ms_ says when
  int64_t at_ms_ = 0;
};

}  // namespace parley::accounts
