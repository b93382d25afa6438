// What is reserved in a user's partition ahead of something that spans partitions (CREATE#, INQUIRY#,
// BROADCAST#), and how it is taken away again: each reservation has a row in order of time, a partition for a
// tenant, written with it. Reservations of versions that wrote no such row stay.
//
// Thread contract: the two that take a stage run on the first executor, where alone reservations are written
// (executors.h).
#pragma once

#include "threads/engine/stage.h"
#include "threads/model/retention.h"

namespace parley::threads {

inline constexpr int64_t kReservedMs = kIdempotencyTtlMs;  // then it is looked at
inline constexpr int64_t kLookedAtAgainMs = 30 * kDayMs;   // what is needed for longer

// Stages a reservation of `owner`.
void ReserveFor(Stage& stage, const TenantId& tenant, const UserId& owner, const storage::SortKey& sort,
                std::string payload);

// Takes away what is due and no longer needed, at most a slice; the reply is empty when nothing more is due.
Result<Decision> ForgetReservations(Stage& stage, const TenantId& tenant);

// When the first of the tenant's is looked at. Any thread.
std::optional<Time> FirstReservationDue(const storage::Reader& reader, const TenantId& tenant);

}  // namespace parley::threads
