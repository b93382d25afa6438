// Removes rows that a thread has kept long enough (retention.h), a slice at a time.
#pragma once

#include <string_view>

#include "threads/engine/transaction.h"

namespace parley::threads {

inline constexpr size_t kSliceRows = 200;                // read, and at most as many removed
inline constexpr size_t kSliceBytes = size_t{64} << 10;  // read: after these the slice ends

// Removes one slice of what is due. The reply says where the next slice continues (bytes for `from`), and is
// empty when nothing is left to do. A round that a crash interrupts is begun again from the front. A slice
// that finds nothing to remove writes nothing, except for the last one of a round.
Result<Decision> ForgetSlice(Transaction& tx, const TenantId& tenant, ThreadRow head, std::string_view from);

}  // namespace parley::threads
