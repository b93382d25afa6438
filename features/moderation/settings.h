// The part of moderation in a tenant's settings `safety{}`: which cases need two deciders. Values, any
// thread.
#pragma once

#include <vector>

#include "accounts/tenants/tenant.h"
#include "protocol/cases.h"
#include "protocol/schema.h"

namespace parley::features {

struct ApprovalSettings {
  protocol::Omit<protocol::List<protocol::Severity, 4>> dual_approval;
  static constexpr void Fields(auto& field) {
    field("dualApproval", &ApprovalSettings::dual_approval,
          "severities of cases that two have to decide; high and critical by default");
  }
};
// Its part of the member of the tenant's settings.
struct ApprovalMember {
  protocol::Omit<ApprovalSettings> safety;
  static constexpr void Fields(auto& field) { field("safety", &ApprovalMember::safety, ""); }
};

// The severities in force. nullptr: the defaults.
inline std::vector<protocol::Severity> DualSeveritiesOf(const accounts::TenantPtr& tenant) {
  if (tenant) {
    const auto& safety = tenant->settings.of_features.Of<ApprovalMember>().safety.value;
    if (safety && safety->dual_approval.value) return safety->dual_approval.value->items;
  }
  return {protocol::Severity::kHigh, protocol::Severity::kCritical};
}

}  // namespace parley::features
