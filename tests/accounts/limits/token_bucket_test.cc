#include "accounts/limits/token_bucket.h"

#include <gtest/gtest.h>

#include <random>

namespace parley::accounts {
namespace {

constexpr Rate kPair{20, kMinuteMs, 40};

class Dice {
 public:
  explicit Dice(uint32_t seed) : random_(seed) {}
  int64_t UpTo(int64_t most) { return std::uniform_int_distribution<int64_t>(1, most)(random_); }

 private:
  std::mt19937 random_;
};

// How many of `tries` succeed at this moment.
int Through(TokenBucket* bucket, const Rate& rate, int64_t now_ms, int tries) {
  int out = 0;
  for (int i = 0; i < tries; ++i) out += bucket->Take(rate, now_ms).allowed;
  return out;
}

TEST(TokenBucket, the_41st_of_a_quick_row_is_refused_with_a_time_to_retry) {
  TokenBucket bucket;
  EXPECT_EQ(Through(&bucket, kPair, 100, 40), 40);
  const Verdict refused = bucket.Take(kPair, 100);
  EXPECT_FALSE(refused.allowed);
  EXPECT_EQ(refused.limit, 40);
  EXPECT_EQ(refused.remaining, 0);
  EXPECT_EQ(refused.retry_after_ms, 3000);
  EXPECT_EQ(refused.reset_ms, 120'000);
  EXPECT_FALSE(bucket.Take(kPair, 100 + 2999).allowed);
  EXPECT_TRUE(bucket.Take(kPair, 100 + 3000).allowed);
  EXPECT_FALSE(bucket.Take(kPair, 100 + 3000).allowed);
}

TEST(TokenBucket, the_reported_remainder_can_be_taken) {
  TokenBucket bucket;
  Through(&bucket, kPair, 0, 37);
  EXPECT_EQ(bucket.Ask(kPair, 0).remaining, 3);
  EXPECT_EQ(Through(&bucket, kPair, 0, 10), 3);
}

TEST(TokenBucket, never_contains_more_than_its_burst) {
  TokenBucket bucket;
  Through(&bucket, kPair, 0, 40);
  EXPECT_EQ(Through(&bucket, kPair, 100 * kDayMs, 100), 40);
}

// Seven in a minute is a token every 8571.43 ms. Frequent calls must not lose the fractions.
TEST(TokenBucket, frequent_calls_lose_nothing) {
  const Rate seven{7, kMinuteMs, 2};
  TokenBucket bucket;
  int through = 0;
  for (int64_t now = 0; now <= kHourMs; ++now) through += bucket.Take(seven, now).allowed;
  EXPECT_EQ(through, 2 + 7 * 60);
}

TEST(TokenBucket, in_any_span_at_most_the_burst_and_the_refill_succeed) {
  Dice dice(7);
  for (int round = 0; round < 50; ++round) {
    const Rate rate{dice.UpTo(50), dice.UpTo(5000), dice.UpTo(60)};
    TokenBucket bucket;
    int64_t now = 0, taken = 0;
    for (int i = 0; i < 2000; ++i) {
      now += dice.UpTo(100) - 1;
      taken += bucket.Take(rate, now).allowed;
      ASSERT_LE(taken * rate.per_ms, rate.burst * rate.per_ms + now * rate.count);
    }
  }
}

TEST(TokenBucket, waiting_as_long_as_reported_succeeds_and_less_does_not) {
  Dice dice(8);
  for (int round = 0; round < 500; ++round) {
    const Rate rate{dice.UpTo(50), dice.UpTo(100'000), dice.UpTo(20)};
    TokenBucket bucket;
    Verdict verdict;
    while ((verdict = bucket.Take(rate, 5)).allowed) {
    }
    ASSERT_FALSE(bucket.Take(rate, 5 + verdict.retry_after_ms - 1).allowed);
    ASSERT_TRUE(bucket.Take(rate, 5 + verdict.retry_after_ms).allowed);
  }
}

TEST(TokenBucket, a_returned_token_can_be_taken_again_once) {
  TokenBucket bucket;
  Through(&bucket, kPair, 0, 40);
  bucket.GiveBack(kPair, 0);
  EXPECT_EQ(Through(&bucket, kPair, 0, 5), 1);
  TokenBucket fresh;
  fresh.GiveBack(kPair, 0);
  EXPECT_EQ(Through(&fresh, kPair, 0, 50), 40);
}

TEST(TokenBucket, a_fine_takes_the_remaining_tokens_and_leaves_no_debt) {
  TokenBucket bucket;
  bucket.Fine(kPair, 0, 1000);
  const Verdict refused = bucket.Take(kPair, 0);
  EXPECT_FALSE(refused.allowed);
  EXPECT_EQ(refused.retry_after_ms, 3000);
}

TEST(TokenBucket, a_changed_setting_applies_at_once) {
  TokenBucket bucket;
  Through(&bucket, kPair, 0, 40);
  const Rate less{10, kMinuteMs, 10}, more{20, kMinuteMs, 60};
  EXPECT_EQ(Through(&bucket, more, 0, 100), 20);
  EXPECT_EQ(bucket.Take(less, 0).retry_after_ms, 6000);
}

TEST(TokenBucket, a_clock_that_steps_back_adds_nothing) {
  TokenBucket bucket;
  Through(&bucket, kPair, 1'000'000, 40);
  EXPECT_FALSE(bucket.Take(kPair, 0).allowed);
  EXPECT_FALSE(bucket.Take(kPair, 1'000'000).allowed);
}

TEST(TokenBucket, the_largest_rates_do_not_overflow) {
  const Rate large{1'000'000, kDayMs, 1'000'000};
  TokenBucket bucket;
  bucket.Fine(large, 0, 1'000'000);
  EXPECT_EQ(bucket.Take(large, 0).reset_ms, kDayMs);
  EXPECT_TRUE(bucket.Take(large, INT64_MAX / 2).allowed);
}

TEST(TokenBucket, without_a_rate_there_is_no_limit) {
  TokenBucket bucket;
  EXPECT_EQ(Through(&bucket, {}, 0, 1000), 1000);
  EXPECT_EQ(bucket.Take({}, 0).limit, 0);
}

}  // namespace
}  // namespace parley::accounts
