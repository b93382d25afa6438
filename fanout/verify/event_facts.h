// Checks integration events as far as the change log reaches back: each event that a tenant subscribed to
// became a row exactly once, the row agrees with the log and is missing only if it was deleted or expired,
// and each row's id is the one that its change gives.
#pragma once

#include <functional>
#include <set>

#include "fanout/verify/thread_facts.h"
#include "storage/table.h"

namespace parley::fanout {

// Reads the log position up to which events are rows. Call before taking the snapshot for CheckEvents.
storage::Status ReadEventPlace(const storage::Table& table, storage::Position* out);

// Adds the threads with events that are not rows yet to `pending`.
storage::Status CheckEvents(const storage::Table& table, const storage::Reader& snapshot,
                            storage::Position place, const std::function<void(const std::string&)>& differs,
                            std::set<std::pair<protocol::TenantId, protocol::ThreadId>>* pending);

}  // namespace parley::fanout
