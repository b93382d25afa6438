// Expires cards whose time is over. The clock calls it (clock/clock_tasks.h), not an op.
#pragma once

#include "threads/engine/transaction.h"

namespace parley::threads {

// Moves all lapsed cards of a thread to EXPIRED. Changes nothing if no card has lapsed.
Result<Decision> LapseCards(Transaction& tx, const TenantId& tenant, const ThreadId& thread);

}  // namespace parley::threads
