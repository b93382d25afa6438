// Creates all projections of a store, in the order in which they run.
#pragma once

#include <functional>

#include "fanout/worker.h"

namespace parley::fanout {

// Returns true if any session receives a user's entries. Called on the worker's thread.
using WantsEntries = std::function<bool(const TenantId&, const UserId&)>;

void AddProjections(WantsEntries wants, Worker* worker);

// Returns the position that every projection has reached.
storage::Position LeastPosition(Worker& worker);

}  // namespace parley::fanout
