#include "accounts/limits/limit_settings.h"

namespace parley::accounts {
EffectiveLimits LimitsBy(const LimitSettings& settings, const EffectiveLimits& otherwise) {
  EffectiveLimits out = otherwise;
  if (settings.enabled.value) out.enabled = *settings.enabled.value;
  for (const LimitRow& row : kLimitRows) {
    if (const auto& set = (settings.*row.set).value) out.*row.in_force = set->value;
  }
  return out;
}

}  // namespace parley::accounts
