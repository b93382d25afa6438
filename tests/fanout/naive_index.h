// Recomputes the derived tables from the threads' rows in the slow and obvious way: message by message,
// without DEL# rows and without the projections' code. The projections must have written the same rows.
#pragma once

#include <set>
#include <string>

#include "storage/table.h"

namespace parley::fanout {

// Rows as text: "demo/buyer main 2025-… thrd_… unread=1 …".
std::set<std::string> ExpectedInboxRows(const storage::Reader& reader);
std::set<std::string> StoredInboxRows(const storage::Reader& reader);
// "demo lbg:L1 2025-… thrd_…"
std::set<std::string> ExpectedProjectRows(const storage::Reader& reader);
std::set<std::string> StoredProjectRows(const storage::Reader& reader);

void ExpectExactIndexes(const storage::Reader& reader);

}  // namespace parley::fanout
