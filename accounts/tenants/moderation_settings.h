// What a tenant sets about moderation: members of `safety` in its settings (settings.h).
#pragma once

#include "protocol/field_types.h"
#include "protocol/ops/moderation.h"

namespace parley::accounts {

struct SafetySettings {
  protocol::Omit<protocol::List<protocol::Severity, 4>> dual_approval;
  static constexpr void Fields(auto& field) {
    field("dualApproval", &SafetySettings::dual_approval,
          "severities of cases that two have to decide; high and critical by default");
  }
};

// Those that count.
inline std::vector<protocol::Severity> DualSeveritiesOf(const protocol::Omit<SafetySettings>& safety) {
  if (safety.value && safety.value->dual_approval.value) return safety.value->dual_approval.value->items;
  return {protocol::Severity::kHigh, protocol::Severity::kCritical};
}

}  // namespace parley::accounts
