// Decisions about tenants and the keys that sign their users' tokens (T3-T1 to T3-T4 of docs/tables.md), and
// their reads. Each decision returns the new state of the tenant, which goes to the directory once it is
// on disk.
//
// Thread contract: RecordReads on any thread, RecordTransaction on the writer's.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accounts/records/records.h"
#include "accounts/tenants/tenant.h"

namespace parley::accounts {

inline constexpr size_t kTenantsMax = 100'000;
inline constexpr size_t kTenantNameBytesMax = 200;
inline constexpr size_t kTokenKeysMax = 16;  // per tenant

// The ids of all tenants of the store.
storage::Status ListTenants(const storage::Reader& reader, std::vector<protocol::TenantId>* out);
// With its keys; nullopt if unknown.
protocol::Result<std::optional<Tenant>> ReadTenant(const RecordReads& reads);

// The settings of a new tenant, as JSON; those in its request win. Tenants of earlier versions keep their
// defaults.
inline constexpr const char* kNewTenantSettings = R"({"knownUsersOnly":true})";

struct NewTenant {
  protocol::TenantId id;
  std::string name;
  std::string settings_json = "{}";
  std::string signing_secret;  // random bytes
  TenantStatus status = TenantStatus::kOnboarding;
};
// ALREADY_EXISTS. REQUIRES: the transaction is that tenant's.
protocol::Result<Tenant> MakeTenant(RecordTransaction& tx, const NewTenant& wish, size_t tenants);

struct TenantChange {
  int64_t version = 0;  // the version that the change is based on
  std::optional<std::string> name;
  std::optional<std::string> settings_patch;  // JSON
};
// VERSION_CONFLICT with `current`: a TenantForm.
protocol::Result<Tenant> ChangeTenant(RecordTransaction& tx, const TenantChange& change);
// A repeat changes nothing.
protocol::Result<Tenant> SetTenantStatus(RecordTransaction& tx, TenantStatus status);

// Replaces the key of the same kid. BAD_REQUEST: the key is unusable.
protocol::Result<Tenant> PutTokenKey(RecordTransaction& tx, const VerifyKey& key);
protocol::Result<Tenant> DeleteTokenKey(RecordTransaction& tx, const std::string& kid);

// The wire form. `Settings`: the type of all settings, which the features complete; any JSON for accounts/.
template <class Settings>
struct TenantForm {
  protocol::TenantId tenant_id;
  std::string name;
  TenantStatus status = TenantStatus::kOnboarding;
  Settings settings;
  protocol::Time created_at, updated_at;
  int64_t version = 0;
  static constexpr void Fields(auto& field) {
    using T = TenantForm;
    field("tenantId", &T::tenant_id, "");
    field("name", &T::name, "its display name");
    field("status", &T::status, "users connect only if the tenant is active");
    field("settings", &T::settings, "the settings that differ from the defaults");
    field("createdAt", &T::created_at, "");
    field("updatedAt", &T::updated_at, "");
    field("version", &T::version, "counted from 1; a change names the one that it was made from");
  }
};
template <class Settings>
TenantForm<Settings> FormOf(const Tenant& tenant, Settings settings) {
  return {tenant.id,         tenant.name,       tenant.status, std::move(settings),
          tenant.created_at, tenant.updated_at, tenant.version};
}

}  // namespace parley::accounts
