// Stores a thread's place in its members' inboxes and its wakes: one row for each thread, which a pass
// compares with the state that it computes.
//
// Thread contract: pure; reads over any storage::Reader.
#pragma once

#include <optional>

#include "fanout/keys.h"
#include "fanout/projection.h"
#include "protocol/base/result.h"
#include "threads/model/rows.h"

namespace parley::fanout {

// The thread's place, which is the same in every member's inbox, the seq at which it was computed, and the
// thread's wakes (0 for none).
struct Placement {
  protocol::Time place;
  int64_t last_seq = 0;
  int64_t idle_due_ms = 0, tip_due_ms = 0, card_due_ms = 0, forget_due_ms = 0, request_due_ms = 0;
  protocol::Time moving_to;  // 0 unless a move was interrupted: some rows may be at this place already
};
Placement PlacementOf(const threads::ThreadRow& head);
// Takes only the wakes from the head, whose place may be ahead of the rows that the pass moves.
Placement TimersOf(const threads::ThreadRow& head, const Placement& placed);

protocol::Result<std::optional<Placement>> ReadPlacement(const storage::Reader& reader,
                                                         const TenantId& tenant, const ThreadId& thread);
storage::DerivedWrite PlacementWrite(const TenantId& tenant, const ThreadId& thread,
                                     const Placement& placement);

// Moves a wake; 0 means no row.
void MoveWake(const TenantId& tenant, Wake wake, int64_t from_ms, int64_t to_ms, Projected* out);
// The same for all wakes of a thread.
void MoveTimers(const TenantId& tenant, const ThreadId& thread, const Placement& before,
                const Placement& after, Projected* out);

}  // namespace parley::fanout
