#include "features/requests/credits.h"

#include <algorithm>
#include <chrono>

#include "protocol/base/reason.h"
#include "protocol/base/varint.h"

namespace parley::features {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;
using protocol::Result;
using protocol::Time;

int64_t GrantOf(const MessageRequests& requests, const CreditStanding& standing) {
  int64_t grant = requests.monthly_credits;
  if (standing.verified) grant += requests.bonus_verified;
  if (standing.trusted) grant += requests.bonus_trusted;
  grant = std::min(grant, requests.credits_cap);
  return standing.cap ? std::min(grant, *standing.cap) : grant;
}

int64_t MonthOf(Time at) {
  const std::chrono::sys_time<std::chrono::milliseconds> point{std::chrono::milliseconds(at.ms)};
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(point)};
  return (int64_t{static_cast<int>(day.year())} - 1970) * 12 +
         static_cast<int64_t>(static_cast<unsigned>(day.month())) - 1;
}

storage::PartitionKey CreditPartition(const protocol::TenantId& tenant, const protocol::UserId& user) {
  return storage::PartitionKey::OfText(tenant, storage::TableTag::kUsers, user.value);
}

storage::SortKey CreditKey() {
  return storage::KeyWriter().Tag(storage::UserTag::kCredits).Sort();
}

std::string EncodeCredits(const CreditRow& row) {
  std::string out;
  protocol::AppendVarint(&out, static_cast<uint64_t>(row.month));
  protocol::AppendVarint(&out, static_cast<uint64_t>(row.spent));
  return out;
}

bool DecodeCredits(std::string_view bytes, CreditRow* out) {
  uint64_t month = 0, spent = 0;
  if (!protocol::TakeVarint(&bytes, &month) || !protocol::TakeVarint(&bytes, &spent) || !bytes.empty())
    return false;
  *out = {static_cast<int64_t>(month), static_cast<int64_t>(spent)};
  return true;
}

// A clock that steps back into the previous month grants no new credits.
Result<CreditRow> ReadCredits(const storage::Reader& reader, const protocol::TenantId& tenant,
                              const protocol::UserId& user, Time now) {
  std::optional<storage::Row> stored;
  if (!reader.Get(CreditPartition(tenant, user), CreditKey(), &stored).ok())
    return ErrorFor(Reason::kStoreUnreadable, "the credits cannot be read now");
  CreditRow row;
  if (stored && !DecodeCredits(stored->payload, &row))
    return Error(ErrorCode::kInternal, "the credits' row cannot be read");
  const int64_t month = MonthOf(now);
  if (month > row.month) row = {month, 0};
  return row;
}

bool IsFrozen(const MessageRequests& requests, const CreditStanding& standing) {
  return requests.credits_frozen || standing.frozen;
}

int64_t AvailableOf(const MessageRequests& requests, const CreditStanding& standing, const CreditRow& row) {
  if (IsFrozen(requests, standing)) return 0;
  return std::max<int64_t>(0, GrantOf(requests, standing) - row.spent);
}

Result<storage::CommitRequest> SpendCredits(const storage::Reader& reader, const protocol::TenantId& tenant,
                                            const protocol::UserId& user, Time now, int64_t cost,
                                            const MessageRequests& requests, const CreditStanding& standing) {
  PARLEY_TRY(row, ReadCredits(reader, tenant, user, now));
  if (AvailableOf(requests, standing, row) < cost)
    return ErrorFor(Reason::kNoCredits, "no credits are left this month");
  row.spent += cost;
  storage::CommitRequest out;
  out.partition = CreditPartition(tenant, user);
  out.writes.push_back({CreditKey(), storage::Row{1, EncodeCredits(row)}});
  return out;
}

}  // namespace parley::features
