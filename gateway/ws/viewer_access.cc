#include "gateway/ws/viewer_access.h"

#include <utility>

#include "storage/guarded_reader.h"
#include "threads/lifecycle/view.h"
#include "threads/model/read_context.h"

namespace parley::gateway {

// The row was written by the change that is being delivered, so it is in memory. If it is not, treat the user
// as removed: a returning member opens the thread again.
bool IsMember(const SessionCore& core, const protocol::ThreadId& thread) {
  const storage::Snapshot snapshot = core.node().table().NewSnapshot();
  const storage::MemoryAttempt attempt(*snapshot);
  const auto me = threads::RowReader(attempt, core.tenant()).Participant(thread, core.user());
  if (attempt.missed() || !me.ok()) return false;
  const auto& row = *me;
  return row && row->active();
}

// The case that admitted the user may be closed. The head was written by the change that is being delivered,
// so it is in memory.
bool MayLook(const SessionCore& core, const protocol::ThreadId& thread, bool* masked) {
  const threads::Caller& caller = core.who().caller;
  if (caller.is_staff() && !caller.by_case) return true;
  const storage::Snapshot snapshot = core.node().table().NewSnapshot();
  const storage::MemoryAttempt attempt(*snapshot);
  const auto head = threads::RowReader(attempt, core.tenant()).Thread(thread);
  if (attempt.missed() || !head.ok()) return false;
  const auto standing = threads::RequireStanding(caller, *head, {}, core.clock().Now());
  if (standing.ok()) *masked = standing->masked;
  return standing.ok();
}

std::optional<bool> MaySee(const SessionCore& core, const protocol::ThreadId& thread) {
  const storage::Snapshot snapshot = core.node().table().NewSnapshot();
  const storage::MemoryAttempt attempt(*snapshot);
  const threads::RowReader rows(attempt, core.tenant());
  auto head = rows.Thread(thread);
  auto me = rows.Participant(thread, core.user());
  if (attempt.missed() || !head.ok() || !me.ok()) return std::nullopt;
  return threads::RequireStanding(core.who().caller, *std::move(head), *std::move(me), core.clock().Now())
      .ok();
}

}  // namespace parley::gateway
