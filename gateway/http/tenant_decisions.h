// Decisions about a tenant that an HTTP route makes: they publish the tenant as it is afterwards.
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

// A decision's tenant, and the decision's place among all of them.
struct DecidedTenant {
  accounts::Tenant tenant;
  uint64_t order = 0;
};

// Makes the decision, publishes its tenant, then calls `then`.
void DecideTenant(const Call& call, const protocol::TenantId& id,
                  std::function<protocol::Result<accounts::Tenant>(accounts::RecordTransaction&)> decide,
                  Answering<accounts::Tenant> then);

// The audit's act on one of the tenant's keys.
accounts::AuditAct KeyAct(const Call& call, std::string action, const std::string& key);

// A page of what the tenant has.
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
