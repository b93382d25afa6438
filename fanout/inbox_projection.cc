#include "fanout/inbox_projection.h"

#include "threads/entry.h"

namespace parley::fanout {
namespace {

using protocol::Error;
using protocol::Ok;
using threads::ParticipantRow;

// Bits of an inbox row's flags; on disk.
constexpr uint64_t kUnread = 1, kPinned = 2, kProject = 4, kRequest = 8, kOpenCards = 16;

// Where a thread's rows stand, in every member's inbox alike, and up to which seq that was worked out.
struct Placement {
  protocol::Time place;
  int64_t last_seq = 0;
};

protocol::Result<std::optional<Placement>> ReadPlacement(const storage::Reader& reader,
                                                         const TenantId& tenant, const ThreadId& thread) {
  std::optional<storage::Row> row;
  const auto status = reader.Get(PlacementPartition(tenant, thread), InboxPlacementKey(), &row);
  if (!status.ok()) return threads::FromStorage(status);
  if (!row) return std::optional<Placement>();
  std::string_view rest = row->payload;
  uint64_t ms, seq;
  if (!threads::TakeVarint(&rest, &ms) || !threads::TakeVarint(&rest, &seq)) {
    return Error(protocol::ErrorCode::kInternal, "stored data can not be read");
  }
  return std::optional(Placement{protocol::Time{static_cast<int64_t>(ms)}, static_cast<int64_t>(seq)});
}

storage::DerivedWrite PlacementWrite(const TenantId& tenant, const ThreadId& thread,
                                     const Placement& placement) {
  std::string payload;
  threads::AppendVarint(&payload, static_cast<uint64_t>(placement.place.ms));
  threads::AppendVarint(&payload, static_cast<uint64_t>(placement.last_seq));
  return {PlacementPartition(tenant, thread), InboxPlacementKey(), storage::Row{1, std::move(payload)}};
}

// Takes away the user's row at `place` from the boxes it may be in, except where the new row goes.
void Vacate(const storage::PartitionKey& inbox, const ThreadId& thread, protocol::Time place, bool both_boxes,
            const std::optional<storage::SortKey>& keep, Projected* out) {
  for (const Box box : {Box::kMain, Box::kArchived}) {
    if (box == Box::kArchived && !both_boxes) continue;
    storage::SortKey key = InboxKey(box, place, thread);
    if (!keep || key != *keep) out->writes.push_back({inbox, std::move(key), std::nullopt});
  }
}

}  // namespace

std::string EncodeInboxRow(const protocol::Entry& entry) {
  std::string out;
  threads::AppendVarint(&out, (entry.unread > 0 ? kUnread : 0) | (entry.pinned ? kPinned : 0) |
                                  (entry.kind == protocol::ThreadKind::kProject ? kProject : 0) |
                                  (entry.request ? kRequest : 0) | (entry.open_cards > 0 ? kOpenCards : 0));
  threads::AppendVarint(&out, entry.muted_until ? static_cast<uint64_t>(entry.muted_until->ms) : 0);
  return out + protocol::Encode(entry);
}

bool DecodeInboxRow(std::string_view payload, InboxRow* out) {
  uint64_t flags, muted_until;
  if (!threads::TakeVarint(&payload, &flags) || !threads::TakeVarint(&payload, &muted_until)) return false;
  out->unread = flags & kUnread;
  out->pinned = flags & kPinned;
  out->project = flags & kProject;
  out->request = flags & kRequest;
  out->open_cards = flags & kOpenCards;
  out->muted_until_ms = static_cast<int64_t>(muted_until);
  out->entry = payload;
  return true;
}

protocol::Status InboxProjection::Project(const storage::Reader& snapshot, const TenantId& tenant,
                                          const ThreadId& thread, const Dirty& dirty, Projected* out) {
  const threads::RowReader rows(snapshot, tenant);
  PARLEY_TRY(head, rows.Thread(thread));
  if (!head) return Ok();
  PARLEY_TRY(old, ReadPlacement(snapshot, tenant, thread));
  // A thread that only saw personal changes stands where it stood: just those users' rows are written.
  const bool everybody = dirty.shared || !old;
  const Placement next = everybody ? Placement{threads::InboxPlace(*head), head->item.last_seq} : *old;

  std::vector<ParticipantRow> participants;
  if (everybody) {
    PARLEY_TRY(all, rows.Participants(thread));
    participants = std::move(all);
  } else {
    for (const UserId& user : dirty.personal) {
      PARLEY_TRY(row, rows.Participant(thread, user));
      if (row) participants.push_back(std::move(*row));
    }
  }
  std::vector<int64_t> deleted;
  if (head->hidden.deleted_count > 0) {
    PARLEY_TRY(found, rows.DeletedAbove(thread, 0));
    deleted = std::move(found);
  }

  for (const ParticipantRow& me : participants) {
    const UserId& user = me.item.user_id;
    const auto inbox = InboxPartition(tenant, user);
    const bool personal = dirty.personal.contains(user);
    // The rows read may be ahead of the entries of this pass, so who came, went or took a thread back since
    // the last pass is told by the rows, not by the entries: the next pass would look at the new place only.
    const bool changed = personal || (old && me.item.seq > old->last_seq);
    if (!me.active()) {
      if (old && changed) Vacate(inbox, thread, old->place, true, std::nullopt, out);
      continue;
    }
    const protocol::Entry entry = threads::ComputeEntry(*head, me, deleted, clock_.Now());
    storage::SortKey key = InboxKey(entry.archived ? Box::kArchived : Box::kMain, next.place, thread);
    const bool both_boxes = changed || me.hidden.archived_at_no.has_value();
    if (old) Vacate(inbox, thread, old->place, both_boxes, key, out);
    out->writes.push_back({inbox, std::move(key), storage::Row{1, EncodeInboxRow(entry)}});
    if (wanted_(tenant, user)) {
      const bool fresh = !old || me.born_seq > old->last_seq;
      out->notices.push_back({tenant, user, thread, protocol::Encode(entry), personal || fresh});
    }
  }
  if (everybody) out->writes.push_back(PlacementWrite(tenant, thread, next));
  return Ok();
}

}  // namespace parley::fanout
