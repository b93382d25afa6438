#include "storage/sealing/sealing_key.h"

#include <cassert>
#include <utility>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"

namespace parley::storage {

std::string SealingKeyId::ToText() const {
  return *this == OfStore() ? "store" : protocol::Hex(bytes);
}

SealingKeyId SealingKeyId::OfStore() {
  return {std::string(kSize, '\0')};
}

SealingKey SealingKey::Random() {
  return FromBytes(protocol::RandomBytes(kSealingKeyBytes));
}

SealingKey SealingKey::FromBytes(std::string bytes) {
  assert(bytes.size() == kSealingKeyBytes);
  SealingKeyId id{protocol::HmacSha256(bytes, "parley sealing key id").substr(0, SealingKeyId::kSize)};
  return {std::move(id), std::move(bytes)};
}

}  // namespace parley::storage
