// Reads wakes, the timed work of threads, from their index, which the inbox projection keeps. Any thread.
#pragma once

#include <vector>

#include "fanout/keys.h"
#include "storage/table.h"

namespace parley::fanout {

// Reads the first `limit` wakes of a tenant at or after `from`, earliest first, due or not. Completed work
// leaves deleted rows at the front of the index, so a reader should remember its place.
storage::Status ReadWakes(const storage::Reader& reader, const TenantId& tenant, protocol::Time from,
                          size_t limit, std::vector<Wake>* out);

}  // namespace parley::fanout
