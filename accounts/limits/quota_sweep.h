// Removes the quota rows of subjects that have counted nothing for kQuotaKeptMs. So the number of rows is
// proportional to the users who were active in the last month, not to all users ever.
//
// Each row has a place in order of time, written in the commit that created the row, so that finding due rows
// reads no others. A row and its place have one writer, the executor whose number they bear; the removal is a
// decision of the same executor, so no charge runs in between. A place is removed if its row has another or
// is missing; if its row has counted since, or has a level, the place moves on.
//
// Thread contract: pure; FirstQuotasDue on any thread, ForgetQuotas where the executor's commands are
// decided.
#pragma once

#include <vector>

#include "accounts/limits/quota_row.h"
#include "protocol/base/result.h"
#include "storage/table.h"

namespace parley::accounts {

// The earliest place of each executor's rows.
struct QuotaDue {
  size_t executor = 0;
  protocol::Time at;
};
storage::Status FirstQuotasDue(const storage::Reader& reader, const protocol::TenantId& tenant,
                               std::vector<QuotaDue>* out);

inline constexpr size_t kQuotaSlice = 200;  // places per slice
struct QuotaSlice {
  struct Write {
    storage::PartitionKey partition;
    storage::SortKey sort;
    std::optional<std::string> payload;  // none: deletes the row
  };
  std::vector<Write> writes;  // in this order
  bool more = false;          // more are due now
};
// The executor's writes for due rows. UNAVAILABLE: the rows cannot be read now.
protocol::Result<QuotaSlice> ForgetQuotas(const storage::Reader& reader, const protocol::TenantId& tenant,
                                          size_t executor, protocol::Time now);

}  // namespace parley::accounts
