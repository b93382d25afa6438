// A tenant's rate limits as one table of names, defaults, bounds and meanings. The settings `limits{}`, their
// checks and the manual are derived from it.
//
// Thread contract: values, any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "protocol/schema.h"

namespace parley::accounts {

// The limits in force. In every number, 0 means no limit.
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
  Count requests_per_second, key_requests_per_second, requests_per_5_minutes, sends_per_pair_per_minute,
      sends_per_pair_burst, sends_per_user_per_minute, sends_per_user_per_day, starts_per_hour,
      starts_per_day, new_user_starts_per_hour, new_user_starts_per_day, messages_per_day;

  static constexpr void Fields(auto& field);
};

// One limit: the two members that hold it, its name on the wire, and its meaning. A new limit is a member of
// each struct and a row here.
struct LimitRow {
  int64_t EffectiveLimits::*in_force;
  LimitSettings::Count LimitSettings::*set;
  std::string_view name, about;
};
inline constexpr LimitRow kLimitRows[] = {
    {&EffectiveLimits::requests_per_second, &LimitSettings::requests_per_second, "requestsPerSecond",
     "requests of a user, and of each of their API keys, and as many at once; 20 by default, 0: no limit"},
    {&EffectiveLimits::key_requests_per_second, &LimitSettings::key_requests_per_second,
     "keyRequestsPerSecond", "the same for each tenant key; 1000 by default, 0: no limit"},
    {&EffectiveLimits::requests_per_5_minutes, &LimitSettings::requests_per_5_minutes, "requestsPer5Minutes",
     "requests of a user, and of each of their API keys, in 5 minutes; 900 by default, 0: no limit"},
    {&EffectiveLimits::sends_per_pair_per_minute, &LimitSettings::sends_per_pair_per_minute,
     "sendsPerPairPerMinute",
     "messages of a user to one other, in threads that have two members; 20 by default, 0: no limit"},
    {&EffectiveLimits::sends_per_pair_burst, &LimitSettings::sends_per_pair_burst, "sendsPerPairBurst",
     "the most that may come at once; 40 by default, 0: as many as in a minute"},
    {&EffectiveLimits::sends_per_user_per_minute, &LimitSettings::sends_per_user_per_minute,
     "sendsPerUserPerMinute",
     "messages of a user in all threads, and as many at once; 60 by default, 0: no limit"},
    {&EffectiveLimits::sends_per_user_per_day, &LimitSettings::sends_per_user_per_day, "sendsPerUserPerDay",
     "the same in 24 hours; 0 by default: no limit"},
    {&EffectiveLimits::starts_per_hour, &LimitSettings::starts_per_hour, "startsPerHour",
     "threads that a user creates and strangers that they bring in; 10 by default, 0: no limit"},
    {&EffectiveLimits::starts_per_day, &LimitSettings::starts_per_day, "startsPerDay",
     "the same in 24 hours; 100 by default, 0: no limit"},
    {&EffectiveLimits::new_user_starts_per_hour, &LimitSettings::new_user_starts_per_hour,
     "newUserStartsPerHour",
     "the same for users in their first week, unless they are verified; 3 by default, 0: no limit"},
    {&EffectiveLimits::new_user_starts_per_day, &LimitSettings::new_user_starts_per_day,
     "newUserStartsPerDay", "the same for new users in 24 hours; 20 by default, 0: no limit"},
    {&EffectiveLimits::messages_per_day, &LimitSettings::messages_per_day, "messagesPerDay",
     "messages of all of the tenant's bots in 24 hours; 1000 by default, 0: no limit"},
};

constexpr void LimitSettings::Fields(auto& field) {
  field("enabled", &LimitSettings::enabled, "false turns all of these limits off; true by default");
  for (const LimitRow& row : kLimitRows) field(row.name, row.set, row.about);
}

// Returns the tenant's settings, with `otherwise` for those that are not set.
EffectiveLimits LimitsBy(const LimitSettings& settings, const EffectiveLimits& otherwise = {});

}  // namespace parley::accounts
