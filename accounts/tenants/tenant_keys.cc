#include "accounts/tenants/tenant_keys.h"

#include <algorithm>
#include <tuple>

#include "accounts/records/item_fields.h"
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/base/reason.h"

namespace parley::accounts {
namespace {

using protocol::Error;
using protocol::Reason;

constexpr std::string_view kTenantKeyTable = "TenantApiKeys";
constexpr std::string_view kTenantKeyRange = "meta";
constexpr size_t kPrefixShown = 12;
constexpr size_t kTenantSecretSize = kTenantKeyPrefix.size() + 64;

std::string HashOf(std::string_view secret) {
  return protocol::Hex(protocol::Sha256(secret));
}

TenantKey KeyOf(const Item& record) {
  TenantKey out;
  out.key_id = TextOf(record, "key_id");
  out.name = TextOf(record, "display_name");
  out.prefix = TextOf(record, "key_prefix");
  out.status = protocol::EnumFromName<KeyStatus>(TextOf(record, "status")).value_or(KeyStatus::kRevoked);
  out.created_at = MillisOf(record, "created_at").value_or(protocol::Time());
  out.last_used_at = MillisOf(record, "last_used_at");
  return out;
}

bool IsMadeBefore(const Item& a, const Item& b) {
  const auto place = [](const Item& item) {
    return std::make_tuple(IntOf(item, "created_at").value_or(0), TextOf(item, "key_id"));
  };
  return place(a) < place(b);
}

// All records, the oldest first.
protocol::Result<std::vector<Item>> AllRecords(const RecordReads& reads) {
  std::vector<Item> out;
  PARLEY_CHECK_OK(reads.ForEach({kTenantKeyTable}, [&](const Item& item) {
    out.push_back(item);
    return true;
  }));
  std::sort(out.begin(), out.end(), IsMadeBefore);
  return out;
}

bool IsActive(const Item& record) {
  return KeyOf(record).status == KeyStatus::kActive;
}

// Revoked keys stay listed, but only up to a limit.
protocol::Status MakeRoom(RecordTransaction& tx, const std::vector<Item>& records) {
  if (std::count_if(records.begin(), records.end(), IsActive) >= static_cast<ptrdiff_t>(kTenantKeysActiveMax))
    return ErrorFor(Reason::kTooManyKeys, "the tenant has as many active keys as it may have");
  if (records.size() < kTenantKeysMax) return protocol::Ok();
  const auto oldest = std::find_if_not(records.begin(), records.end(), IsActive);
  tx.Delete(kTenantKeyTable, TextOf(*oldest, "pk"), kTenantKeyRange);
  return protocol::Ok();
}

}  // namespace

std::string TenantKeyFrom(std::string_view random_bytes) {
  return std::string(kTenantKeyPrefix) + protocol::Hex(random_bytes);
}

protocol::Result<TenantKey> MakeTenantKey(RecordTransaction& tx, const NewTenantKey& wish) {
  PARLEY_TRY(records, AllRecords(tx));
  PARLEY_CHECK_OK(MakeRoom(tx, records));
  Item record{{"api_key", HashOf(wish.secret)},
              {"tenant_id", tx.tenant().ToText()},
              {"key_id", wish.key_id},
              {"key_prefix", wish.secret.substr(0, kPrefixShown)}};
  SetInt(&record, "created_at", tx.now().ms);
  SetText(&record, "display_name", wish.name);
  record.Set("status", protocol::NameOf(KeyStatus::kActive));
  TenantKey made = KeyOf(record);
  tx.Put(kTenantKeyTable, "key", std::move(record));
  PARLEY_CHECK_OK(tx.Commit());
  return made;
}

protocol::Result<TenantKey> RevokeTenantKey(RecordTransaction& tx, const std::string& key_id) {
  PARLEY_TRY(records, AllRecords(tx));
  const auto found = std::find_if(records.begin(), records.end(),
                                  [&](const Item& item) { return TextOf(item, "key_id") == key_id; });
  if (found == records.end()) return ErrorFor(Reason::kNoKey, "no such key");
  if (!IsActive(*found)) return KeyOf(*found);
  found->Set("status", protocol::NameOf(KeyStatus::kRevoked));
  TenantKey revoked = KeyOf(*found);
  tx.Put(kTenantKeyTable, "key", std::move(*found));
  PARLEY_CHECK_OK(tx.Commit());
  return revoked;
}

protocol::Result<std::vector<TenantKey>> ListTenantKeys(const RecordReads& reads) {
  PARLEY_TRY(records, AllRecords(reads));
  std::vector<TenantKey> out;
  out.reserve(records.size());
  for (const Item& record : records) out.push_back(KeyOf(record));
  return out;
}

protocol::Result<std::optional<KnownTenantKey>> FindTenantKey(const storage::Reader& reader,
                                                              std::string_view secret, protocol::Time now,
                                                              const storage::Sealer& sealer) {
  if (secret.size() != kTenantSecretSize) return std::optional<KnownTenantKey>();
  PARLEY_TRY(found, FindInWorld(reader, kTenantKeyTable, {{"pk", HashOf(secret)}}, now, sealer));
  if (!found || !IsActive(found->item)) return std::optional<KnownTenantKey>();
  return std::optional(KnownTenantKey{found->tenant, TextOf(found->item, "key_id")});
}

protocol::Status NoteTenantKeyUse(RecordTransaction& tx, std::string_view secret) {
  PARLEY_TRY(record, tx.Find(kTenantKeyTable, HashOf(secret), kTenantKeyRange));
  if (!record || !IsActive(*record)) return protocol::Ok();
  SetInt(&*record, "last_used_at", tx.now().ms);
  tx.Put(kTenantKeyTable, "key", *std::move(record));
  return tx.Commit();
}

}  // namespace parley::accounts
