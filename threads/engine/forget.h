// Takes away what a thread kept long enough (retention.h), a slice at a time.
#pragma once

#include <string_view>

#include "threads/engine/stage.h"

namespace parley::threads {

inline constexpr size_t kSliceRows = 200;                // read, and at most as many taken away
inline constexpr size_t kSliceBytes = size_t{64} << 10;  // read: after these the slice ends

// One slice of what is due. The reply says where the next slice goes on (bytes for `from`), and is empty when
// nothing is left to do. What a crash leaves of a round is begun again from the front. A slice that finds
// nothing to take away writes nothing, but for the last one of a round.
Result<Decision> ForgetSlice(Stage& stage, const TenantId& tenant, ThreadRow head, std::string_view from);

}  // namespace parley::threads
