// Deleted users who may still have void rows: recorded in the decision that deletes them, until all rows are
// removed, so that a crash in between leaves no rows.
//
//   partition  the records "departed" of the table engine
//   key        tenant, user (texts)
//   value      the place to continue clearing their permissions; empty: at the beginning
//
// Thread contract: reads on any thread; the others within a decision.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "accounts/records/records.h"
#include "protocol/base/ids.h"

namespace parley::accounts {

struct Departed {
  protocol::TenantId tenant;
  protocol::UserId user;
};

void NoteDeparted(RecordTransaction& tx, const protocol::UserId& user, std::string_view goes_on_at = {});
void ForgetDeparted(RecordTransaction& tx, const protocol::UserId& user);
// Returns nullopt if nothing is left to clear.
protocol::Result<std::optional<std::string>> FindDeparted(const RecordReads& reads,
                                                          const protocol::UserId& user);
// Across all tenants.
protocol::Result<std::vector<Departed>> AllDeparted(const storage::Reader& reader, size_t limit);

}  // namespace parley::accounts
