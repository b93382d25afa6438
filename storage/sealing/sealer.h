// Seals secrets and opens them again, with AES-256-GCM. Each purpose has a key of its own, derived by HKDF
// from the newest key of the key file; any key of the file opens. What is sealed opens only at the place that
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
  // `keys`: newest first. `store_secret`: opens what earlier versions sealed; empty where nothing of theirs
  // is left, since it is in the store and so keeps no secret.
  explicit Sealer(const std::vector<SealingKey>& keys, std::string_view store_secret = {});

  // Equal values at equal places are sealed alike. REQUIRES: there is a key.
  std::string Seal(SealPurpose purpose, std::string_view place, std::string_view plain) const;
  // nullopt: not sealed, or with another key or for another place or purpose, or damaged.
  std::optional<std::string> Open(SealPurpose purpose, std::string_view place, std::string_view sealed) const;
  // The key of earlier versions; empty: nothing of theirs opens.
  const std::string& StoreKey(SealPurpose purpose) const;

  bool has_keys() const { return keys_ && !keys_->all.empty(); }
  const SealingKeyId& newest() const;  // REQUIRES: there is a key

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

// With which key this was sealed; nullopt: it does not look sealed.
std::optional<SealingKeyId> SealedWith(std::string_view bytes);
// For stores in memory, which nobody can copy: its key is derived from their own secret.
Sealer SealerInMemory(std::string_view store_secret);

}  // namespace parley::storage
