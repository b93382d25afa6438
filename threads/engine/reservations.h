// Writes and removes reservations in a user's partition, which precede an act that spans partitions (CREATE#,
// INQUIRY#, BROADCAST#). Each reservation is written together with a row in order of time, in one partition
// per tenant. Reservations from versions that wrote no such row stay.
//
// Thread contract: the two that take a transaction run on the first executor, which alone writes reservations
// (executors.h).
#pragma once

#include "threads/engine/transaction.h"
#include "threads/model/retention.h"

namespace parley::threads {

inline constexpr int64_t kReservedMs = kIdempotencyTtlMs;  // the time until it is checked
// The time until the next check if it is still needed.
inline constexpr int64_t kLookedAtAgainMs = 30 * kDayMs;

// Writes a reservation of `owner`, ahead of the decision in progress.
void ReserveFor(Transaction& tx, const TenantId& tenant, const UserId& owner, const storage::SortKey& sort,
                std::string payload);

// Removes reservations that are due and no longer needed, at most a slice; the reply is empty when no more
// are due.
Result<Decision> ForgetReservations(Transaction& tx, const TenantId& tenant);

// The time when the tenant's first reservation is due. Any thread.
std::optional<Time> FirstReservationDue(const storage::Reader& reader, const TenantId& tenant);

}  // namespace parley::threads
