// Shares the open safety reports of a pair between their threads. A report keeps its two parties from writing
// to each other in every thread in which both are parties. The other threads read it from a SAFETY# row in
// the partition of the pair, which is written and removed together with the change that opens or ends the
// report.
#pragma once

#include <optional>

#include "threads/model/decision.h"
#include "threads/model/row_reader.h"

namespace parley::threads {

// Whether the thread has an open report that only its creator and staff see. The card of a text-policy stop
// does not count: a stop keeps only its author from writing.
bool HoldsReport(const ThreadRow& head);

struct PairWrite {
  storage::PartitionKey partition;
  storage::RowWrite write;
};
// The row that a decision writes outside its own partition; nullopt unless the first report was opened or the
// last one ended.
std::optional<PairWrite> PairWriteOf(const TenantId& tenant, const Decision& decision);

// Whether a report is open in any thread of the two; the second form takes the two parties of a thread.
Result<bool> IsPairReported(const RowReader& rows, const UserId& a, const UserId& b);
Result<bool> IsPairReported(const RowReader& rows, const protocol::Thread& thread);

}  // namespace parley::threads
