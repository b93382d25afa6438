#include "fanout/placement.h"

#include <algorithm>

#include "protocol/base/unreadable.h"
#include "protocol/base/varint.h"
#include "threads/inbox/entry.h"
#include "threads/model/open_cards.h"
#include "threads/model/requests.h"
#include "threads/model/retention.h"
#include "threads/model/row_reader.h"

namespace parley::fanout {

using threads::ClockTask;

Placement PlacementOf(const threads::ThreadRow& head) {
  const auto ms = [](const protocol::Omit<protocol::Time>& at) { return at.value ? at.value->ms : 0; };
  return {threads::InboxPlace(head),       head.item.last_seq,
          ms(head.hidden.idle_due_at),     ms(head.hidden.tip_due_at),
          ms({threads::NextDue(head)}),    ms({threads::NextForgetting(head)}),
          ms({threads::RequestDue(head)}), {}};
}

Placement TimersOf(const threads::ThreadRow& head, const Placement& placed) {
  Placement next = PlacementOf(head);
  next.place = placed.place;
  next.last_seq = placed.last_seq;
  next.moving_to = placed.moving_to;
  return next;
}

protocol::Result<std::optional<Placement>> ReadPlacement(const storage::Reader& reader,
                                                         const TenantId& tenant, const ThreadId& thread) {
  std::optional<storage::Row> row;
  const auto status = reader.Get(PlacementPartition(tenant, thread), InboxPlacementKey(), &row);
  if (!status.ok()) return threads::FromStorage(status);
  if (!row) return std::optional<Placement>();
  const protocol::Error unreadable = protocol::UnreadableStored();
  std::string_view rest = row->payload;
  uint64_t ms, seq, idle, tip, card, forget, moving;
  if (!protocol::TakeVarint(&rest, &ms) || !protocol::TakeVarint(&rest, &seq) ||
      !protocol::TakeVarint(&rest, &idle) || !protocol::TakeVarint(&rest, &tip) ||
      !protocol::TakeVarint(&rest, &card) || !protocol::TakeVarint(&rest, &forget) ||
      !protocol::TakeVarint(&rest, &moving))
    return unreadable;
  uint64_t request = 0;  // rows of earlier releases end here
  if (!rest.empty() && !protocol::TakeVarint(&rest, &request)) return unreadable;
  return std::optional(Placement{
      protocol::Time{static_cast<int64_t>(ms)}, static_cast<int64_t>(seq), static_cast<int64_t>(idle),
      static_cast<int64_t>(tip), static_cast<int64_t>(card), static_cast<int64_t>(forget),
      static_cast<int64_t>(request), protocol::Time{static_cast<int64_t>(moving)}});
}

storage::DerivedWrite PlacementWrite(const TenantId& tenant, const ThreadId& thread,
                                     const Placement& placement) {
  std::string payload;
  protocol::AppendVarint(&payload, static_cast<uint64_t>(placement.place.ms));
  protocol::AppendVarint(&payload, static_cast<uint64_t>(placement.last_seq));
  protocol::AppendVarint(&payload, static_cast<uint64_t>(placement.idle_due_ms));
  protocol::AppendVarint(&payload, static_cast<uint64_t>(placement.tip_due_ms));
  protocol::AppendVarint(&payload, static_cast<uint64_t>(placement.card_due_ms));
  protocol::AppendVarint(&payload, static_cast<uint64_t>(placement.forget_due_ms));
  protocol::AppendVarint(&payload, static_cast<uint64_t>(placement.moving_to.ms));
  if (placement.request_due_ms > 0)
    protocol::AppendVarint(&payload, static_cast<uint64_t>(placement.request_due_ms));
  return {PlacementPartition(tenant, thread), InboxPlacementKey(), storage::Row{1, std::move(payload)}};
}

void MoveWake(const TenantId& tenant, Wake wake, int64_t from_ms, int64_t to_ms, Projected* out) {
  if (from_ms == to_ms) return;
  wake.at.ms = from_ms;
  if (from_ms) out->writes.push_back({WakePartition(tenant), WakeKey(wake), std::nullopt});
  wake.at.ms = to_ms;
  if (!to_ms) return;
  out->writes.push_back({WakePartition(tenant), WakeKey(wake), storage::Row{1, {}}});
  out->wake = out->wake ? std::min(*out->wake, wake.at) : wake.at;
}

void MoveTimers(const TenantId& tenant, const ThreadId& thread, const Placement& before,
                const Placement& after, Projected* out) {
  MoveWake(tenant, {{}, ClockTask::kIdle, thread, {}}, before.idle_due_ms, after.idle_due_ms, out);
  MoveWake(tenant, {{}, ClockTask::kTip, thread, {}}, before.tip_due_ms, after.tip_due_ms, out);
  MoveWake(tenant, {{}, ClockTask::kCards, thread, {}}, before.card_due_ms, after.card_due_ms, out);
  MoveWake(tenant, {{}, ClockTask::kForget, thread, {}}, before.forget_due_ms, after.forget_due_ms, out);
  MoveWake(tenant, {{}, ClockTask::kRequest, thread, {}}, before.request_due_ms, after.request_due_ms, out);
}

}  // namespace parley::fanout
