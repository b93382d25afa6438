// A key that seals secrets, and the id by which sealed values and the store name it. The id is a hash of the
// key, so a matching id proves the right key.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace parley::storage {

inline constexpr size_t kSealingKeyBytes = 32;

struct SealingKeyId {
  static constexpr size_t kSize = 8;
  std::string bytes;
  std::string ToText() const;  // 16 hexadecimal digits; "store" for OfStore()
  // The store's own secret, with which earlier versions sealed.
  static SealingKeyId OfStore();
  friend auto operator<=>(const SealingKeyId&, const SealingKeyId&) = default;
};

struct SealingKey {
  SealingKeyId id;
  std::string bytes;
  static SealingKey Random();
  static SealingKey FromBytes(std::string bytes);  // REQUIRES: kSealingKeyBytes of them
};

}  // namespace parley::storage
