#include "accounts/tenants/administration.h"

#include <algorithm>

#include "accounts/records/item_fields.h"
#include "protocol/base/reason.h"
#include "storage/engine/item_keys.h"

namespace parley::accounts {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;

constexpr std::string_view kTenantTable = "tenants";
constexpr std::string_view kMeta = "META";
constexpr std::string_view kKeyPrefix = "SIGNKEY#";

std::string HashOf(const protocol::TenantId& tenant) {
  return "TENANT#" + tenant.ToText();
}

// The list of tenants: rows of their own, because each tenant's record is in its own partition.
storage::PartitionKey Registry() {
  return storage::RecordPartition("tenants");
}

Error NoSuchTenant() {
  return ErrorFor(Reason::kNoTenant, "no such tenant");
}

protocol::Result<Tenant> Present(const RecordReads& reads) {
  PARLEY_TRY(tenant, ReadTenant(reads));
  if (!tenant) return NoSuchTenant();
  return *std::move(tenant);
}

// The new state, once `tenant` is written.
protocol::Result<Tenant> Rewrite(RecordTransaction& tx, Tenant tenant) {
  tenant.updated_at = tx.now();
  tenant.version += 1;
  tx.Put(kTenantTable, "tenant", RecordOf(tenant));
  PARLEY_CHECK_OK(tx.Commit());
  return tenant;
}

protocol::Json AsJson(const std::string& text) {
  protocol::Document document;
  protocol::Json out;
  if (DecodeSettings(text, &document).ok()) protocol::Read(document.root, &out);
  return out;
}

Error Outdated(const Tenant& tenant) {
  Error error(ErrorCode::kVersionConflict, "the tenant has changed in the meantime");
  error.current = protocol::Encode(FormOf(tenant, AsJson(tenant.settings_json)));
  return error;
}

}  // namespace

storage::Status ListTenants(const storage::Reader& reader, std::vector<protocol::TenantId>* out) {
  return reader.Scan(Registry(), storage::SortRange::All(), storage::Direction::kForward, kTenantsMax,
                     [&](std::string_view, storage::RowView row) {
                       if (auto id = protocol::TenantId::FromText(row.payload))
                         out->push_back(*std::move(id));
                       return true;
                     });
}

protocol::Result<std::optional<Tenant>> ReadTenant(const RecordReads& reads) {
  PARLEY_TRY(record, reads.Find(kTenantTable, HashOf(reads.tenant()), kMeta));
  if (!record) return std::optional<Tenant>();
  auto tenant = TenantOf(*record);
  if (!tenant) return Error(ErrorCode::kInternal, "the record of a tenant cannot be read");
  bool sound = true;
  PARLEY_CHECK_OK(reads.ForEach({kTenantTable, {}, BeginningWith(HashOf(reads.tenant()), kKeyPrefix)},
                                [&](const Item& key) { return sound = AddTokenKey(key, &*tenant); }));
  if (!sound) return Error(ErrorCode::kInternal, "a signing key of a tenant cannot be read");
  return tenant;
}

protocol::Result<Tenant> MakeTenant(RecordTransaction& tx, const NewTenant& wish, size_t tenants) {
  PARLEY_TRY(present, ReadTenant(tx));
  if (present) return ErrorFor(Reason::kTenantExists, "there is a tenant of this id");
  if (tenants >= kTenantsMax)
    return ErrorFor(Reason::kTooManyTenants, "there are as many tenants as there may be");
  PARLEY_TRY(settings, ParseSettings(wish.settings_json));
  Tenant tenant;
  tenant.id = wish.id;
  tenant.name = wish.name;
  tenant.status = wish.status;
  tenant.settings_json = wish.settings_json;
  tenant.settings = std::move(settings);
  tenant.created_at = tx.now();
  tenant.signing_secret = wish.signing_secret;
  tenant.token_keys.push_back({JwtAlg::kHs256, wish.signing_secret, std::string(kOwnKid)});
  PARLEY_TRY(made, Rewrite(tx, std::move(tenant)));
  tx.tx().Write(Registry(), storage::RecordKey(wish.id.ToText()), storage::Row{1, wish.id.ToText()});
  return std::move(made);
}

protocol::Result<Tenant> ChangeTenant(RecordTransaction& tx, const TenantChange& change) {
  PARLEY_TRY(tenant, Present(tx));
  if (change.version != tenant.version) return Outdated(tenant);
  if (change.name) tenant.name = *change.name;
  if (change.settings_patch) {
    PARLEY_TRY(merged, MergeSettings(tenant.settings_json, *change.settings_patch));
    PARLEY_TRY(settings, ParseSettings(merged));
    tenant.settings_json = std::move(merged);
    tenant.settings = std::move(settings);
  }
  return Rewrite(tx, std::move(tenant));
}

protocol::Result<Tenant> SetTenantStatus(RecordTransaction& tx, TenantStatus status) {
  PARLEY_TRY(tenant, Present(tx));
  if (tenant.status == status) return std::move(tenant);
  tenant.status = status;
  return Rewrite(tx, std::move(tenant));
}

protocol::Result<Tenant> PutTokenKey(RecordTransaction& tx, const VerifyKey& key) {
  if (key.kid == kOwnKid) return Error::BadField("kid", "is that of the server's own key");
  if (!IsUsable(key))
    return Error::BadField(key.alg == JwtAlg::kHs256 ? "secret" : "publicKey",
                           "is not a usable key of this algorithm; RSA keys have 2048 to 8192 bits and an "
                           "exponent below 2^32");
  PARLEY_TRY(tenant, Present(tx));
  const auto of_kid = [&](const TokenKey& one) { return one.key.kid == key.kid; };
  const bool replaces = std::erase_if(tenant.own_keys, of_kid) != 0;
  if (!replaces && tenant.own_keys.size() >= kTokenKeysMax)
    return ErrorFor(Reason::kTooManyKeys, "the tenant has as many signing keys as it may have");
  std::erase_if(tenant.token_keys, [&](const VerifyKey& one) { return one.kid == key.kid; });
  const Item record = RecordOf(tx.tenant(), {key, tx.now()});
  AddTokenKey(record, &tenant);
  tx.Put(kTenantTable, "signing_key", record);
  PARLEY_CHECK_OK(tx.Commit());
  return std::move(tenant);
}

protocol::Result<Tenant> DeleteTokenKey(RecordTransaction& tx, const std::string& kid) {
  PARLEY_TRY(tenant, Present(tx));
  const auto of_kid = [&](const auto& one) { return one.kid == kid; };
  const auto removed = std::erase_if(tenant.own_keys, [&](const TokenKey& one) { return of_kid(one.key); });
  if (removed == 0) return ErrorFor(Reason::kNoKey, "no such signing key");
  std::erase_if(tenant.token_keys, of_kid);
  tx.Delete(kTenantTable, HashOf(tx.tenant()), std::string(kKeyPrefix) + kid);
  PARLEY_CHECK_OK(tx.Commit());
  return std::move(tenant);
}

}  // namespace parley::accounts
