// Seals secrets and opens them again, with AES-256-GCM. Each purpose has a key of its own, derived by HKDF
// from the newest key of the key file; any key of the file opens. A sealed value opens only at the place that
// it was sealed for: no other tenant, table, item or attribute.
//
//   sealed = ff 's' 'e' 'a' 'l' 'e' 'd' 02 | id of the key (8) | SealBytes (protocol/base/crypto.h)
//
// Immutable, cheap to copy, thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/sealing/sealing_key.h"

namespace parley::storage {

enum class SealPurpose : uint8_t { kAttributes, kTableKeys };
inline constexpr size_t kSealPurposes = 2;

class Sealer {
 public:
  Sealer() = default;  // opens and seals nothing
  // `keys`: newest first. `store_secret`: opens values that earlier versions sealed; empty if none are left,
  // because it is in the store and so protects nothing.
  explicit Sealer(const std::vector<SealingKey>& keys, std::string_view store_secret = {});

  // Equal values at equal places give equal bytes. REQUIRES: it has a key.
  std::string Seal(SealPurpose purpose, std::string_view place, std::string_view plain) const;
  // Returns nullopt if the value is damaged, not sealed, or sealed with another key, place or purpose.
  std::optional<std::string> Open(SealPurpose purpose, std::string_view place, std::string_view sealed) const;
  // The key of earlier versions; empty if their values cannot be opened.
  const std::string& StoreKey(SealPurpose purpose) const;

  bool has_keys() const { return keys_ && !keys_->all.empty(); }
  const SealingKeyId& newest() const;  // REQUIRES: it has a key

 private:
  struct Derived {
    SealingKeyId id;
    std::string by_purpose[kSealPurposes];
  };
  struct Keys {
    std::vector<Derived> all;
    std::string of_store[kSealPurposes];
  };
  std::shared_ptr<const Keys> keys_;
};

// The key that a value was sealed with; nullopt if it does not look sealed.
std::optional<SealingKeyId> SealedWith(std::string_view bytes);

}  // namespace parley::storage
