// Requests of subscriptions by the hour, on the real engine.
#include "accounts/limits/hourly_buckets.h"

#include <gtest/gtest.h>

#include "accounts/limits/token_bucket.h"
#include "accounts/records/item_fields.h"
#include "storage/declarations/load.h"
#include "storage/engine/service_rules.h"
#include "tests/storage/engine/item_scene.h"

namespace parley::accounts {
namespace {

using protocol::ErrorCode;
using protocol::TenantId;

const storage::Sealer kSealing = storage::SealerInMemory("scene");

class HourlyBuckets : public testing::TestWithParam<const char*> {
 protected:
  HourlyBuckets() {
    // At the beginning of an hour: 2025-11-05T15:00:00.000Z.
    scene_.clock.Advance(kHourMs - scene_.clock.now_ms % kHourMs);
  }
  storage::MaybeFault DecideOne(storage::ItemTransaction& tx, const std::string& tenant,
                                protocol::Result<int64_t>* out,
                                const std::function<protocol::Result<int64_t>(RecordTransaction&)>& decide) {
    RecordTransaction records(tx, *TenantId::FromText(tenant));
    *out = decide(records);
    const bool wrote = !out->ok() || records.Commit().ok();
    EXPECT_TRUE(wrote);
    return {};
  }
  protocol::Result<int64_t> Count(std::string_view subscription, int64_t count = 1,
                                  const std::string& tenant = "acme") {
    protocol::Result<int64_t> out = 0;
    scene_.Decide([&](storage::ItemTransaction& tx) {
      return DecideOne(tx, tenant, &out, [&](RecordTransaction& records) {
        return CountRequests(records, subscription, count);
      });
    });
    return out;
  }
  // The day's count; or negative: the wait.
  int64_t Within(int64_t most, int64_t count = 1) {
    protocol::Result<int64_t> out = 0;
    scene_.Decide([&](storage::ItemTransaction& tx) {
      return DecideOne(tx, "acme", &out, [&](RecordTransaction& records) {
        return CountRequestsWithin(records, "s", most, count);
      });
    });
    if (out.ok()) return *out;
    EXPECT_EQ(out.error().code, ErrorCode::kRateLimited);
    return -out.error().retry_after_ms.value();
  }
  RecordReads Reads(const std::string& tenant = "acme") {
    return {scene_.table(), *TenantId::FromText(tenant), scene_.clock.Now(), kSealing};
  }
  int64_t Day(std::string_view subscription = "s") { return RequestsOfDay(Reads(), subscription).value(); }

