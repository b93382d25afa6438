#include "accounts/table_key.h"

#include <algorithm>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/schema.h"
#include "protocol/writer.h"

namespace parley::accounts {
namespace {

constexpr std::string_view kTableKeyIdPrefix = "PKT";
constexpr size_t kIdRandom = 17;
constexpr std::string_view kIdAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr size_t kTableSecretSize = 40;
constexpr std::string_view kSecretAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr protocol::DecodeLimits kRecordLimits{size_t{1} << 20, 4, 1024};

// The stored form. New members are Omit<>, so that older records stay readable.
struct TableKeyRecord {
  std::string sealed_secret;  // base64url
  std::string name;
  protocol::List<std::string, kTableKeyTablesMax> tables;
  bool read_only = false;
  TableKeyStatus status = TableKeyStatus::kActive;
  protocol::Time created_at;
  protocol::Omit<protocol::Time> last_used_at;
  protocol::Omit<std::string> idempotency_key;
  protocol::Omit<std::string> request_digest;  // base64url
  static constexpr void Fields(auto& field) {
    using T = TableKeyRecord;
    field("sealedSecret", &T::sealed_secret, "");
    field("name", &T::name, "");
    field("tables", &T::tables, "");
    field("readOnly", &T::read_only, "");
    field("status", &T::status, "");
    field("createdAt", &T::created_at, "");
    field("lastUsedAt", &T::last_used_at, "");
    field("idempotencyKey", &T::idempotency_key, "");
    field("requestDigest", &T::request_digest, "");
  }
};

// Evenly distributed: the alphabet's size divides 256.
std::string Spell(std::string bytes, std::string_view alphabet) {
  for (char& c : bytes) c = alphabet[static_cast<unsigned char>(c) % alphabet.size()];
  return bytes;
}

std::string PlaceOf(const TableKey& key) {
  return key.tenant.ToText() + "/" + key.id.ToText();
}

protocol::Omit<std::string> NonEmpty(std::string text) {
  return {text.empty() ? std::nullopt : std::optional(std::move(text))};
}

}  // namespace

std::optional<AccessKeyId> AccessKeyId::FromText(std::string_view text) {
  if (text.size() != kTableKeyIdPrefix.size() + kIdRandom || !text.starts_with(kTableKeyIdPrefix))
    return std::nullopt;
  if (text.find_first_not_of(kIdAlphabet) != std::string_view::npos) return std::nullopt;
  return AccessKeyId{protocol::KeyText::UpToNul(text)};
}

AccessKeyId NewAccessKeyId(const RandomSource& random) {
  return AccessKeyId{
      protocol::KeyText::UpToNul(std::string(kTableKeyIdPrefix) + Spell(random(kIdRandom), kIdAlphabet))};
}

std::string NewTableSecret(const RandomSource& random) {
  return Spell(random(kTableSecretSize), kSecretAlphabet);
}

bool IsTableName(std::string_view text) {
  return text.size() >= 3 && text.size() <= 255 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                  c == '.' || c == '-';
         });
}

bool Allows(const TableKey& key, std::string_view table, bool write) {
  if (key.status != TableKeyStatus::kActive || (write && key.read_only)) return false;
  return key.tables.empty() || std::find(key.tables.begin(), key.tables.end(), table) != key.tables.end();
}

TableKeySeal::TableKeySeal(storage::Sealer sealer) : sealer_(std::move(sealer)) {}

std::string TableKeySeal::Seal(const TableKey& key, std::string_view secret) const {
  return sealer_.Seal(storage::SealPurpose::kTableKeys, PlaceOf(key), secret);
}

std::optional<std::string> TableKeySeal::Open(const TableKey& key) const {
  constexpr auto kPurpose = storage::SealPurpose::kTableKeys;
  if (storage::SealedWith(key.sealed_secret)) return sealer_.Open(kPurpose, PlaceOf(key), key.sealed_secret);
  const std::string& of_store = sealer_.StoreKey(kPurpose);
  if (of_store.empty()) return std::nullopt;
  return protocol::OpenBytes(protocol::HmacSha256(of_store, PlaceOf(key)), key.sealed_secret);
}

storage::SealingKeyId TableKeySeal::SealOf(const TableKey& key) {
  return storage::SealedWith(key.sealed_secret).value_or(storage::SealingKeyId::OfStore());
}

std::string EncodeTableKey(const TableKey& key) {
  TableKeyRecord record;
  record.sealed_secret = protocol::Base64Url(key.sealed_secret);
  record.name = key.name;
  record.tables.items = key.tables;
  record.read_only = key.read_only;
  record.status = key.status;
  record.created_at = key.created_at;
  record.last_used_at.value = key.last_used_at;
  record.idempotency_key = NonEmpty(key.idempotency_key);
  record.request_digest = NonEmpty(protocol::Base64Url(key.request_digest));
  return protocol::Encode(record);
}

std::optional<TableKey> DecodeTableKey(const protocol::TenantId& tenant, const AccessKeyId& id,
                                       std::string_view bytes) {
  protocol::Document document;
  TableKeyRecord record;
  if (protocol::DecodeMsgpack(std::string(bytes), kRecordLimits, &document) != nullptr) return std::nullopt;
  if (!protocol::Bind(document.root, &record).ok()) return std::nullopt;
  TableKey key;
  key.tenant = tenant;
  key.id = id;
  key.name = std::move(record.name);
  key.tables = std::move(record.tables.items);
  key.read_only = record.read_only;
  key.status = record.status;
  key.created_at = record.created_at;
  key.last_used_at = record.last_used_at.value;
  key.idempotency_key = record.idempotency_key.value.value_or("");
  if (!protocol::FromBase64Url(record.sealed_secret, &key.sealed_secret)) return std::nullopt;
  if (!protocol::FromBase64Url(record.request_digest.value.value_or(""), &key.request_digest))
    return std::nullopt;
  return key;
}

}  // namespace parley::accounts
