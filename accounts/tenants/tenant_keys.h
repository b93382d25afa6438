// Keys with which tenants' back ends authenticate (the table TenantApiKeys). The key itself is shown once;
// the record contains its SHA-256 instead of the key. 256 random bits cannot be guessed, so no slower hash is
// needed.
//
// Thread contract: reads on any thread, RecordTransaction on the writer's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accounts/records/records.h"
#include "protocol/schema.h"

namespace parley::accounts {

inline constexpr std::string_view kTenantKeyPrefix = "ptk_";
inline constexpr size_t kTenantKeysActiveMax = 100;  // per tenant
inline constexpr size_t kTenantKeysMax = 200;        // with revoked ones, the oldest of which is evicted
inline constexpr size_t kKeyNameBytesMax = 200;

enum class KeyStatus : uint8_t { kActive, kRevoked };
struct TenantKey {
  std::string key_id;
  std::string name;
  std::string prefix;  // the beginning of the key
  KeyStatus status = KeyStatus::kActive;
  protocol::Time created_at;
  std::optional<protocol::Time> last_used_at;
  static constexpr void Fields(auto& field) {
    using T = TenantKey;
    field("keyId", &T::key_id, "");
    field("name", &T::name, "");
    field("prefix", &T::prefix, "the first characters of the key, to recognise it by");
    field("status", &T::status, "a revoked one opens nothing");
    field("createdAt", &T::created_at, "");
    field("lastUsedAt", &T::last_used_at, "to the minute");
  }
};

// "ptk_" and 64 hexadecimal digits of 32 random bytes.
std::string TenantKeyFrom(std::string_view random_bytes);

struct NewTenantKey {
  std::string key_id;
  std::string secret;  // TenantKeyFrom
  std::string name;
};
protocol::Result<TenantKey> MakeTenantKey(RecordTransaction& tx, const NewTenantKey& wish);
// NOT_FOUND; a repeat changes nothing.
protocol::Result<TenantKey> RevokeTenantKey(RecordTransaction& tx, const std::string& key_id);
// In order of createdAt, then of id.
protocol::Result<std::vector<TenantKey>> ListTenantKeys(const RecordReads& reads);

// Finds the owner of a key; nullopt if the key is unknown or revoked.
struct KnownTenantKey {
  protocol::TenantId tenant;
  std::string key_id;
};
protocol::Result<std::optional<KnownTenantKey>> FindTenantKey(const storage::Reader& reader,
                                                              std::string_view secret, protocol::Time now,
                                                              const storage::Sealer& sealer);
// Does nothing if the key is deleted or revoked.
protocol::Status NoteTenantKeyUse(RecordTransaction& tx, std::string_view secret);

}  // namespace parley::accounts

template <>
struct parley::protocol::EnumNames<parley::accounts::KeyStatus> {
  static constexpr std::string_view kNames[] = {"active", "revoked"};
};
