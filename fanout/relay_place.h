// The key of the row that stores a relay's position, in the partition of its records.
#pragma once

#include "storage/engine/item_keys.h"

namespace parley::fanout {

inline const storage::SortKey& RelayPlaceKey() {
  static const storage::SortKey key = storage::RecordKey("place");
  return key;
}

}  // namespace parley::fanout
