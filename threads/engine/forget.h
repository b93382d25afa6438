// Removes the rows of a thread whose retention is over (model/retention.h), a slice at a time.
#pragma once

#include <string_view>

#include "threads/engine/transaction.h"

namespace parley::threads {

inline constexpr size_t kSliceRows = 200;                // rows read, and at most as many removed
inline constexpr size_t kSliceBytes = size_t{64} << 10;  // a slice ends after reading this many

// Removes one slice of the rows that are due. The reply is the place to continue from (bytes for `from`), or
// empty at the end. After a crash, a round starts again from the front. A slice that removes no row writes
// nothing, except for the last slice of a round.
Result<Decision> ForgetSlice(Transaction& tx, const TenantId& tenant, ThreadRow head, std::string_view from);

}  // namespace parley::threads
