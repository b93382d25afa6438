// Applies a declaration to items before they are written, for everything that Parley's services write. Items
// written with a table key are kept as sent and skip these rules.
//
// Pure functions: time and randomness are passed in. Thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "protocol/base/time.h"
#include "storage/declarations/kind_keys.h"
#include "storage/declarations/table_def.h"

namespace parley::storage {

struct Prepared {
  Item item;                           // ready to be written if there are no faults
  std::vector<AttributeFault> faults;  // the first of each attribute
  bool ok() const { return faults.empty(); }
};

// `in` is the whole new item, with the parts of its keys among the attributes, or with the keys themselves;
// it need not repeat parts that are in the keys of `before` (the present item, or nullptr). Secrets are open
// in both. The returned item has
//   - the declared defaults for missing attributes, and lower case (ASCII) for attributes declared so;
//   - fresh derived attributes; one without its sources is left out;
//   - its keys, which the write does not change;
//   - no index key that is null or empty: the item is then not in that index;
//   - its version incremented (1 in a new item) and its times: of the first write, and of the last one, which
//     a new item has only if it is required.
// An optional attribute may be null.
Prepared PrepareForWrite(const TableDef& def, const ItemKind& kind, Item in, const Item* before,
                         protocol::Time now);

}  // namespace parley::storage
