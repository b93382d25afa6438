// Credits: what a user spends on conversations with strangers, granted anew each month (UTC). The ledger is
// one row per user, in their own partition, written in the commit that makes the conversation: what is on
// disk was paid for once, and what is not was not. Only the first executor makes conversations
// (threads/engine/ executors.h), and it sees what it has decided itself, so the row is all there is to know.
//
//   CREDITS   varint month | varint spent in it
//
// Thread contract: pure; Spend where conversations are decided.
#pragma once

#include <optional>
#include <string_view>

#include "accounts/tenants/request_settings.h"
#include "protocol/base/ids.h"
#include "protocol/base/result.h"
#include "protocol/base/time.h"
#include "storage/table.h"

namespace parley::accounts {

// What a user is granted depends on them, too.
struct CreditStanding {
  bool verified = false, trusted = false;
  bool frozen = false;         // spends nothing for now
  std::optional<int64_t> cap;  // below the tenant's
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

// Of this month. UNAVAILABLE or INTERNAL: the row cannot be read.
protocol::Result<CreditRow> ReadCredits(const storage::Reader& reader, const protocol::TenantId& tenant,
                                        const protocol::UserId& user, protocol::Time now);
// Whether nothing is spent for now.
bool IsFrozen(const MessageRequests& requests, const CreditStanding& standing);
// What is left; never below 0.
int64_t AvailableOf(const MessageRequests& requests, const CreditStanding& standing, const CreditRow& row);

// The row after spending `cost`; CREDITS_EXHAUSTED.
protocol::Result<storage::CommitRequest> Spend(const storage::Reader& reader,
                                               const protocol::TenantId& tenant, const protocol::UserId& user,
                                               protocol::Time now, int64_t cost,
                                               const MessageRequests& requests,
                                               const CreditStanding& standing);

}  // namespace parley::accounts
