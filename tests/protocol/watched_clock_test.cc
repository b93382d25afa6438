// Decides by the time since boot whether to trust the wall clock.
#include "protocol/base/watched_clock.h"

#include <gtest/gtest.h>

namespace parley::protocol {
namespace {

constexpr int64_t kMinuteMs = 60'000, kHourMs = 60 * kMinuteMs;
constexpr int64_t kMaxMs = 5 * kMinuteMs;

class HandClock final : public Clock {
 public:
  Time Now() const override { return {wall_ms}; }
  int64_t MonotonicMs() const override { return monotonic_ms; }
  int64_t BootMs() const override { return boot_ms; }
  void Pass(int64_t ms) {
    Suspend(ms);
    monotonic_ms += ms;
  }
  void Suspend(int64_t ms) {
    wall_ms += ms;
    boot_ms += ms;
  }
  int64_t wall_ms = 1'762'351'927'123, monotonic_ms = 5'000, boot_ms = 7'000;
};

class WatchedClockTest : public testing::Test {
 protected:
  int64_t LagMs() { return watched_.Now().ms - watched_.Kept().ms; }
  HandClock clock_;
  WatchedClock watched_{clock_, kMaxMs};
};

TEST_F(WatchedClockTest, passing_time_and_a_suspended_host_are_not_steps) {
  clock_.Pass(3 * 24 * kHourMs);
  EXPECT_EQ(watched_.AheadMs(), 0);
  clock_.Suspend(30 * 24 * kHourMs);
  EXPECT_EQ(watched_.AheadMs(), 0);
  EXPECT_EQ(LagMs(), 0);
}

TEST_F(WatchedClockTest, a_step_ahead_is_accepted_up_to_the_limit) {
  clock_.wall_ms += kMaxMs;
  EXPECT_EQ(watched_.AheadMs(), 0);
  clock_.wall_ms += 1;
  EXPECT_EQ(watched_.AheadMs(), kMaxMs + 1);
  clock_.wall_ms -= 1;
  EXPECT_EQ(watched_.AheadMs(), 0) << "it went back";
}

TEST_F(WatchedClockTest, several_steps_add_up) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(watched_.AheadMs(), 0);
    clock_.wall_ms += 2 * kMinuteMs;
    clock_.Pass(1000);
  }
  EXPECT_GT(watched_.AheadMs(), kMaxMs);
}

TEST_F(WatchedClockTest, a_doubt_does_not_end_by_itself) {
  clock_.wall_ms += 2 * kMaxMs;
  for (int i = 0; i < 100; ++i) {
    clock_.Pass(24 * kHourMs);
    EXPECT_EQ(watched_.AheadMs(), 2 * kMaxMs);
  }
}

TEST_F(WatchedClockTest, a_confirmed_time_is_accepted_from_then_on) {
  EXPECT_FALSE(watched_.Confirm());
  clock_.wall_ms += 2 * kMaxMs;
  EXPECT_TRUE(watched_.Confirm());
  EXPECT_EQ(watched_.AheadMs(), 0);
  clock_.wall_ms += kMaxMs + 1;
  EXPECT_EQ(watched_.AheadMs(), kMaxMs + 1);
}

TEST_F(WatchedClockTest, a_step_back_is_accepted_and_so_is_the_return) {
  clock_.wall_ms -= 3 * kHourMs;
  EXPECT_EQ(watched_.AheadMs(), 0);
  clock_.Pass(1000);
  clock_.wall_ms += 3 * kHourMs;
  EXPECT_EQ(watched_.AheadMs(), 0);
}

TEST_F(WatchedClockTest, drift_is_followed) {
  for (int i = 0; i < 24 * 365; ++i) {
    clock_.Pass(kHourMs);
    clock_.wall_ms += 360;  // a hundred parts in a million
    ASSERT_EQ(watched_.AheadMs(), 0);
  }
}

TEST_F(WatchedClockTest, retention_is_measured_by_both_clocks) {
  const Time made = watched_.Now();
  clock_.wall_ms += 25 * kHourMs;
  watched_.Confirm();
  EXPECT_EQ(watched_.Kept(), made);
  clock_.Pass(kStepKeptMs - 1);
  EXPECT_EQ(LagMs(), 25 * kHourMs);
  clock_.Pass(1);
  EXPECT_EQ(LagMs(), 0) << "what was made before the step is old by both clocks now";
}

TEST_F(WatchedClockTest, memory_is_bounded_for_any_number_of_steps) {
  for (int i = 0; i < 1000; ++i) {
    clock_.wall_ms += 2000;
    watched_.Confirm();
  }
  EXPECT_EQ(LagMs(), 1000 * 2000);
}

TEST(SystemClockTest, the_time_since_boot_includes_the_monotonic_clock) {
  const SystemClock clock;
  const int64_t before = clock.MonotonicMs();
  EXPECT_GE(clock.BootMs(), before);
}

}  // namespace
}  // namespace parley::protocol
