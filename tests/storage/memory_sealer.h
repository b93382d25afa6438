// A sealer for stores in memory.
#pragma once

#include <string_view>

#include "protocol/base/crypto.h"
#include "storage/sealing/sealer.h"

namespace parley::storage {

// Its key is derived from the store's own secret, because such a store cannot be copied.
inline Sealer SealerInMemory(std::string_view store_secret) {
  return Sealer({SealingKey::FromBytes(protocol::HmacSha256(store_secret, "sealing key in memory"))});
}

}  // namespace parley::storage
