// Recent counts by slots of time: an hour has twelve of five minutes, a day 24 of an hour or 288 of five
// minutes. A window is the present slot and those before it, so that the window of an hour moves on every
// five minutes.
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

// The counted kinds. The numbers are on disk: never reuse one.
enum class Counted : uint8_t {
  kStarts = 1,  // threads created and strangers added, in slots of five minutes
  kSends = 2,   // messages, in slots of an hour
};
constexpr int64_t SlotMsOf(Counted what) {
  return what == Counted::kStarts ? 5 * kMinuteMs : kHourMs;
}

struct Window {
  int64_t ms = kDayMs;  // a whole number of slots, at most a day
  int64_t most = 0;     // 0: no limit
};

// The counts of one kind; empty slots take no room.
class WindowCounts {
 public:
  explicit WindowCounts(int64_t slot_ms) : slot_ms_(slot_ms) {}

  // Counts one and returns its slot. After a clock was set back it counts in the latest slot, so that no
  // count is lost.
  int64_t Add(int64_t now_ms);
  void AddTo(int64_t slot);   // adds one to that slot
  void Remove(int64_t slot);  // removes one from that slot
  void Merge(const WindowCounts& other);
  int64_t Sum(int64_t now_ms, int64_t window_ms) const;
  // The time until the window has room for one more, without further counts; 0: it has room.
  int64_t WaitFor(int64_t now_ms, const Window& window) const;
  void Drop(int64_t now_ms);  // counts older than a day
  int64_t LastMs() const;     // the beginning of the latest slot; 0: no slots

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
