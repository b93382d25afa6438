// The key of the row that holds how far a relay has come, in the partition of its records.
#pragma once

#include "storage/engine/item_keys.h"

namespace parley::fanout {

inline const storage::SortKey& RelayPlaceKey() {
  static const storage::SortKey key = storage::RecordKey("place");
  return key;
}

}  // namespace parley::fanout
