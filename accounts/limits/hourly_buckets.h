// Requests of a subscription, counted by the hour in the table `llm-request-buckets`, where the tenant's own
// programs see them too, and added up over a rolling day: the hour that is now and the 23 before it.
// A bucket is there for 25 hours from the beginning of its hour.
//
// Counting is a decision of the one item writer, so that it is exact however many count at once, and what was
// answered is on disk. What refuses counts nothing.
//
// Thread contract: as RecordReads and RecordStage have it.
#pragma once

#include "accounts/records/records.h"

namespace parley::accounts {

// In the hour that is now and the 23 before.
protocol::Result<int64_t> RequestsOfDay(const RecordReads& records, std::string_view subscription);

// Counts `count` more and returns how many the hour has then; the caller commits. Once in a decision.
protocol::Result<int64_t> CountRequests(RecordStage& records, std::string_view subscription,
                                        int64_t count = 1);

// The same, unless the day would have more than `most`: then RATE_LIMITED with the time until an hour that
// counted something is no longer among the 24. Returns how many the day has then.
protocol::Result<int64_t> CountRequestsWithin(RecordStage& records, std::string_view subscription,
                                              int64_t most, int64_t count = 1);

}  // namespace parley::accounts
