// The settings `limits{}` of a tenant, as one table of names, defaults, bounds and meanings. The checks, the
// writer and the manual are derived from it.
#pragma once

#include <cstdint>

#include "protocol/schema.h"

namespace parley::accounts {

// In every number, 0 means no limit.
struct EffectiveLimits {
  bool enabled = true;  // false: no limit applies
  int64_t requests_per_second = 20;
  int64_t key_requests_per_second = 1000;
  int64_t requests_per_5_minutes = 900;
  int64_t sends_per_pair_per_minute = 20;
  int64_t sends_per_pair_burst = 40;
  int64_t sends_per_user_per_minute = 60;
  int64_t sends_per_user_per_day = 0;
  int64_t starts_per_hour = 10;
  int64_t starts_per_day = 100;
  int64_t new_user_starts_per_hour = 3;
  int64_t new_user_starts_per_day = 20;
  int64_t messages_per_day = 1000;

  friend bool operator==(const EffectiveLimits&, const EffectiveLimits&) = default;
};

inline constexpr int64_t kLimitMax = 1'000'000;  // for each number; the minimum is 0

// The limits that a tenant has set.
struct LimitSettings {
  using Count = protocol::Omit<protocol::Bounded<0, kLimitMax>>;
  protocol::Omit<bool> enabled;
  Count requests_per_second, key_requests_per_second, requests_per_5_minutes;
  Count sends_per_pair_per_minute, sends_per_pair_burst, sends_per_user_per_minute, sends_per_user_per_day;
  Count starts_per_hour, starts_per_day, new_user_starts_per_hour, new_user_starts_per_day;
  Count messages_per_day;

  static constexpr void Fields(auto& field) {
    using T = LimitSettings;
    field("enabled", &T::enabled, "whether any of these holds; true by default");
    field(
        "requestsPerSecond", &T::requests_per_second,
        "requests of a user, and of each of their API keys, and as many at once; 20 by default, 0: no limit");
    field("keyRequestsPerSecond", &T::key_requests_per_second,
          "the same of each tenant key; 1000 by default, 0: no limit");
    field("requestsPer5Minutes", &T::requests_per_5_minutes,
          "of a user, and of each of their API keys; 900 by default, 0: no limit");
    field("sendsPerPairPerMinute", &T::sends_per_pair_per_minute,
          "messages of a user to one other, in threads that have two members; 20 by default, 0: no limit");
    field("sendsPerPairBurst", &T::sends_per_pair_burst,
          "how many of these may come at once; 40 by default, 0: as many as in a minute");
    field("sendsPerUserPerMinute", &T::sends_per_user_per_minute,
          "messages of a user in all threads, and as many at once; 60 by default, 0: no limit");
    field("sendsPerUserPerDay", &T::sends_per_user_per_day, "the same in 24 hours; 0 by default: no limit");
    field("startsPerHour", &T::starts_per_hour,
          "threads that a user creates and strangers that they bring in; 10 by default, 0: no limit");
    field("startsPerDay", &T::starts_per_day, "the same in 24 hours; 100 by default, 0: no limit");
    field("newUserStartsPerHour", &T::new_user_starts_per_hour,
          "the same of users who are new, for a week, unless they are verified; 3 by default, 0: no limit");
    field("newUserStartsPerDay", &T::new_user_starts_per_day,
          "the same of them in 24 hours; 20 by default, 0: no limit");
    field("messagesPerDay", &T::messages_per_day,
          "of all of the tenant's bots in 24 hours; 1000 by default, 0: no limit");
  }
};

// Returns the tenant's settings, with `otherwise` for those that are not set.
EffectiveLimits LimitsBy(const LimitSettings& settings, const EffectiveLimits& otherwise = {});

}  // namespace parley::accounts
