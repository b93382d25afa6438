#include "accounts/tenants/tenant_directory.h"

#include <algorithm>
#include <tuple>

#include "accounts/records/records.h"
#include "accounts/tenants/administration.h"
#include "accounts/tenants/demo.h"
#include "protocol/base/log.h"
#include "protocol/base/sure.h"
#include "storage/engine/item_keys.h"

namespace parley::accounts {

using protocol::MutexLock;

namespace {

// Earlier versions accepted keys whose signatures take too long to check.
void WarnOfUnusableKeys(const Tenant& tenant) {
  for (const TokenKey& own : tenant.own_keys) {
    const bool used = std::any_of(tenant.token_keys.begin(), tenant.token_keys.end(),
                                  [&](const VerifyKey& key) { return key.kid == own.key.kid; });
    if (used) continue;
    protocol::Log(protocol::LogLevel::kWarn, "accounts", "a signing key is not usable and verifies nothing",
                  {{"tenant", tenant.id.ToText()}, {"kid", own.key.kid}});
  }
}

}  // namespace

std::string OriginsShown(const std::vector<std::string>& origins) {
  std::string out;
  for (size_t i = 0; i < std::min(origins.size(), kOriginsShownMax); ++i)
    out += (out.empty() ? "" : " ") + origins[i];
  if (origins.size() > kOriginsShownMax) out += " and others";
  return out.empty() ? "none" : out;
}

storage::Status TenantDirectory::Load(const storage::Reader& reader, protocol::Time now,
                                      const storage::Sealer& sealer, bool demo) {
  std::vector<protocol::TenantId> ids;
  if (auto status = ListTenants(reader, &ids); !status.ok()) return status;
  for (const protocol::TenantId& id : ids) {
    if (id.ToText() == kDemoTenant && !demo) continue;
    auto read = ReadTenant(RecordReads(reader, id, now, sealer));
    if (read.ok() && *read) {
      WarnOfUnusableKeys(**read);
      Publish(std::make_shared<const Tenant>(protocol::Sure(*std::move(read))), 0);
    } else {
      protocol::Log(protocol::LogLevel::kError, "accounts", "a tenant cannot be read",
                    {{"tenant", id.ToText()}});
    }
  }
  return {};
}

TenantPtr TenantDirectory::Find(std::string_view id) const {
  MutexLock lock(&mutex_);
  const auto found = tenants_.find(id);
  return found == tenants_.end() ? nullptr : found->second.tenant;
}

std::vector<protocol::TenantId> TenantDirectory::Ids() const {
  std::vector<protocol::TenantId> out;
  MutexLock lock(&mutex_);
  for (const auto& [id, entry] : tenants_) out.push_back(entry.tenant->id);
  return out;
}

std::vector<TenantPtr> TenantDirectory::All() const {
  std::vector<TenantPtr> out;
  {
    MutexLock lock(&mutex_);
    for (const auto& [id, entry] : tenants_) out.push_back(entry.tenant);
  }
  std::sort(out.begin(), out.end(), [](const TenantPtr& a, const TenantPtr& b) {
    return std::tie(a->created_at, a->id) < std::tie(b->created_at, b->id);
  });
  return out;
}

size_t TenantDirectory::size() const {
  MutexLock lock(&mutex_);
  return tenants_.size();
}

bool TenantDirectory::AnyAllows(std::string_view origin) const {
  MutexLock lock(&mutex_);
  return std::any_of(tenants_.begin(), tenants_.end(),
                     [&](const auto& one) { return one.second.tenant->allows(origin); });
}

std::string TenantDirectory::SomeAllowed() const {
  std::vector<std::string> origins;
  {
    MutexLock lock(&mutex_);
    for (const auto& [id, entry] : tenants_) {
      if (origins.size() > kOriginsShownMax) break;
      const auto more = entry.tenant->allowed_origins();
      origins.insert(origins.end(), more.begin(), more.end());
    }
  }
  return OriginsShown(origins);
}

void TenantDirectory::Publish(TenantPtr tenant, uint64_t order) {
  MutexLock lock(&mutex_);
  Entry& entry = tenants_[tenant->id.ToText()];
  if (entry.tenant && order < entry.order) return;
  entry = {std::move(tenant), order};
}

}  // namespace parley::accounts
