// How often something happened lately, by slots of time: an hour has twelve of five minutes, a day 24 of an
// hour or 288 of five minutes. A window is the slot that is now and those before it, so that a limit of an
// hour moves on every five minutes.
//
// Thread contract: values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/limits/token_bucket.h"

namespace parley::accounts {

// What is counted. The numbers are on disk: never reuse one.
enum class Counted : uint8_t {
  kStarts = 1,  // threads created and strangers added, in slots of five minutes
  kSends = 2,   // messages, in slots of an hour
};
constexpr int64_t SlotMsOf(Counted what) {
  return what == Counted::kStarts ? 5 * kMinuteMs : kHourMs;
}

struct Window {
  int64_t ms = kDayMs;  // a whole number of slots, at most a day
  int64_t most = 0;     // 0: there is no limit
};

// Of one thing that is counted; empty slots take no room.
class WindowCounts {
 public:
  explicit WindowCounts(int64_t slot_ms) : slot_ms_(slot_ms) {}

  // Counts one, and says in which slot. A clock that was set back counts in the latest, so that nothing is
  // forgotten by it.
  int64_t Add(int64_t now_ms);
  void AddTo(int64_t slot);   // one more of that slot
  void Remove(int64_t slot);  // one of that slot less
  void Merge(const WindowCounts& other);
  int64_t Sum(int64_t now_ms, int64_t window_ms) const;
  // For how long the window leaves no room for one more, if nothing is added; 0: there is room.
  int64_t WaitFor(int64_t now_ms, const Window& window) const;
  void Drop(int64_t now_ms);  // what is older than a day
  int64_t LastMs() const;     // the beginning of the latest slot; 0: there is none

  void Append(std::string* out) const;
  [[nodiscard]] bool Take(std::string_view* from);

 private:
  struct Slot {
    int64_t number;
    int64_t count;
  };
  int64_t SlotAt(int64_t ms) const { return ms / slot_ms_; }

  int64_t slot_ms_;
  std::vector<Slot> slots_;  // oldest first
};

}  // namespace parley::accounts
