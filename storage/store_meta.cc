#include "storage/store_meta.h"

#include "protocol/base/crypto.h"
#include "protocol/base/ids.h"
#include "storage/key.h"
#include "storage/rocksdb_table.h"

namespace parley::storage {
namespace {

constexpr size_t kSecretSize = 32;

}  // namespace

StoreMeta NewStoreMeta() {
  protocol::Ulid random;
  protocol::RandomBytes(random.bytes.data(), random.bytes.size());
  return {
      kStoreFormat, "Parley " PARLEY_VERSION, {"ep_" + random.ToText(), protocol::RandomBytes(kSecretSize)}};
}

std::string EncodeMeta(const StoreMeta& meta) {
  return KeyWriter()
             .Number(meta.format)
             .Text(protocol::KeyText::UpToNul(meta.written_by))
             .Text(protocol::KeyText::UpToNul(meta.identity.epoch))
             .Bytes() +
         meta.identity.secret;
}

std::optional<StoreMeta> DecodeMeta(std::string_view payload) {
  StoreMeta meta;
  KeyReader head(payload);
  if (!head.Number(&meta.format) || !head.Text(&meta.written_by)) return std::nullopt;
  if (meta.format != kStoreFormat) return meta;
  if (!head.Text(&meta.identity.epoch)) return std::nullopt;
  const size_t read = 8 + meta.written_by.size() + 1 + meta.identity.epoch.size() + 1;
  meta.identity.secret = payload.substr(read);
  if (meta.identity.secret.size() != kSecretSize) return std::nullopt;
  return meta;
}

}  // namespace parley::storage
