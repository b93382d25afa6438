#include "accounts/tenants/demo.h"

#include "accounts/tenants/tenant_keys.h"
#include "protocol/base/crypto.h"

namespace parley::accounts {

NewTenant DemoTenantWish(std::string_view store_secret) {
  NewTenant wish;
  wish.id = protocol::TenantId{protocol::KeyText::UpToNul(kDemoTenant)};
  wish.name = "Demo";
  wish.signing_secret = protocol::HmacSha256(store_secret, "demo tenant tokens");
  wish.status = TenantStatus::kActive;
  return wish;
}

Tenant MakeDemoTenant(std::string_view store_secret) {
  NewTenant wish = DemoTenantWish(store_secret);
  Tenant tenant;
  tenant.id = wish.id;
  tenant.name = std::move(wish.name);
  tenant.status = wish.status;
  tenant.version = 1;
  tenant.signing_secret = std::move(wish.signing_secret);
  tenant.token_keys.push_back({JwtAlg::kHs256, tenant.signing_secret, std::string(kOwnKid)});
  return tenant;
}

std::string DemoServiceKey(std::string_view store_secret) {
  return TenantKeyFrom(protocol::HmacSha256(store_secret, "demo service key"));
}

}  // namespace parley::accounts
