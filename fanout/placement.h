// Where a thread's rows stand in every member's inbox, and what the clock has to do in it: one row for each
// thread, which a pass compares with what should be.
//
// Thread contract: pure; reads over any storage::Reader.
#pragma once

#include <optional>

#include "fanout/keys.h"
#include "fanout/projection.h"
#include "protocol/base/result.h"
#include "threads/model/rows.h"

namespace parley::fanout {

// In every member's inbox alike, and up to which seq that was worked out. And when the clock has something to
// do in the thread; 0: never.
struct Placement {
  protocol::Time place;
  int64_t last_seq = 0;
  int64_t idle_due_ms = 0, tip_due_ms = 0, card_due_ms = 0, forget_due_ms = 0, request_due_ms = 0;
  protocol::Time moving_to;  // 0: nowhere. Some of the rows stand there already.
};
Placement PlacementOf(const threads::ThreadRow& head);
// The clock's part of that alone: where the rows stand does not change, since the head may be ahead of what
// a pass moves.
Placement TimersOf(const threads::ThreadRow& head, const Placement& placed);

protocol::Result<std::optional<Placement>> ReadPlacement(const storage::Reader& reader,
                                                         const TenantId& tenant, const ThreadId& thread);
storage::DerivedWrite PlacementWrite(const TenantId& tenant, const ThreadId& thread,
                                     const Placement& placement);

// Moves a row in the order of time; 0 is no row.
void MoveWake(const TenantId& tenant, Wake wake, int64_t from_ms, int64_t to_ms, Projected* out);
// The same of all that the clock has to do in a thread.
void MoveTimers(const TenantId& tenant, const ThreadId& thread, const Placement& before,
                const Placement& after, Projected* out);

}  // namespace parley::fanout
