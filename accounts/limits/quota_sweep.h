// Removes the rows of quotas that nobody misses: of whoever has counted nothing for kQuotaKeptMs. What stays
// is in proportion to those who wrote or started something in the last month, however many there ever were.
//
// Each row has a place in order of time, made in the commit that made the row, so that finding what is due
// reads no row that is not. A row and its place have one writer, the executor whose number they bear; what
// removes them is a decision of the same one, so no charge is under way in between. A place whose row has
// another, or is gone, is just removed; one whose row counted something since moves on with it.
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

inline constexpr size_t kQuotaSlice = 200;  // places looked at together
struct QuotaSlice {
  struct Write {
    storage::PartitionKey partition;
    storage::SortKey sort;
    std::optional<std::string> payload;  // none: the row goes
  };
  std::vector<Write> writes;  // in this order
  bool more = false;          // is due at once
};
// What the executor is to write of what is due. UNAVAILABLE: the rows cannot be read now.
protocol::Result<QuotaSlice> ForgetQuotas(const storage::Reader& reader, const protocol::TenantId& tenant,
                                          size_t executor, protocol::Time now);

}  // namespace parley::accounts
