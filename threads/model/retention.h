// The retention of each kind of row in the store: how long it is kept, and what removes it. `parleyd
// --retention` prints this table as docs/retention.md; tests compare the two, and check the table against the
// key tags.
//
// The clock finds old rows in rounds: from time to time it walks all rows of the kind in one thread, in
// slices (engine/forget.h). Rounds cost nothing when a row is written, need no order of time among the rows,
// and find rows of any age and version. A round reads each row once, and a row lives for only a few rounds,
// so the reading stays in proportion to the removals.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/key_tags.h"
#include "threads/model/rows.h"

namespace parley::threads {

inline constexpr int64_t kHourMs = 3'600'000, kDayMs = 24 * kHourMs;

// A thread keeps the LOG# rows of its last kKeptChanges changes; older ones are removed
// kChangesSweptTogether at a time.
inline constexpr int64_t kKeptChanges = 10'000;
inline constexpr int64_t kChangesSweptTogether = 1'000;
// Whether there are enough old LOG# rows to sweep.
bool IsLogLong(const ThreadRow& head);

// Rows of one kind in a thread that are kept for a limited time.
struct Round {
  storage::ThreadTag tag;
  protocol::Omit<Time> ThreadRow::Private::*due;  // when the next round begins; null: there is no such row
  int64_t keep_ms;
  int64_t every_ms;                             // from the end of a round to the next
  std::optional<storage::ThreadTag> also = {};  // rows of another kind that are removed with these
  // The time of the first round after a row is written.
  Time FirstAfter(Time now) const { return {now.ms + keep_ms + every_ms}; }
};
inline constexpr Round kAnswerRound{storage::ThreadTag::kIdempotency, &ThreadRow::Private::forget_due_at,
                                    kIdempotencyTtlMs, 12 * kHourMs};
inline constexpr Round kHistoryRound{storage::ThreadTag::kHistory, &ThreadRow::Private::history_due_at,
                                     180 * kDayMs, 30 * kDayMs, storage::ThreadTag::kOriginal};
inline constexpr Round kEventRound{storage::ThreadTag::kExternalEvent, &ThreadRow::Private::events_due_at,
                                   90 * kDayMs, 30 * kDayMs};
inline constexpr const Round* kRounds[] = {&kAnswerRound, &kHistoryRound, &kEventRound};

// The time when the clock must next remove rows from the thread; nullopt if there are none to remove.
std::optional<Time> NextForgetting(const ThreadRow& head);

// The limit of edits of a message, which bounds the history of one message. Staff have the same number of
// edits in addition, so that no author can make a message unchangeable by editing it.
inline constexpr int64_t kMaxEdits = 100;

struct Retention {
  storage::TableTag table;
  uint8_t tag;  // the sort key's tag; 0: all rows of the table
  std::string_view row;
  std::string_view kept;
  std::string_view taken_away_by;
};
inline constexpr std::string_view kNoRemover = "nothing";
constexpr Retention RetentionOf(storage::UserTag tag, std::string_view row, std::string_view kept,
                                std::string_view by) {
  return {storage::TableTag::kUsers, static_cast<uint8_t>(tag), row, kept, by};
}
// Adds those of the core and of the derived tables to those of features, ordered by table.
std::vector<Retention> WithCore(std::vector<Retention> of_features);
std::string RetentionManual(std::span<const Retention> all);  // Markdown

}  // namespace parley::threads
