#include "accounts/limits/limit_settings.h"

namespace parley::accounts {
namespace {

int64_t Said(const LimitSettings::Count& count, int64_t otherwise) {
  return count.value ? count.value->value : otherwise;
}

}  // namespace

EffectiveLimits LimitsBy(const LimitSettings& settings, const EffectiveLimits& otherwise) {
  const LimitSettings& s = settings;
  const EffectiveLimits& o = otherwise;
  EffectiveLimits out;
  out.enabled = s.enabled.value.value_or(o.enabled);
  out.requests_per_second = Said(s.requests_per_second, o.requests_per_second);
  out.key_requests_per_second = Said(s.key_requests_per_second, o.key_requests_per_second);
  out.requests_per_5_minutes = Said(s.requests_per_5_minutes, o.requests_per_5_minutes);
  out.sends_per_pair_per_minute = Said(s.sends_per_pair_per_minute, o.sends_per_pair_per_minute);
  out.sends_per_pair_burst = Said(s.sends_per_pair_burst, o.sends_per_pair_burst);
  out.sends_per_user_per_minute = Said(s.sends_per_user_per_minute, o.sends_per_user_per_minute);
  out.sends_per_user_per_day = Said(s.sends_per_user_per_day, o.sends_per_user_per_day);
  out.starts_per_hour = Said(s.starts_per_hour, o.starts_per_hour);
  out.starts_per_day = Said(s.starts_per_day, o.starts_per_day);
  out.new_user_starts_per_hour = Said(s.new_user_starts_per_hour, o.new_user_starts_per_hour);
  out.new_user_starts_per_day = Said(s.new_user_starts_per_day, o.new_user_starts_per_day);
  out.messages_per_day = Said(s.messages_per_day, o.messages_per_day);
  return out;
}

}  // namespace parley::accounts
