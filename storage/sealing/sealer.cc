#include "storage/sealing/sealer.h"

#include <algorithm>
#include <cassert>

#include "protocol/base/crypto.h"

namespace parley::storage {
namespace {

// WARNING: on disk, as are the labels.
constexpr std::string_view kMark(
    "\xff"
    "sealed\x02",
    8);
constexpr std::string_view kLabels[kSealPurposes] = {"parley secret attributes", "parley table key secrets"};
constexpr std::string_view kStoreLabels[kSealPurposes] = {"secret attributes", "table key secrets"};

}  // namespace

Sealer::Sealer(const std::vector<SealingKey>& keys, std::string_view store_secret) {
  auto derived = std::make_shared<Keys>();
  for (const SealingKey& key : keys) {
    Derived& one = derived->all.emplace_back(Derived{key.id, {}});
    for (size_t i = 0; i < kSealPurposes; ++i)
      one.by_purpose[i] = protocol::HkdfSha256(key.bytes, {}, kLabels[i]);
  }
  for (size_t i = 0; i < kSealPurposes && !store_secret.empty(); ++i)
    derived->of_store[i] = protocol::HmacSha256(store_secret, kStoreLabels[i]);
  keys_ = std::move(derived);
}

std::string Sealer::Seal(SealPurpose purpose, std::string_view place, std::string_view plain) const {
  assert(has_keys());
  const Derived& newest = keys_->all.front();
  return std::string(kMark) + newest.id.bytes +
         protocol::SealBytes(newest.by_purpose[static_cast<size_t>(purpose)], plain, place);
}

std::optional<std::string> Sealer::Open(SealPurpose purpose, std::string_view place,
                                        std::string_view sealed) const {
  const auto id = SealedWith(sealed);
  if (!id || !keys_) return std::nullopt;
  const auto key =
      std::find_if(keys_->all.begin(), keys_->all.end(), [&](const Derived& one) { return one.id == *id; });
  if (key == keys_->all.end()) return std::nullopt;
  return protocol::OpenBytes(key->by_purpose[static_cast<size_t>(purpose)],
                             sealed.substr(kMark.size() + SealingKeyId::kSize), place);
}

const std::string& Sealer::StoreKey(SealPurpose purpose) const {
  static const std::string kNone;
  return keys_ ? keys_->of_store[static_cast<size_t>(purpose)] : kNone;
}

const SealingKeyId& Sealer::newest() const {
  assert(has_keys());
  return keys_->all.front().id;
}

std::optional<SealingKeyId> SealedWith(std::string_view bytes) {
  if (!bytes.starts_with(kMark)) return std::nullopt;  // cut short after the mark, so it names no key
  return SealingKeyId{std::string(bytes.substr(kMark.size(), SealingKeyId::kSize))};
}

}  // namespace parley::storage
