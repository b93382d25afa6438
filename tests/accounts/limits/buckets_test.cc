#include "accounts/limits/buckets.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace parley::accounts {
namespace {

constexpr Rate kPairRates[] = {{20, kMinuteMs, 40}};
constexpr Rate kRequests[] = {{20, kSecondMs, 20}, {900, 5 * kMinuteMs, 900}};

int Through(Bucket& bucket, std::span<const Rate> rates, int64_t now_ms, int tries) {
  int out = 0;
  for (int i = 0; i < tries; ++i) out += bucket.Take(rates, now_ms).allowed;
  return out;
}

TEST(Buckets, each_key_has_its_own_bucket) {
  Buckets buckets(10);
  EXPECT_EQ(Through(*buckets.At("a/b", 0), kPairRates, 0, 50), 40);
  EXPECT_EQ(Through(*buckets.At("a/b", 0), kPairRates, 0, 50), 0);
  EXPECT_EQ(Through(*buckets.At("a/c", 0), kPairRates, 0, 50), 40);
}

TEST(Buckets, both_rates_apply) {
  Bucket bucket;
  int through = 0;
  int64_t now = 0;
  for (; now < 44 * kSecondMs; now += kSecondMs) through += Through(bucket, kRequests, now, 20);
  EXPECT_EQ(through, 44 * 20);  // 900 and the tokens added since then are not used up before
  EXPECT_EQ(Through(bucket, kRequests, now, 40), 20);
  const Verdict refused = bucket.Take(kRequests, now);
  EXPECT_EQ(refused.limit, 20);
  EXPECT_EQ(refused.retry_after_ms, 50);
  for (; bucket.Ask(kRequests, now).limit == 20; now += kSecondMs) Through(bucket, kRequests, now, 20);
  const int64_t before = bucket.Ask(kRequests, now).remaining;
  EXPECT_LT(before, 20);
  EXPECT_EQ(Through(bucket, kRequests, now, 50), before);
  EXPECT_EQ(bucket.Take(kRequests, now).limit, 900);
  EXPECT_EQ(bucket.Take(kRequests, now + 1000).allowed, true);
}

TEST(Buckets, a_refusal_by_one_rate_uses_up_nothing_of_the_other) {
  Bucket bucket;
  EXPECT_EQ(Through(bucket, kRequests, 0, 500), 20);
  const Rate only_the_other[] = {{}, kRequests[1]};
  EXPECT_EQ(bucket.Ask(only_the_other, 0).remaining, 880);
}

TEST(Buckets, a_full_bucket_is_evicted) {
  Buckets buckets(1000);
  for (int i = 0; i < 100; ++i) buckets.At("k" + std::to_string(i), 0)->Take(kPairRates, 0);
  EXPECT_EQ(buckets.size(), 100u);
  const int64_t later = 3000;  // one token was added
  for (int i = 0; i < 100; ++i) buckets.At("l" + std::to_string(i), later)->Take(kPairRates, later);
  EXPECT_LE(buckets.size(), 102u);
  EXPECT_EQ(buckets.evicted(), 0u);
}

TEST(Buckets, a_bucket_in_debt_is_kept_while_there_is_room) {
  Buckets buckets(1000);
  Through(*buckets.At("debtor", 0), kPairRates, 0, 40);
  for (int i = 0; i < 900; ++i) buckets.At("k" + std::to_string(i), 10)->Take(kPairRates, 10);
  EXPECT_FALSE(buckets.At("debtor", 10)->Take(kPairRates, 10).allowed);
}

TEST(Buckets, a_million_addresses_use_no_more_memory_than_allotted) {
  Buckets buckets(1000);
  for (int i = 0; i < 1'000'000; ++i) {
    buckets.At("2001:db8:" + std::to_string(i) + "::/64", 0)->Take(kPairRates, 0);
    if (i % 10'000 == 0) {
      ASSERT_LE(buckets.size(), 1000u);
    }
  }
  EXPECT_EQ(buckets.size(), 1000u);
  EXPECT_EQ(buckets.evicted(), 999'000u);
}

TEST(Buckets, an_active_key_is_kept_while_others_come_and_go) {
  Buckets buckets(100);
  Through(*buckets.At("busy", 0), kPairRates, 0, 40);
  for (int i = 0; i < 100'000; ++i) {
    buckets.At("k" + std::to_string(i), 0)->Take(kPairRates, 0);
    if (i % 50 == 0) {
      ASSERT_FALSE(buckets.At("busy", 0)->Take(kPairRates, 0).allowed);
    }
  }
}

TEST(Buckets, a_bucket_referenced_by_a_session_is_never_reused) {
  Buckets buckets(10);
  const BucketPtr kept = buckets.At("kept", 0);
  Through(*kept, kPairRates, 0, 40);
  for (int i = 0; i < 1000; ++i) {
    buckets.At("k" + std::to_string(i), 0)->Take(kPairRates, 0);
    ASSERT_LE(buckets.size(), 11u);
  }
  EXPECT_EQ(buckets.At("kept", 0), kept);
}

TEST(Buckets, many_threads_get_exactly_as_much_as_one) {
  Buckets buckets(10);
  std::atomic<int> through = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) through += buckets.At("user", 0)->Take(kRequests, 0).allowed;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(through, 20);
}

}  // namespace
}  // namespace parley::accounts
