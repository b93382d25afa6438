// A safety report keeps the two it is between from writing to each other in every thread where both are
// parties, not only in its own. What other threads need to know of it is one row in the partition of the
// pair, SAFETY#, that is there as long as a report is open in some thread of theirs: written and taken away
// together with what opens and ends the report.
#pragma once

#include <optional>

#include "threads/model/decision.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

// Whether the thread of this head holds an open report that only its creator and staff see.
bool HoldsReport(const ThreadRow& head);

struct PairWrite {
  storage::PartitionKey partition;
  storage::RowWrite write;
};
// What a decision asks for beside its own partition; nothing when no first report was opened and no last one
// ended.
std::optional<PairWrite> PairWriteOf(const TenantId& tenant, const Decision& decision);

// Of any thread of the two; of the two that a thread is between.
Result<bool> IsPairReported(const RowReader& rows, const UserId& a, const UserId& b);
Result<bool> IsPairReported(const RowReader& rows, const protocol::Thread& thread);

}  // namespace parley::threads
