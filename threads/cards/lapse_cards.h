// Cards whose time is over. Triggered by the clock, not by an op: clock/clock_tasks.h posts it.
#pragma once

#include "threads/engine/transaction.h"

namespace parley::threads {

// Moves every card of a thread whose time is over to EXPIRED. Changes nothing when there is none (any more).
Result<Decision> LapseCards(Transaction& tx, const TenantId& tenant, const ThreadId& thread);

}  // namespace parley::threads
