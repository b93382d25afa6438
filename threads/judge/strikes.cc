#include "threads/judge/strikes.h"

#include <algorithm>

#include "protocol/base/reason.h"

namespace parley::threads {

int64_t ScoreOf(const StrikesRow& row, Time now, const StrikeRules& rules) {
  const int64_t elapsed = std::clamp<int64_t>(now.ms - row.at.ms, 0, row.milli * rules.wear_ms / 1000 + 1);
  return std::max<int64_t>(0, row.milli - elapsed * 1000 / rules.wear_ms);
}

int64_t PointsOf(const StrikesRow& row, Time now, const StrikeRules& rules) {
  return (ScoreOf(row, now, rules) + 999) / 1000;
}

bool IsWorn(const StrikesRow& row, Time now, const StrikeRules& rules) {
  return now.ms - row.at.ms >= rules.worn_ms && ScoreOf(row, now, rules) == 0;
}

bool HasNoLinks(const StrikesRow& row, Time now, const StrikeRules& rules) {
  return row.rested_at.value && now.ms - row.rested_at.value->ms < rules.again_ms;
}

protocol::Status MayWriteNow(const StrikesRow& row, Time now) {
  using protocol::Error;
  using protocol::Reason;
  if (row.stopped_until.value && now < *row.stopped_until.value) {
    Error error = ErrorFor(Reason::kStrikeStop, "the author broke the text policy repeatedly");
    error.retry_after_ms = row.stopped_until.value->ms - now.ms;
    return error;
  }
  if (row.rests_until.value && now < *row.rests_until.value) {
    Error error = ErrorFor(Reason::kStrikeRest, "the author rests after breaking the text policy");
    error.retry_after_ms = row.rests_until.value->ms - now.ms;
    return error;
  }
  return protocol::Ok();
}

Climbed Climb(StrikesRow row, const Found& found, int64_t elsewhere, Time now, const StrikeRules& rules) {
  Climbed out;
  const bool again_soft = row.soft_at.value && now.ms - row.soft_at.value->ms < rules.soft_window_ms;
  const bool rested = HasNoLinks(row, now, rules);
  row.milli = ScoreOf(row, now, rules) + found.points * 1000;
  row.at = now;
  ++row.finds;
  out.refused = found.block || (found.soft && again_soft);
  if (found.soft && !again_soft) row.soft_at.value = now;
  const int64_t score = row.milli + elsewhere;
  if (score >= rules.stop_at * 1000 || (rested && score >= rules.rest_at * 1000)) {
    row.stopped_until.value = Time{now.ms + rules.stop_ms};
    out.refused = out.stopped = true;
  } else if (score >= rules.rest_at * 1000) {
    const int64_t span = std::max<int64_t>(1, (rules.stop_at - rules.rest_at) * 1000);
    const int64_t above = score - rules.rest_at * 1000;
    row.rests_until.value = Time{now.ms + rules.rest_ms + (rules.rest_ms_max - rules.rest_ms) * above / span};
    row.rested_at.value = now;
  }
  out.row = std::move(row);
  return out;
}

}  // namespace parley::threads
