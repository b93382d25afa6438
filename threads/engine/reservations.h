// Reservations in a user's partition, made ahead of something that spans partitions (CREATE#, INQUIRY#,
// BROADCAST#), and their removal: each reservation is written together with a row in order of time, in one
// partition per tenant. Reservations from versions that wrote no such row stay.
//
// Thread contract: the two that take a transaction run on the first executor, which alone writes reservations
// (executors.h).
#pragma once

#include "threads/engine/transaction.h"
#include "threads/model/retention.h"

namespace parley::threads {

inline constexpr int64_t kReservedMs = kIdempotencyTtlMs;  // then it is checked
inline constexpr int64_t kLookedAtAgainMs = 30 * kDayMs;   // for what is needed longer

// Stages a reservation of `owner`.
void ReserveFor(Transaction& tx, const TenantId& tenant, const UserId& owner, const storage::SortKey& sort,
                std::string payload);

// Removes what is due and no longer needed, at most a slice; the reply is empty when nothing more is due.
Result<Decision> ForgetReservations(Transaction& tx, const TenantId& tenant);

// When the tenant's first reservation is checked. Any thread.
std::optional<Time> FirstReservationDue(const storage::Reader& reader, const TenantId& tenant);

}  // namespace parley::threads
