// An author's strikes in a thread: findings in their texts add up, wear off, and decide about the next text.
// Pure functions of the row and the time.
//
//   score < 3    a nudge; the same soft kind again within 6 hours is rejected
//   3 to 6       30 to 60 s of rest in this thread, and no links for a day
//   6, or again within a day of the last rest: no text of theirs is accepted in this thread for a day
//
// The strikes in the author's other threads count, too: sending a text to ten people adds up as fast as
// sending it ten times to one.
#pragma once

#include <optional>

#include "protocol/base/result.h"
#include "threads/judge/judge_rows.h"

namespace parley::threads {

struct StrikeRules {
  int64_t rest_at = 3, stop_at = 6;                   // points
  int64_t rest_ms = 30'000, rest_ms_max = 60'000;     // length of a rest
  int64_t soft_window_ms = int64_t{6} * 3600 * 1000;  // a second soft text within it is rejected
  int64_t again_ms = int64_t{24} * 3600 * 1000;       // a second rest within it is a stop
  int64_t stop_ms = int64_t{24} * 3600 * 1000;        // length of a stop
  int64_t wear_ms = int64_t{12} * 3600 * 1000;        // time in which a point wears off
  // A row that was not written for this long may be removed.
  int64_t worn_ms = int64_t{30} * 24 * 3600 * 1000;
};

// The weight of one text.
struct Found {
  int64_t points = 0;
  bool block = false, soft = false;
};

// Returns thousandths of a point.
int64_t ScoreOf(const StrikesRow& row, Time now, const StrikeRules& rules);
// Returns whole points, rounded up, as people see them.
int64_t PointsOf(const StrikesRow& row, Time now, const StrikeRules& rules);
// Whether the row has no effect any more and can be removed. That takes long enough after its last write that
// no other executor is about to write it.
bool IsWorn(const StrikesRow& row, Time now, const StrikeRules& rules);
// Whether the author may send no links.
bool HasNoLinks(const StrikesRow& row, Time now, const StrikeRules& rules);
// RATE_LIMITED during a rest, SAFETY_SOFT_BLOCK during a stop, with the time to wait.
protocol::Status MayWriteNow(const StrikesRow& row, Time now);

struct Climbed {
  StrikesRow row;
  bool refused = false;  // the text is rejected
  bool stopped = false;  // this text led to the stop
};
// `elsewhere`: the score of the author's other threads, in thousandths.
Climbed Climb(StrikesRow row, const Found& found, int64_t elsewhere, Time now, const StrikeRules& rules);

}  // namespace parley::threads
