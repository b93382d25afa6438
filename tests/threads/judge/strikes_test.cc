// Strikes of an author as a pure function of the row, the findings and the time.
#include "threads/judge/strikes.h"

#include <gtest/gtest.h>

namespace parley::threads {
namespace {

constexpr int64_t kSecond = 1000, kHour = 3'600'000;
constexpr Found kBlock{3, true, false}, kSoft{1, false, true}, kContact{1, false, false};

class StrikesTest : public testing::Test {
 protected:
  // Returns "delivered", "refused" or "stopped", and the restrictions of the next text.
  std::string Write(const Found& found, int64_t elsewhere = 0) {
    if (const auto may = MayWriteNow(row_, now_); !may.ok())
      return may.error().code == protocol::ErrorCode::kRateLimited
                 ? "rests " + std::to_string(*may.error().retry_after_ms / kSecond)
                 : "stopped before";
    const Climbed climbed = Climb(row_, found, elsewhere, now_, rules_);
    row_ = climbed.row;
    std::string out = climbed.stopped ? "stopped" : climbed.refused ? "refused" : "delivered";
    if (row_.rests_until.value && now_ < *row_.rests_until.value)
      out += ", rests " + std::to_string((row_.rests_until.value->ms - now_.ms) / kSecond);
    return out;
  }
  void Pass(int64_t ms) { now_.ms += ms; }

  const StrikeRules rules_;
  StrikesRow row_;
  Time now_{1'700'000'000'000};
};

TEST_F(StrikesTest, ASecondSoftTextWithinSixHoursIsRefused) {
  EXPECT_EQ(Write(kSoft), "delivered");
  Pass(6 * kHour - 1);
  EXPECT_EQ(Write(kSoft), "refused");
}

TEST_F(StrikesTest, TheWindowEndsSixHoursAfterTheFirst) {
  EXPECT_EQ(Write(kSoft), "delivered");
  Pass(6 * kHour);
  EXPECT_EQ(Write(kSoft), "delivered");
}

TEST_F(StrikesTest, ThreePointsForbidLinksForAWhileAndSixStopTheAuthor) {
  EXPECT_EQ(Write(kContact), "delivered");
  EXPECT_EQ(Write(kContact), "delivered");
  EXPECT_FALSE(HasNoLinks(row_, now_, rules_));
  EXPECT_EQ(Write(kContact), "delivered, rests 30");
  EXPECT_TRUE(HasNoLinks(row_, now_, rules_));
  EXPECT_EQ(Write(kContact), "rests 30");
  Pass(30 * kSecond);
  EXPECT_EQ(Write(kBlock), "stopped");
  EXPECT_EQ(Write(kContact), "stopped before");
  Pass(24 * kHour);
  EXPECT_NE(Write(kContact), "stopped before");
}

TEST_F(StrikesTest, AHigherScoreForbidsLinksForLonger) {
  EXPECT_EQ(Write({4, true, false}), "refused, rests 40");
  Pass(60 * kHour);
  row_ = {};
  EXPECT_EQ(Write({5, true, false}), "refused, rests 50");
}

TEST_F(StrikesTest, ASecondRestrictionWithinADayStopsTheAuthor) {
  EXPECT_EQ(Write(kBlock), "refused, rests 30");
  Pass(23 * kHour);
  EXPECT_EQ(ScoreOf(row_, now_, rules_), 3000 - 23 * 1000 / 12 - 0) << "nearly two points wore off";
  EXPECT_EQ(Write({2, false, false}), "stopped");
}

TEST_F(StrikesTest, OnePointExpiresEveryTwelveHours) {
  EXPECT_EQ(Write(kBlock), "refused, rests 30");
  Pass(12 * kHour);
  EXPECT_EQ(ScoreOf(row_, now_, rules_), 2000);
  Pass(24 * kHour);
  EXPECT_EQ(ScoreOf(row_, now_, rules_), 0);
  EXPECT_FALSE(HasNoLinks(row_, now_, rules_));
  Pass(1000 * 24 * kHour);
  EXPECT_EQ(ScoreOf(row_, now_, rules_), 0);
  EXPECT_EQ(Write(kBlock), "refused, rests 30") << "as if nothing had been";
}

TEST_F(StrikesTest, PointsOfOtherThreadsCount) {
  EXPECT_EQ(Write(kBlock, 2000), "refused, rests 50");
  row_ = {};
  EXPECT_EQ(Write(kBlock, 3000), "stopped");
}

TEST_F(StrikesTest, AClockSetBackExpiresNothing) {
  EXPECT_EQ(Write(kBlock), "refused, rests 30");
  Pass(-kHour);
  EXPECT_EQ(ScoreOf(row_, now_, rules_), 3000);
}

}  // namespace
}  // namespace parley::threads
