#include "accounts/limits/hourly_buckets.h"

#include "accounts/limits/token_bucket.h"
#include "accounts/records/item_fields.h"
#include "protocol/base/reason.h"

namespace parley::accounts {

using protocol::Error;
using protocol::Reason;
using protocol::Result;
using protocol::Time;

namespace {

constexpr std::string_view kBucketTable = "llm-request-buckets", kCount = "count", kHour = "hourTimestamp";
constexpr int64_t kHours = 24, kKeptHours = 25;

Time HourOf(Time at) {
  return {at.ms - at.ms % kHourMs};
}

std::string KeyOf(std::string_view subscription, Time hour) {
  return std::string(kBucketTable) + "/" + std::string(subscription) + "/" + protocol::FormatTime(hour);
}

// The day's buckets, oldest first.
protocol::Status ForEachBucket(const RecordReads& records, std::string_view subscription,
                               const std::function<bool(const Item&)>& visit) {
  const Time newest = HourOf(records.now());
  RecordReads::Ask ask{kBucketTable, "bySubscriptionIdAndHour"};
  ask.key = AllOf(subscription);
  ask.key->op = storage::KeyCondition::Op::kBetween;
  ask.key->low = protocol::FormatTime({newest.ms - (kHours - 1) * kHourMs});
  ask.key->high = protocol::FormatTime(newest);
  return records.ForEach(ask, visit);
}

// The time until at least `surplus` of the counts are outside of the day's hours.
Result<int64_t> WaitFor(const RecordReads& records, std::string_view subscription, int64_t surplus) {
  int64_t wait_ms = kHours * kHourMs;
  PARLEY_CHECK_OK(ForEachBucket(records, subscription, [&](const Item& bucket) {
    surplus -= IntOf(bucket, kCount).value_or(0);
    const auto hour = TimeOf(bucket, kHour);
    if (surplus <= 0 && hour) wait_ms = hour->ms + kHours * kHourMs - records.now().ms;
    return surplus > 0;
  }));
  return wait_ms;
}

}  // namespace

Result<int64_t> RequestsOfDay(const RecordReads& records, std::string_view subscription) {
  int64_t sum = 0;
  PARLEY_CHECK_OK(ForEachBucket(records, subscription, [&](const Item& bucket) {
    sum += IntOf(bucket, kCount).value_or(0);
    return true;
  }));
  return sum;
}

Result<int64_t> CountRequests(RecordTransaction& records, std::string_view subscription, int64_t count) {
  const Time hour = HourOf(records.now());
  PARLEY_TRY(found, records.Find(kBucketTable, KeyOf(subscription, hour)));
  Item bucket = found ? *std::move(found)
                      : Item{{"subscriptionId", std::string(subscription)},
                             {std::string(kHour), protocol::FormatTime(hour)}};
  const int64_t counted = IntOf(bucket, kCount).value_or(0) + count;
  SetInt(&bucket, kCount, counted);
  SetInt(&bucket, "expires", (hour.ms + kKeptHours * kHourMs) / kSecondMs);
  records.Put(kBucketTable, "bucket", std::move(bucket));
  return counted;
}

Result<int64_t> CountRequestsWithin(RecordTransaction& records, std::string_view subscription, int64_t most,
                                    int64_t count) {
  PARLEY_TRY(day, RequestsOfDay(records, subscription));
  if (day + count > most) {
    Error error = ErrorFor(Reason::kSubscriptionUsedUp, "the subscription has made its requests of 24 hours");
    PARLEY_TRY(wait_ms, WaitFor(records, subscription, day + count - most));
    error.retry_after_ms = wait_ms;
    return error;
  }
  PARLEY_TRY(counted, CountRequests(records, subscription, count));
  static_cast<void>(counted);
  return day + count;
}

}  // namespace parley::accounts
