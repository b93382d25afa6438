#include "accounts/tenants/demo.h"

#include "accounts/tenants/tenant_keys.h"
#include "protocol/base/crypto.h"

namespace parley::accounts {

Tenant MakeDemoTenant(std::string_view store_secret) {
  Tenant tenant;
  tenant.id = protocol::TenantId{protocol::KeyText::UpToNul(kDemoTenant)};
  tenant.name = "Demo";
  tenant.status = TenantStatus::kActive;
  tenant.version = 1;
  tenant.signing_secret = protocol::HmacSha256(store_secret, "demo tenant tokens");
  tenant.token_keys.push_back({JwtAlg::kHs256, tenant.signing_secret, ""});
  return tenant;
}

std::string DemoServiceKey(std::string_view store_secret) {
  return TenantKeyFrom(protocol::HmacSha256(store_secret, "demo service key"));
}

}  // namespace parley::accounts
