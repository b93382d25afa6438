// What a declaration says about items, applied before they are written: by Parley's services to everything
// that they write. What a table key writes is kept as it was sent, and does not pass here.
//
// Pure functions: time and chance are passed in. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "protocol/base/time.h"
#include "storage/declarations/kind_keys.h"
#include "storage/declarations/table_def.h"

namespace parley::storage {

struct Prepared {
  Item item;                           // to be written, if there are no faults
  std::vector<AttributeFault> faults;  // the first of each attribute
  bool ok() const { return faults.empty(); }
};

// `in` is the whole item as it is to be, with the parts of its keys among the attributes, or the keys
// themselves; what `before` (the item as it is; nullptr: there is none) says about the keys need not be
// repeated. Secrets are open in both. The item that comes out has
//   - what the declaration gives where nothing is given, and folded to lower case (ASCII) what it says;
//   - its derived attributes made anew: one whose sources are not there is not there;
//   - its keys, which the write does not change;
//   - no index key that is null or empty: the item is then not in that index;
//   - its version counted up (1 in a new item) and its times: of the first write, and of the last one, which
//     in a new item is there only if it is required.
// An attribute that is not required may be null.
Prepared PrepareForWrite(const TableDef& def, const ItemKind& kind, Item in, const Item* before,
                         protocol::Time now);

// How long to wait before the next try of a change whose version was outdated: 50, 100 and 200 ms and up to a
// fifth more; nullopt after that, and the caller is told. `failures`: so far, from 1 on.
std::optional<int64_t> RetryDelayMs(int failures, uint32_t random);

}  // namespace parley::storage
