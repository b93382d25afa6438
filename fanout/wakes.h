// What the clock has to do, read from the index in order of time. The inbox projection keeps it. Any thread.
#pragma once

#include <vector>

#include "fanout/keys.h"
#include "storage/table.h"

namespace parley::fanout {

// The first `limit` of a tenant, earliest first; those that are due and those that are not.
storage::Status ReadWakes(const storage::Reader& reader, const TenantId& tenant, size_t limit,
                          std::vector<Wake>* out);

}  // namespace parley::fanout
