// Recent counts by slots of time: an hour has twelve of five minutes, a day 24 of an hour or 288 of five
// minutes. A window is the present slot and those before it, so that the window of an hour moves on every
// five minutes. A level, such as the number of incomplete uploads, is one slot that does not end.
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
  // 3 is taken by the place of a row (quota_row.cc).
  kUploads = 4,      // uploads begun, in slots of an hour
  kUploadBytes = 5,  // their sizes, in slots of an hour
  kOpenUploads = 6,  // incomplete uploads: a level
  kStoredBytes = 7,  // sizes of files: a level
};
inline constexpr Counted kAllCounted[] = {Counted::kStarts,      Counted::kSends,
                                          Counted::kUploads,     Counted::kUploadBytes,
                                          Counted::kOpenUploads, Counted::kStoredBytes};
inline constexpr int64_t kForeverMs = INT64_MAX;  // the slot and the window of a level

constexpr int64_t SlotMsOf(Counted what) {
  if (what == Counted::kStarts) return 5 * kMinuteMs;
  return what == Counted::kOpenUploads || what == Counted::kStoredBytes ? kForeverMs : kHourMs;
}
// Counts of this kind are given back. One of several rows that share a count may then be negative.
constexpr bool IsGivenBack(Counted what) {
  return what >= Counted::kUploadBytes;
}

struct Window {
  int64_t ms = kDayMs;  // a whole number of slots, at most a day; kForeverMs: of a level
  int64_t most = 0;     // 0: no limit
};

// The counts of one kind; empty slots take no room.
class WindowCounts {
 public:
  explicit WindowCounts(Counted what) : slot_ms_(SlotMsOf(what)), is_given_back_(IsGivenBack(what)) {}

  // Counts `amount` and returns its slot. After a clock was set back it counts in the latest slot, so that no
  // count is lost.
  int64_t Add(int64_t now_ms, int64_t amount = 1);
  void AddTo(int64_t slot, int64_t amount = 1);
  void Remove(int64_t slot, int64_t amount = 1);  // reverts AddTo
  void Merge(const WindowCounts& other);
  int64_t Sum(int64_t now_ms, int64_t window_ms) const;
  // The time until the window has room for `amount` more, without further counts; 0: it has room.
  int64_t WaitFor(int64_t now_ms, const Window& window, int64_t amount = 1) const;
  void Drop(int64_t now_ms);  // counts older than a day
  int64_t LastMs() const;     // the beginning of the latest slot; 0: no slots
  int64_t SlotAt(int64_t ms) const { return ms / slot_ms_; }
  bool Keeps(int64_t slot, int64_t now_ms) const { return slot >= OldestAt(now_ms); }  // or Drop removes it
  bool empty() const { return slots_.empty(); }

  void Append(std::string* out) const;
  [[nodiscard]] bool Take(std::string_view* from);

 private:
  struct Slot {
    int64_t number;
    int64_t count;
  };
  int64_t OldestAt(int64_t now_ms) const { return SlotAt(now_ms) - (kDayMs - 1) / slot_ms_; }

  int64_t slot_ms_;
  bool is_given_back_;
  std::vector<Slot> slots_;  // oldest first
};

}  // namespace parley::accounts
