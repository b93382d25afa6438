// The proof of integration events, as far as the change log reaches back: each event that a tenant asked for
// has been made a row exactly once, the row says what the log says, it is gone only if somebody deleted it
// (or it expired), and no row tells of a change under another id than its own.
#pragma once

#include <functional>
#include <set>

#include "fanout/verify/thread_facts.h"
#include "storage/table.h"

namespace parley::fanout {

// How far events had become rows. Read before the snapshot that CheckEvents is given.
storage::Status ReadEventPlace(const storage::Table& table, storage::Position* out);

// `pending`: threads with events that are yet to become rows are added.
storage::Status CheckEvents(const storage::Table& table, const storage::Reader& snapshot,
                            storage::Position place, const std::function<void(const std::string&)>& differs,
                            std::set<std::pair<protocol::TenantId, protocol::ThreadId>>* pending);

}  // namespace parley::fanout
