// All projections of a store, wired in the order in which they run.
#pragma once

#include <functional>

#include "fanout/worker.h"

namespace parley::fanout {

// Whether anybody listens for the entries of a user. Called on the worker's thread.
using WantsEntries = std::function<bool(const TenantId&, const UserId&)>;

void AddProjections(WantsEntries wants, Worker* worker);

// The position that every projection has reached.
storage::Position LeastPosition(Worker& worker);

}  // namespace parley::fanout
