#include "accounts/tenants/tenant.h"

#include <algorithm>

#include "accounts/records/item_fields.h"
#include "accounts/tenants/demo.h"
#include "protocol/base/encoding.h"

namespace parley::accounts {

using storage::Item;

bool Tenant::allows(std::string_view origin) const {
  if (!settings.allowed_origins.value) return false;
  const auto& all = settings.allowed_origins.value->items;
  return std::any_of(all.begin(), all.end(), [&](const Origin& one) { return one.value == origin; });
}

bool Tenant::user_projects() const {
  return settings.user_projects.value.value_or(id.value.text() == kDemoTenant);
}

int64_t Tenant::refresh_grace_seconds() const {
  constexpr int64_t kUsual = 10;
  return settings.refresh_grace_seconds.value ? settings.refresh_grace_seconds.value->value : kUsual;
}

std::vector<std::string> Tenant::allowed_origins() const {
  std::vector<std::string> out;
  if (!settings.allowed_origins.value) return out;
  for (const Origin& one : settings.allowed_origins.value->items) out.push_back(one.value);
  return out;
}

EffectiveLimits Tenant::limits() const {
  EffectiveLimits otherwise;
  if (settings.messages_per_day.value) otherwise.messages_per_day = settings.messages_per_day.value->value;
  return settings.limits.value ? LimitsBy(*settings.limits.value, otherwise) : otherwise;
}

protocol::FolderSet Tenant::folders(protocol::FolderSet otherwise) const {
  if (!settings.folders.value) return otherwise;
  protocol::FolderSet out = protocol::kStandardFolders;
  for (const FolderName& one : settings.folders.value->items) out |= protocol::FoldersNamed(one.value);
  return out;
}

std::optional<protocol::TenantId> NewTenantId(std::string_view text) {
  constexpr size_t kLeast = 3, kMost = 40;
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  if (text.size() < kLeast || text.size() > kMost || !std::all_of(text.begin(), text.end(), fits))
    return std::nullopt;
  if (text.front() == '-' || text.back() == '-') return std::nullopt;
  return protocol::TenantId::FromText(text);
}

std::optional<Tenant> TenantOf(const Item& record) {
  Tenant out;
  const auto id = protocol::TenantId::FromText(TextOf(record, "tenant_id"));
  const auto status = protocol::EnumFromName<TenantStatus>(TextOf(record, "status"));
  const auto created = TimeOf(record, "created_at");
  out.settings_json = OptionalTextOf(record, "settings").value_or("{}");
  auto settings = ParseSettings(out.settings_json);
  if (!id || !status || !created || !settings.ok()) return std::nullopt;
  if (!protocol::FromBase64Url(TextOf(record, "minting_secret"), &out.signing_secret)) return std::nullopt;
  out.id = *id;
  out.name = TextOf(record, "name");
  out.status = *status;
  out.settings = *std::move(settings);
  out.created_at = *created;
  out.updated_at = TimeOf(record, "updated_at").value_or(*created);
  out.version = IntOf(record, "version").value_or(1);
  out.token_keys.push_back({JwtAlg::kHs256, out.signing_secret, std::string(kOwnKid)});
  return out;
}

Item RecordOf(const Tenant& tenant) {
  Item out{{"tenant_id", tenant.id.ToText()},
           {"name", tenant.name},
           {"status", protocol::NameOf(tenant.status)},
           {"settings", tenant.settings_json},
           {"minting_secret", protocol::Base64Url(tenant.signing_secret)}};
  SetTime(&out, "created_at", tenant.created_at);
  SetTime(&out, "updated_at", tenant.updated_at);
  return out;
}

bool AddTokenKey(const Item& record, Tenant* tenant) {
  const auto alg = protocol::EnumFromName<JwtAlg>(TextOf(record, "alg"));
  const auto created = TimeOf(record, "created_at");
  if (!alg || !created) return false;
  TokenKey key{{*alg, TextOf(record, "public_key"), TextOf(record, "kid")}, *created};
  if (*alg == JwtAlg::kHs256) key.key.key = TextOf(record, "secret");
  if (Prepare(&key.key)) tenant->token_keys.push_back(key.key);
  tenant->own_keys.push_back(std::move(key));
  return true;
}

Item RecordOf(const protocol::TenantId& tenant, const TokenKey& key) {
  Item out{{"tenant_id", tenant.ToText()}, {"kid", key.key.kid}, {"alg", protocol::NameOf(key.key.alg)}};
  SetText(&out, key.key.alg == JwtAlg::kHs256 ? "secret" : "public_key", key.key.key);
  SetTime(&out, "created_at", key.created_at);
  return out;
}

}  // namespace parley::accounts
