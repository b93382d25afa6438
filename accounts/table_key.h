// A table key: a tenant's back end signs its requests to tables with it. Verifying signatures needs its
// secret in clear, so it is stored sealed (storage/sealing/sealer.h): the store's files, or a backup without
// the key file, do not reveal it.
//
//   record = a MessagePack map, see TableKeyRecord in table_key.cc; members may be added, none changes its
//            meaning. The tenant and the access key id are the row's key, and the seal is bound to them: a
//            record that was moved to another row does not open.
//
// Pure functions, any thread.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/ids.h"
#include "protocol/base/time.h"
#include "protocol/field_types.h"
#include "storage/sealing/sealer.h"

namespace parley::accounts {

// "PKT" and 17 of A-Z2-7: as long as Amazon's, which some tools require.
struct AccessKeyId {
  protocol::KeyText value;
  static std::optional<AccessKeyId> FromText(std::string_view text);
  const std::string& ToText() const { return value.text(); }
  friend auto operator<=>(const AccessKeyId&, const AccessKeyId&) = default;
};

enum class TableKeyStatus : uint8_t { kActive, kRevoked };

inline constexpr size_t kTableKeyNameMax = 100;
inline constexpr size_t kTableKeyTablesMax = 100;

struct TableKey {
  protocol::TenantId tenant;
  AccessKeyId id;
  std::string sealed_secret;
  std::string name;
  std::vector<std::string> tables;  // the tables that it opens; empty: all
  bool read_only = false;
  TableKeyStatus status = TableKeyStatus::kActive;
  protocol::Time created_at;
  std::optional<protocol::Time> last_used_at;  // to the hour
  // The request that made it, so that a repeat makes no second key.
  std::string idempotency_key;
  std::string request_digest;
};

// Random bytes; tests pass a source that repeats.
using RandomSource = std::function<std::string(size_t)>;
AccessKeyId NewAccessKeyId(const RandomSource& random);
std::string NewTableSecret(const RandomSource& random);  // 40 characters of the base64 alphabet

// 3 to 255 of A-Za-z0-9_.-, as DynamoDB requires for the name of a table.
bool IsTableName(std::string_view text);

// Whether the key may be used for this, now.
bool Allows(const TableKey& key, std::string_view table, bool write);

// Seals and opens secrets, each for its key alone.
class TableKeySeal {
 public:
  explicit TableKeySeal(storage::Sealer sealer);
  std::string Seal(const TableKey& key, std::string_view secret) const;
  std::optional<std::string> Open(const TableKey& key) const;  // nullopt: damaged, or not sealed here
  // The key that sealed the secret.
  static storage::SealingKeyId SealOf(const TableKey& key);

 private:
  const storage::Sealer sealer_;
};

std::string EncodeTableKey(const TableKey& key);
// Returns nullopt if it is not a record.
std::optional<TableKey> DecodeTableKey(const protocol::TenantId& tenant, const AccessKeyId& id,
                                       std::string_view record);

}  // namespace parley::accounts

template <>
struct parley::protocol::EnumNames<parley::accounts::TableKeyStatus> {
  static constexpr std::string_view kNames[] = {"active", "revoked"};
};
