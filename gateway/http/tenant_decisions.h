// Makes the decisions about a tenant that HTTP routes ask for, and publishes the changed tenant.
//
// Thread contract: the I/O thread's loop, on which `then` is called, too.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "accounts/audit/audit_chain.h"
#include "accounts/tenants/tenant.h"
#include "gateway/http/pages.h"

namespace parley::gateway {

// The tenant after a decision, and the decision's place in the order of all.
struct DecidedTenant {
  accounts::Tenant tenant;
  uint64_t order = 0;
};

// Makes the decision, publishes the tenant, then calls `then`.
void DecideTenant(const Call& call, const protocol::TenantId& id,
                  std::function<protocol::Result<accounts::Tenant>(accounts::RecordTransaction&)> decide,
                  Answering<accounts::Tenant> then);

// Returns the audit's act on one of the tenant's keys.
accounts::AuditAct KeyAct(const Call& call, std::string action, const std::string& key);

// Arguments of a list that belongs to the tenant.
struct OfTenantArgs : PageArgs {
  protocol::TenantId tenant_id;
  static constexpr void Fields(auto& field) {
    using T = OfTenantArgs;
    field("tenantId", &T::tenant_id, "the tenant");
    field("limit", &T::limit, kLimitAbout);
    field("cursor", &T::cursor, kCursorAbout);
  }
};

}  // namespace parley::gateway
