#include "accounts/limits/window_counts.h"

#include <gtest/gtest.h>

namespace parley::accounts {
namespace {

constexpr int64_t kMonday = 20'000 * kDayMs;  // at midnight
constexpr int64_t kSlot = SlotMsOf(Counted::kStarts);

TEST(WindowCounts, a_window_is_the_current_slot_and_those_before_it) {
  WindowCounts counts(Counted::kStarts);
  counts.Add(kMonday);
  counts.Add(kMonday + kSlot - 1);
  counts.Add(kMonday + kSlot);
  EXPECT_EQ(counts.Sum(kMonday + kHourMs - 1, kHourMs), 3);
  EXPECT_EQ(counts.Sum(kMonday + kHourMs, kHourMs), 1);
  EXPECT_EQ(counts.Sum(kMonday + kHourMs + kSlot, kHourMs), 0);
  EXPECT_EQ(counts.Sum(kMonday + kDayMs - 1, kDayMs), 3);
  EXPECT_EQ(counts.Sum(kMonday + kDayMs, kDayMs), 1);
}

TEST(WindowCounts, a_full_one_returns_the_time_until_it_has_room) {
  WindowCounts counts(Counted::kStarts);
  const Window hour{kHourMs, 3};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(counts.WaitFor(kMonday + i * kSlot, hour), 0);
    counts.Add(kMonday + i * kSlot);
  }
  const int64_t now = kMonday + 2 * kSlot + 17;
  const int64_t wait = counts.WaitFor(now, hour);
  EXPECT_EQ(now + wait, kMonday + kHourMs);
  EXPECT_GT(counts.WaitFor(now + wait - 1, hour), 0);
  EXPECT_EQ(counts.WaitFor(now + wait, hour), 0);
}

TEST(WindowCounts, after_a_limit_was_lowered_waits_until_enough_has_expired) {
  WindowCounts counts(Counted::kStarts);
  for (int i = 0; i < 5; ++i) counts.Add(kMonday + i * kSlot);
  EXPECT_EQ(counts.WaitFor(kMonday + 4 * kSlot, {kHourMs, 2}), 3 * kSlot + kHourMs - 4 * kSlot);
}

TEST(WindowCounts, without_a_limit_there_is_always_room) {
  WindowCounts counts(Counted::kStarts);
  for (int i = 0; i < 100; ++i) counts.Add(kMonday);
  EXPECT_EQ(counts.WaitFor(kMonday, {kHourMs, 0}), 0);
}

TEST(WindowCounts, a_clock_set_back_discards_nothing) {
  WindowCounts counts(Counted::kStarts);
  counts.Add(kMonday + kHourMs);
  counts.Add(kMonday);
  EXPECT_EQ(counts.Sum(kMonday, kHourMs), 2);
  EXPECT_EQ(counts.Sum(kMonday + 2 * kHourMs - 1, kHourMs), 2);
}

TEST(WindowCounts, a_removal_is_taken_from_its_own_slot) {
  WindowCounts counts(Counted::kStarts);
  const int64_t first = counts.Add(kMonday);
  counts.Add(kMonday + kSlot);
  counts.Remove(first);
  EXPECT_EQ(counts.Sum(kMonday + kSlot, kHourMs), 1);
  EXPECT_EQ(counts.Sum(kMonday + kHourMs, kHourMs), 1);
}

TEST(WindowCounts, after_a_day_nothing_remains) {
  WindowCounts counts(Counted::kStarts);
  for (int i = 0; i < 1000; ++i) counts.Add(kMonday + i * kSlot);
  counts.Drop(kMonday + 999 * kSlot);
  std::string bytes;
  counts.Append(&bytes);
  EXPECT_LE(bytes.size(), 2 + 288 * 2 + 8);
  EXPECT_EQ(counts.Sum(kMonday + 999 * kSlot, kDayMs), 288);
}

TEST(WindowCounts, amounts_fill_a_window_to_its_last_unit) {
  WindowCounts counts(Counted::kUploadBytes);
  const Window day{kDayMs, 1000};
  counts.Add(kMonday, 600);
  EXPECT_EQ(counts.WaitFor(kMonday, day, 400), 0);
  EXPECT_EQ(counts.WaitFor(kMonday, day, 401), kDayMs);
  EXPECT_EQ(counts.WaitFor(kMonday, day, 1001), kDayMs) << "it never fits";
}

TEST(WindowCounts, an_amount_is_given_back_to_the_time_when_it_was_counted) {
  WindowCounts counts(Counted::kUploadBytes);
  counts.Add(kMonday, 600);
  counts.Add(kMonday + kHourMs, 30);
  counts.AddTo(counts.SlotAt(kMonday + kHourMs - 1), -600);
  EXPECT_EQ(counts.Sum(kMonday + kHourMs, kDayMs), 30);
  EXPECT_EQ(counts.Sum(kMonday + kDayMs, kDayMs), 30);
}

TEST(WindowCounts, a_level_keeps_its_sum_and_has_no_time) {
  WindowCounts counts(Counted::kStoredBytes);
  counts.Add(kMonday, 600);
  counts.Add(kMonday + 400 * kDayMs, 30);
  counts.Drop(kMonday + 800 * kDayMs);
  EXPECT_EQ(counts.Sum(kMonday + 800 * kDayMs, kForeverMs), 630);
  EXPECT_EQ(counts.LastMs(), 0);
  EXPECT_EQ(counts.WaitFor(kMonday, {kForeverMs, 700}, 70), 0);
  EXPECT_GT(counts.WaitFor(kMonday, {kForeverMs, 700}, 71), 0);
  counts.AddTo(0, -630);
  EXPECT_TRUE(counts.empty());
}

TEST(WindowCounts, negative_counts_are_read_as_they_were_written) {
  for (const int64_t count : {int64_t{-1}, int64_t{1}, int64_t{-64}, int64_t{1} << 50, -(int64_t{1} << 50)}) {
    WindowCounts counts(Counted::kStoredBytes), again(Counted::kStoredBytes);
    counts.AddTo(0, count);
    std::string bytes;
    counts.Append(&bytes);
    std::string_view rest = bytes;
    ASSERT_TRUE(again.Take(&rest));
    EXPECT_EQ(again.Sum(0, kForeverMs), count);
    EXPECT_TRUE(rest.empty());
  }
}

}  // namespace
}  // namespace parley::accounts
