// Credits: users spend them on conversations with strangers and get new ones each month (UTC). The ledger is
// one row per user, in their own partition, written in the commit that creates the conversation: so each
// conversation on disk was paid for exactly once. Only the first executor creates conversations
// (threads/engine/ executors.h), and it sees its own decisions, so the row is always complete.
//
//   CREDITS   varint month | varint spent in it
//
// Thread contract: pure; call SpendCredits when a conversation is decided.
#pragma once

#include <optional>
#include <string_view>

#include "features/requests/settings.h"
#include "protocol/base/ids.h"
#include "protocol/base/result.h"
#include "protocol/base/time.h"
#include "storage/table.h"

namespace parley::features {

// The user's properties that the grant depends on.
struct CreditStanding {
  bool verified = false, trusted = false;
  bool frozen = false;         // cannot spend for now
  std::optional<int64_t> cap;  // if lower than the tenant's
};
int64_t GrantOf(const MessageRequests& requests, const CreditStanding& standing);

struct CreditRow {
  int64_t month = 0;  // since January 1970
  int64_t spent = 0;
};
int64_t MonthOf(protocol::Time at);
storage::PartitionKey CreditPartition(const protocol::TenantId& tenant, const protocol::UserId& user);
storage::SortKey CreditKey();
std::string EncodeCredits(const CreditRow& row);
[[nodiscard]] bool DecodeCredits(std::string_view bytes, CreditRow* out);

// The row of this month. UNAVAILABLE or INTERNAL: the row cannot be read.
protocol::Result<CreditRow> ReadCredits(const storage::Reader& reader, const protocol::TenantId& tenant,
                                        const protocol::UserId& user, protocol::Time now);
// Whether spending is frozen.
bool IsFrozen(const MessageRequests& requests, const CreditStanding& standing);
// The remaining credits; never below 0.
int64_t AvailableOf(const MessageRequests& requests, const CreditStanding& standing, const CreditRow& row);

// Returns the row after spending `cost`, or CREDITS_EXHAUSTED.
protocol::Result<storage::CommitRequest> SpendCredits(const storage::Reader& reader,
                                                      const protocol::TenantId& tenant,
                                                      const protocol::UserId& user, protocol::Time now,
                                                      int64_t cost, const MessageRequests& requests,
                                                      const CreditStanding& standing);

}  // namespace parley::features