  storage::ItemScene scene_{GetParam(), storage::SeedTables()};
};

TEST_P(HourlyBuckets, hm_17a_each_hour_of_each_subscription_has_its_count) {
  EXPECT_EQ(Count("s").value(), 1);
  EXPECT_EQ(Count("s").value(), 2);
  EXPECT_EQ(Count("t", 5).value(), 5);
  scene_.clock.Advance(kHourMs - 1);
  EXPECT_EQ(Count("s").value(), 3);
  scene_.clock.Advance(1);
  EXPECT_EQ(Count("s").value(), 1);
  EXPECT_EQ(Day(), 4);
  EXPECT_EQ(Day("t"), 5);
  const auto bucket =
      Reads().Find("llm-request-buckets", "llm-request-buckets/s/2025-11-05T15:00:00.000Z").value();
  ASSERT_TRUE(bucket);
  EXPECT_EQ(IntOf(*bucket, "count"), 3);
  EXPECT_EQ(IntOf(*bucket, "expires"), 1762444800);  // 2025-11-06T16:00:00Z
  EXPECT_EQ(IntOf(*bucket, "version"), 3);
}

TEST_P(HourlyBuckets, hm_17b_a_day_includes_both_its_first_and_its_last_hour) {
  ASSERT_TRUE(Count("s", 1).ok());
  scene_.clock.Advance(kHourMs);
  ASSERT_TRUE(Count("s", 10).ok());
  scene_.clock.Advance(22 * kHourMs);
  ASSERT_TRUE(Count("s", 100).ok());
  EXPECT_EQ(Day(), 111);
  scene_.clock.Advance(kHourMs - 1);
  EXPECT_EQ(Day(), 111);
  scene_.clock.Advance(1);
  EXPECT_EQ(Day(), 110);
}

TEST_P(HourlyBuckets, a_bucket_is_gone_after_25_hours) {
  ASSERT_TRUE(Count("s").ok());
  const std::string key = "llm-request-buckets/s/2025-11-05T15:00:00.000Z";
  scene_.clock.Advance(25 * kHourMs - 1000);
  EXPECT_TRUE(Reads().Find("llm-request-buckets", key).value());
  scene_.clock.Advance(1000);
  EXPECT_FALSE(Reads().Find("llm-request-buckets", key).value());
  scene_.StepUntilIdle();
  EXPECT_EQ(scene_.StatsOf("llm-request-buckets").items, 0);
  EXPECT_EQ(scene_.Check(), std::vector<std::string>{});
}

TEST_P(HourlyBuckets, the_last_of_a_day_is_allowed_and_the_next_waits_for_the_oldest_hour) {
  EXPECT_EQ(Within(10, 6), 6);
  scene_.clock.Advance(90 * kMinuteMs);
  EXPECT_EQ(Within(10, 4), 10);
  EXPECT_EQ(Within(10, 1), -(24 * kHourMs - 90 * kMinuteMs));
  EXPECT_EQ(Within(10, 7), -(25 * kHourMs - 90 * kMinuteMs));  // the second hour has to go, too
  EXPECT_EQ(Day(), 10);
  scene_.clock.Advance(24 * kHourMs - 90 * kMinuteMs - 1);
  EXPECT_EQ(Within(10, 1), -1);
  scene_.clock.Advance(1);
  EXPECT_EQ(Within(10, 6), 10);
  EXPECT_LT(Within(10, 1), 0);
}

TEST_P(HourlyBuckets, another_tenants_subscription_of_the_same_name_is_another) {
  ASSERT_TRUE(Count("s", 3, "acme").ok());
  ASSERT_TRUE(Count("s", 5, "umbrella").ok());
  EXPECT_EQ(Day(), 3);
  EXPECT_EQ(RequestsOfDay(Reads("umbrella"), "s").value(), 5);
}

TEST_P(HourlyBuckets, a_name_that_could_be_taken_for_another_is_refused) {
  protocol::Status status = protocol::Ok();
  scene_.Decide([&](storage::ItemTransaction& tx) -> storage::MaybeFault {
    RecordTransaction records(tx, *TenantId::FromText("acme"));
    EXPECT_TRUE(CountRequests(records, "a/b").ok());
    status = records.Commit();
    return {};
  });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kBadRequest);
}

// Many writers on one bucket at once.
TEST_P(HourlyBuckets, ten_thousand_at_once_are_counted_exactly_and_survive_a_restart) {
  constexpr int kMany = 10'000;
  std::vector<std::string> answers(kMany);
  for (int i = 0; i < kMany; ++i) {
    scene_.Submit(
        [](storage::ItemTransaction& tx) -> storage::MaybeFault {
          RecordTransaction records(tx, *TenantId::FromText("acme"));
          EXPECT_TRUE(CountRequests(records, "s").ok());
          EXPECT_TRUE(records.Commit().ok());
          return {};
        },
        &answers[i]);
  }
  scene_.StepUntilIdle(100'000);
  EXPECT_EQ(std::count(answers.begin(), answers.end(), "ok"), kMany);
  EXPECT_EQ(Day(), kMany);
  scene_.Restart();
  EXPECT_EQ(Day(), kMany);
}

INSTANTIATE_TEST_SUITE_P(Stores, HourlyBuckets, testing::Values("memory", "rocksdb"));

}  // namespace
}  // namespace parley::accounts
