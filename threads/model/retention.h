// How long rows are kept, for every kind of row that the store knows, and who takes them away.
// docs/retention.md is printed from this table (`parleyd --retention`); tests compare the two, and the table
// with the key tags.
//
// Rows that grow too old are found in rounds: now and then the clock walks all rows of the kind in one
// thread, in slices (forget.h). A round costs nothing when a row is written, needs no order of time among the
// rows, and finds rows of any age and of any version. A row is looked at once a round, and there are few
// rounds in its life, so what is read stays in proportion to what is forgotten.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "storage/key_tags.h"
#include "threads/model/rows.h"

namespace parley::threads {

inline constexpr int64_t kHourMs = 3'600'000, kDayMs = 24 * kHourMs;

// Of a thread's LOG# rows those of the last so many changes are kept, and they are taken away by so many.
inline constexpr int64_t kKeptChanges = 10'000;
inline constexpr int64_t kChangesSweptTogether = 1'000;
// Whether LOG# rows wait to be taken away.
bool IsLogLong(const ThreadRow& head);

// Rows of one kind in a thread that are kept for a time.
struct Round {
  storage::ThreadTag tag;
  protocol::Omit<Time> ThreadRow::Private::*due;  // when the next round begins; null: there is no such row
  int64_t keep_ms;
  int64_t every_ms;  // from the end of a round to the next
  // The first such row was written.
  Time FirstAfter(Time now) const { return {now.ms + keep_ms + every_ms}; }
};
inline constexpr Round kAnswerRound{storage::ThreadTag::kIdempotency, &ThreadRow::Private::forget_due_at,
                                    kIdempotencyTtlMs, 12 * kHourMs};
inline constexpr Round kHistoryRound{storage::ThreadTag::kHistory, &ThreadRow::Private::history_due_at,
                                     180 * kDayMs, 30 * kDayMs};
inline constexpr Round kEventRound{storage::ThreadTag::kExternalEvent, &ThreadRow::Private::events_due_at,
                                   90 * kDayMs, 30 * kDayMs};
inline constexpr const Round* kRounds[] = {&kAnswerRound, &kHistoryRound, &kEventRound};

// When the clock has to take something away in the thread; nullopt: never, as it stands.
std::optional<Time> NextForgetting(const ThreadRow& head);

// How often a message may be edited, so that what is kept of one message is bounded. Staff may do so as often
// again, so that nobody makes a message unchangeable by changing it.
inline constexpr int64_t kMaxEdits = 100;

struct Retention {
  storage::TableTag table;
  uint8_t tag;  // of the sort key; 0: all rows of the table
  std::string_view row;
  std::string_view kept;
  std::string_view taken_away_by;
};
std::span<const Retention> Retentions();
std::string RetentionManual();  // Markdown

}  // namespace parley::threads
