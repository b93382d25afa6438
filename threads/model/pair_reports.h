// A safety report keeps its two parties from writing to each other in every thread where both are parties,
// not only in its own. Other threads learn of it from one row in the partition of the pair, SAFETY#, which
// exists while a report is open in any of their threads: it is written and removed together with the change
// that opens or ends the report.
#pragma once

#include <optional>

#include "threads/model/decision.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

// Whether the thread of this head holds an open report that only its creator and staff see. The card of a
// stop by the text policy is none: the stop keeps its author from writing, and nobody else.
bool HoldsReport(const ThreadRow& head);

struct PairWrite {
  storage::PartitionKey partition;
  storage::RowWrite write;
};
// What a decision writes outside its own partition; nothing unless the first report was opened or the last
// one ended.
std::optional<PairWrite> PairWriteOf(const TenantId& tenant, const Decision& decision);

// For any thread of the two; for the two parties of a thread.
Result<bool> IsPairReported(const RowReader& rows, const UserId& a, const UserId& b);
Result<bool> IsPairReported(const RowReader& rows, const protocol::Thread& thread);

}  // namespace parley::threads
