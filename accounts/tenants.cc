#include "accounts/tenants.h"

#include "protocol/base/crypto.h"

namespace parley::accounts {

void TenantDirectory::Add(Tenant tenant) {
  tenants_.push_back(std::move(tenant));
}

const Tenant* TenantDirectory::Find(std::string_view id) const {
  for (const Tenant& tenant : tenants_) {
    if (tenant.id.value == id) return &tenant;
  }
  return nullptr;
}

std::vector<protocol::TenantId> TenantDirectory::Ids() const {
  std::vector<protocol::TenantId> out;
  for (const Tenant& tenant : tenants_) out.push_back(tenant.id);
  return out;
}

const Tenant* TenantDirectory::FindByServiceKey(std::string_view key) const {
  for (const Tenant& tenant : tenants_) {
    if (!tenant.service_key.empty() && protocol::ConstantTimeEqual(tenant.service_key, key)) return &tenant;
  }
  return nullptr;
}

Tenant MakeDemoTenant(std::string_view store_secret) {
  Tenant tenant;
  tenant.id = protocol::TenantId{protocol::KeyText::UpToNul(kDemoTenant)};
  tenant.limits.enabled = false;
  tenant.signing_secret = protocol::HmacSha256(store_secret, "demo tenant tokens");
  tenant.token_keys.push_back({JwtAlg::kHs256, tenant.signing_secret, ""});
  tenant.service_key = std::string(kServiceKeyPrefix) +
                       protocol::Base64Url(protocol::HmacSha256(store_secret, "demo service key"));
  return tenant;
}

}  // namespace parley::accounts
