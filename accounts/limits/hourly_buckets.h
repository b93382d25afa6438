// Counts the requests of a subscription by the hour in the table `llm-request-buckets`, which the tenant's
// own programs read, too, and adds them up over a rolling day: the present hour and the 23 before it. A
// bucket is kept for 25 hours from the beginning of its hour.
//
// Counting is a decision of the one item writer, so it is exact under concurrency, and the count is on disk
// before the reply. A rejected request counts nothing.
//
// Thread contract: as RecordReads and RecordTransaction have it.
#pragma once

#include "accounts/records/records.h"

namespace parley::accounts {

// In the present hour and the 23 before.
protocol::Result<int64_t> RequestsOfDay(const RecordReads& records, std::string_view subscription);

// Counts `count` more and returns the hour's new total; the caller commits. Once per decision.
protocol::Result<int64_t> CountRequests(RecordTransaction& records, std::string_view subscription,
                                        int64_t count = 1);

// The same, unless the day would exceed `most`: then RATE_LIMITED with the time until an hour with requests
// drops out of the 24. Returns the day's new total.
protocol::Result<int64_t> CountRequestsWithin(RecordTransaction& records, std::string_view subscription,
                                              int64_t most, int64_t count = 1);

}  // namespace parley::accounts
