// Reads wakes, the timed work of threads, from the index in order of time. The inbox projection keeps the
// index. Any thread.
#pragma once

#include <vector>

#include "fanout/keys.h"
#include "storage/table.h"

namespace parley::fanout {

// The first `limit` of a tenant at or after `from`, earliest first, due or not. Work that was done leaves
// deleted rows at the front of the index, which a reader that remembers its place can skip.
storage::Status ReadWakes(const storage::Reader& reader, const TenantId& tenant, protocol::Time from,
                          size_t limit, std::vector<Wake>* out);

}  // namespace parley::fanout
