// An author's strikes in a thread: what was found in their texts adds up, wears off, and decides what happens
// to the next. Pure functions of the row and the time.
//
//   score < 3    a nudge; the same soft kind again within 6 hours is refused
//   3 to 6       30 to 60 s of rest in this thread, and no links for a day
//   6, or again within a day of the last rest: nothing of theirs is taken in this thread for a day
//
// What the author's other threads add up to counts with it: whoever writes the same to ten people climbs as
// fast as whoever writes it ten times to one.
#pragma once

#include <optional>

#include "protocol/base/result.h"
#include "threads/judge/judge_rows.h"

namespace parley::threads {

struct StrikeRules {
  int64_t rest_at = 3, stop_at = 6;                   // points
  int64_t rest_ms = 30'000, rest_ms_max = 60'000;     // how long one rests
  int64_t soft_window_ms = int64_t{6} * 3600 * 1000;  // a second soft text within it is refused
  int64_t again_ms = int64_t{24} * 3600 * 1000;       // a second rest within it is a stop
  int64_t stop_ms = int64_t{24} * 3600 * 1000;        // how long
  int64_t wear_ms = int64_t{12} * 3600 * 1000;        // in which a point wears off
  int64_t worn_ms = int64_t{30} * 24 * 3600 * 1000;   // a row that was not written for so long may go
};

// What one text adds.
struct Found {
  int64_t points = 0;
  bool block = false, soft = false;
};

// In thousandths of a point.
int64_t ScoreOf(const StrikesRow& row, Time now, const StrikeRules& rules);
// In whole points, rounded up: what people are shown.
int64_t PointsOf(const StrikesRow& row, Time now, const StrikeRules& rules);
// Whether it says nothing any more, nor will: its row can go. Long after it could have been written last, so
// that no other executor is about to write it.
bool IsWorn(const StrikesRow& row, Time now, const StrikeRules& rules);
// Whether links are off.
bool HasNoLinks(const StrikesRow& row, Time now, const StrikeRules& rules);
// RATE_LIMITED while the author rests, SAFETY_SOFT_BLOCK while they are stopped, with the time to wait.
protocol::Status MayWriteNow(const StrikesRow& row, Time now);

struct Climbed {
  StrikesRow row;
  bool refused = false;  // the text is not taken
  bool stopped = false;  // this text led to the stop
};
// `elsewhere`: the score of the author's other threads, in thousandths.
Climbed Climb(StrikesRow row, const Found& found, int64_t elsewhere, Time now, const StrikeRules& rules);

}  // namespace parley::threads
