#include "fanout/inbox_projection.h"

#include <algorithm>

#include "fanout/placement.h"
#include "protocol/base/unreadable.h"
#include "threads/cards/machine.h"
#include "threads/inbox/entry.h"
#include "threads/model/requests.h"

namespace parley::fanout {
namespace {

using protocol::Error;
using protocol::Ok;
using protocol::Result;
using threads::ClockTask;
using threads::ParticipantRow;

// Rows are derived from rows alone, without the clock, so a mute lasts until a command ends it. Reads adjust
// the entry to their own time.
constexpr protocol::Time kAsWritten{INT64_MIN};

// The facts of a thread that a member's folders need beside the entry.
CellFacts FactsOf(const threads::ThreadRow& head, const UserId& owner) {
  CellFacts facts;
  facts.gated = threads::IsGated(head, owner);
  for (const threads::OpenCard& card : threads::OpenCardsOf(head)) {
    const threads::CardKind* kind = threads::FindKind(card.type.value);
    facts.offer |= kind && kind->proposal;
    facts.dispute |= card.type.value == threads::kDispute;
  }
  return facts;
}

// The lowest read position of all members: later messages may be unread. REQUIRES: not empty.
int64_t LowestBase(const std::vector<ParticipantRow>& participants) {
  int64_t lowest = participants.front().unread_base();
  for (const ParticipantRow& row : participants) lowest = std::min(lowest, row.unread_base());
  return lowest;
}

using SeatMap = std::map<UserId, Seat>;

Result<SeatMap> ReadSeats(const storage::Reader& reader, const TenantId& tenant, const ThreadId& thread) {
  SeatMap out;
  bool sound = true;
  const auto status = reader.Scan(PlacementPartition(tenant, thread), Seats(), storage::Direction::kForward,
                                  SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
                                    UserId user;
                                    sound = ParseSeatKey(sort, &user) && DecodeSeat(row.payload, &out[user]);
                                    return sound;
                                  });
  if (!status.ok()) return threads::FromStorage(status);
  if (!sound) return protocol::UnreadableStored();
  return out;
}

Result<std::optional<Seat>> ReadSeat(const storage::Reader& reader, const TenantId& tenant,
                                     const ThreadId& thread, const UserId& user) {
  std::optional<storage::Row> row;
  const auto status = reader.Get(PlacementPartition(tenant, thread), SeatKey(user), &row);
  if (!status.ok()) return threads::FromStorage(status);
  if (!row) return std::optional<Seat>();
  Seat seat;
  if (!DecodeSeat(row->payload, &seat)) return protocol::UnreadableStored();
  return std::optional(std::move(seat));
}

// The members whose rows a pass writes, with their seats as the last pass left them.
struct Members {
  std::vector<ParticipantRow> rows;
  SeatMap seats;
  const Seat* SeatOf(const UserId& user) const {
    const auto found = seats.find(user);
    return found == seats.end() ? nullptr : &found->second;
  }
};

Result<Members> ReadEverybody(const threads::RowReader& rows, const ThreadId& thread) {
  Members out;
  PARLEY_TRY(all, rows.Participants(thread));
  PARLEY_TRY(seats, ReadSeats(rows.raw(), rows.tenant(), thread));
  out.rows = std::move(all);
  out.seats = std::move(seats);
  return out;
}

// An invited stranger has an entry but no participant row, except that of an earlier membership.
void SeatInvited(const threads::ThreadRow& head, Members* out) {
  for (const threads::RequestRow& request : threads::InvitedTo(head)) {
    std::erase_if(out->rows, [&](const ParticipantRow& row) { return row.item.user_id == request.to; });
    out->rows.push_back(threads::RowOfInvited(head, request));
  }
}

Result<Members> ReadMembers(const threads::RowReader& rows, const ThreadId& thread,
                            const std::set<UserId>& users) {
  Members out;
  for (const UserId& user : users) {
    PARLEY_TRY(row, rows.Participant(thread, user));
    if (!row) continue;
    PARLEY_TRY(seat, ReadSeat(rows.raw(), rows.tenant(), thread, user));
    if (seat) out.seats.emplace(user, std::move(*seat));
    out.rows.push_back(std::move(*row));
  }
  return out;
}

}  // namespace

// One thread within a pass.
struct InboxProjection::Work {
  const TenantId& tenant;
  const threads::ThreadRow& head;
  const threads::Uncounted& uncounted;
  const Dirty& dirty;
  std::vector<InboxPlace> old;  // each row of the thread is at one of these
  InboxPlace next;              // the place to which the rows move
  bool in_pieces = false;
};

namespace {

// The places at which rows may be if a crash interrupted a move.
std::vector<InboxPlace> PlacesOf(const std::optional<Placement>& placed, const ThreadId& thread) {
  std::vector<InboxPlace> out;
  if (placed) out.push_back({placed->place, thread});
  if (placed && placed->moving_to.ms) out.push_back({placed->moving_to, thread});
  return out;
}

// The keys of a seat's rows: by cell, and by label and cell.
std::vector<storage::SortKey> KeysOf(const Seat& seat, const InboxPlace& place) {
  std::vector<storage::SortKey> out = {InboxKey(seat.cell, place)};
  if (seat.label) out.push_back(LabelKey(*seat.label, seat.cell, place));
  return out;
}

}  // namespace

// Deletes the rows of the seat `old`, except those that are rewritten.
void InboxProjection::TakeEntry(const Work& work, const UserId& user, const Seat& old,
                                const std::vector<storage::SortKey>& kept,
                                std::vector<storage::DerivedWrite>* out) {
  const auto inbox = InboxPartition(work.tenant, user);
  for (const InboxPlace& place : work.old) {
    for (storage::SortKey& key : KeysOf(old, place)) {
      if (std::find(kept.begin(), kept.end(), key) == kept.end())
        out->push_back({inbox, std::move(key), std::nullopt});
    }
  }
}

// The piece that is being filled.
std::vector<storage::DerivedWrite>& InboxProjection::Piece(Projected* out) const {
  if (out->ahead.back().size() >= piece_rows_) out->ahead.emplace_back();
  return out->ahead.back();
}

void InboxProjection::PutEntry(const Work& work, const ParticipantRow& me, const Seat* old, Projected* out) {
  const UserId& user = me.item.user_id;
  const protocol::Entry entry = threads::ComputeEntry(work.head, me, work.uncounted, kAsWritten);
  const auto& snooze = me.hidden.snoozed_until.value;
  const Seat seat{CellOf(entry, FactsOf(work.head, user)), snooze ? snooze->ms : 0,
                  entry.muted_until ? entry.muted_until->ms : 0, entry.label};
  const auto keys = KeysOf(seat, work.next);
  const bool stays = old && *old == seat;
  // A member changes cells together with their seat and their counts.
  auto& writes = stays && work.in_pieces ? Piece(out) : out->writes;
  if (old) TakeEntry(work, user, *old, keys, &writes);
  const auto inbox = InboxPartition(work.tenant, user);
  const storage::Row row{1, EncodeInboxRow(entry)};
  for (const storage::SortKey& key : keys) writes.push_back({inbox, key, row});
  if (!stays) PutSeat(work, user, seat, old, out);
  const bool announced = !old || work.dirty.Has(threads::kInboxChange) || work.dirty.personal.contains(user);
  // A user who is only invited gets no notice of changes within the group.
  const bool tells = announced || !threads::InvitedIn(work.head, user);
  if (tells && wanted_(work.tenant, user)) {
    out->notices.push_back(
        {work.tenant, user, work.next.thread, entry.last_seq, protocol::Encode(entry), announced});
  }
}

void InboxProjection::PutSeat(const Work& work, const UserId& user, const Seat& seat, const Seat* old,
                              Projected* out) {
  const ThreadId& thread = work.next.thread;
  out->writes.push_back(
      {PlacementPartition(work.tenant, thread), SeatKey(user), storage::Row{1, EncodeSeat(seat)}});
  MoveWake(work.tenant, {{}, ClockTask::kSnooze, thread, user}, old ? old->snoozed_until_ms : 0,
           seat.snoozed_until_ms, out);
  MoveWake(work.tenant, {{}, ClockTask::kMute, thread, user}, old ? old->muted_until_ms : 0,
           seat.muted_until_ms, out);
  if (old && old->cell == seat.cell) return;
  auto& moved = moved_[{work.tenant, user}];
  if (old) --moved[old->cell];
  ++moved[seat.cell];
}

// The rows read may be ahead of this pass's log entries, so writes are derived from the rows alone, and
// deletions from the seat that the last pass left.
void InboxProjection::WriteMember(const Work& work, const ParticipantRow& me, const Seat* old,
                                  Projected* out) {
  if (me.active() && threads::IsListed(work.head, me.item.user_id)) return PutEntry(work, me, old, out);
  if (old) TakeMember(work, me.item.user_id, *old, out);
}

void InboxProjection::TakeMember(const Work& work, const UserId& user, const Seat& old, Projected* out) {
  const ThreadId& thread = work.next.thread;
  TakeEntry(work, user, old, {}, &out->writes);
  out->writes.push_back({PlacementPartition(work.tenant, thread), SeatKey(user), std::nullopt});
  MoveWake(work.tenant, {{}, ClockTask::kSnooze, thread, user}, old.snoozed_until_ms, 0, out);
  MoveWake(work.tenant, {{}, ClockTask::kMute, thread, user}, old.muted_until_ms, 0, out);
  --moved_[{work.tenant, user}][old.cell];
}

// The member's row was swept before this projection processed the removal.
void InboxProjection::TakeSwept(const Work& work, const std::vector<ParticipantRow>& rows,
                                const std::map<UserId, Seat>& seats, Projected* out) {
  std::set<UserId> there;
  for (const ParticipantRow& row : rows) there.insert(row.item.user_id);
  for (const auto& [user, seat] : seats) {
    if (!there.contains(user)) TakeMember(work, user, seat, out);
  }
}

protocol::Status InboxProjection::Project(const storage::Reader& snapshot, const TenantId& tenant,
                                          const ThreadId& thread, const Dirty& dirty, Projected* out) {
  const threads::RowReader rows(snapshot, tenant);
  PARLEY_TRY(head, rows.Thread(thread));
  if (!head) return Ok();
  PARLEY_TRY(placed, ReadPlacement(snapshot, tenant, thread));
  // Personal changes do not move a thread: write only those users' rows.
  const bool everybody = !placed || dirty.Has(threads::kSharedChange | threads::kInboxChange);
  const bool timers = everybody || dirty.Has(threads::kTimersChange);
  const Placement next = everybody ? PlacementOf(*head) : timers ? TimersOf(*head, *placed) : *placed;

  PARLEY_TRY(members, everybody ? ReadEverybody(rows, thread) : ReadMembers(rows, thread, dirty.personal));
  if (everybody) SeatInvited(*head, &members);
  threads::Uncounted uncounted;
  if (head->hidden.deleted_count > 0 && !members.rows.empty()) {
    PARLEY_TRY(found, rows.UncountedAbove(thread, LowestBase(members.rows)));
    uncounted = std::move(found);
  }

  Work work{tenant, *head, uncounted, dirty, PlacesOf(placed, thread), {next.place, thread}};
  // Finish a move that a crash interrupted in one write, because the placement can name two places, not
  // three.
  const bool settled = placed && (!placed->moving_to.ms || placed->moving_to == next.place);
  if (everybody && settled && members.rows.size() > piece_rows_) {
    work.in_pieces = true;
    Placement moving = *placed;
    moving.moving_to = next.place;
    out->ahead.push_back({PlacementWrite(tenant, thread, moving)});
  }
  for (const ParticipantRow& me : members.rows) WriteMember(work, me, members.SeatOf(me.item.user_id), out);
  if (everybody) TakeSwept(work, members.rows, members.seats, out);
  if (!timers) return Ok();
  MoveTimers(tenant, thread, placed.value_or(Placement()), next, out);
  out->writes.push_back(PlacementWrite(tenant, thread, next));
  return Ok();
}

namespace {

// One inbox as its rows show it: the number of entries in each cell, and the rows of one thread. An
// unreadable key counts as the thread's.
protocol::Status WalkInbox(const storage::Reader& snapshot, const storage::PartitionKey& inbox,
                           const std::optional<ThreadId>& thread, CellCounts* others,
                           std::vector<storage::SortKey>* standing) {
  const auto status = snapshot.Scan(inbox, storage::SortRange::All(), storage::Direction::kForward, SIZE_MAX,
                                    [&](std::string_view sort, storage::RowView) {
                                      InboxKeyParts key;
                                      const bool read = ParseInboxKey(sort, &key);
                                      if (read && key.kind == InboxRowKind::kCounts) return true;
                                      if (!read || (thread && key.place.thread == *thread)) {
                                        standing->emplace_back(std::string(sort));
                                      } else if (key.kind == InboxRowKind::kEntry) {
                                        ++(*others)[key.cell];
                                      }
                                      return true;
                                    });
  return status.ok() ? Ok() : protocol::Status(threads::FromStorage(status));
}

}  // namespace

// Does not trust the seat: deletes all rows of the thread in the inbox.
protocol::Status InboxProjection::RebuildOne(const storage::Reader& snapshot, const Work& work,
                                             const UserId& user, Projected* out) {
  const ThreadId& thread = work.next.thread;
  const auto inbox = InboxPartition(work.tenant, user);
  std::vector<storage::SortKey> standing;
  PARLEY_CHECK_OK(WalkInbox(snapshot, inbox, thread, &recounted_[{work.tenant, user}], &standing));
  for (storage::SortKey& sort : standing) out->writes.push_back({inbox, std::move(sort), std::nullopt});
  std::optional<storage::Row> row;
  const auto seat_key = SeatKey(user);
  const auto placement = PlacementPartition(work.tenant, thread);
  if (auto status = snapshot.Get(placement, seat_key, &row); !status.ok())
    return threads::FromStorage(status);
  Seat old;
  if (row && DecodeSeat(row->payload, &old)) {
    MoveWake(work.tenant, {{}, ClockTask::kSnooze, thread, user}, old.snoozed_until_ms, 0, out);
    MoveWake(work.tenant, {{}, ClockTask::kMute, thread, user}, old.muted_until_ms, 0, out);
  }
  out->writes.push_back({placement, seat_key, std::nullopt});
  PARLEY_TRY(me, threads::RowReader(snapshot, work.tenant).Participant(thread, user));
  if (const threads::RequestRow* asked = threads::InvitedIn(work.head, user))
    me = threads::RowOfInvited(work.head, *asked);
  if (me && me->active() && threads::IsListed(work.head, user)) PutEntry(work, *me, nullptr, out);
  moved_[{work.tenant, user}];  // so that the counts are written
  return Ok();
}

protocol::Status InboxProjection::Rebuild(const storage::Reader& snapshot, const RepairOrder& order,
                                          Projected* out) {
  const threads::RowReader rows(snapshot, order.tenant);
  PARLEY_TRY(head, rows.Thread(order.thread));
  PARLEY_TRY(placed, ReadPlacement(snapshot, order.tenant, order.thread));
  if (!head) {  // rows of a thread that does not exist
    for (const UserId& user : order.users) {
      const auto inbox = InboxPartition(order.tenant, user);
      std::vector<storage::SortKey> standing;
      PARLEY_CHECK_OK(WalkInbox(snapshot, inbox, order.thread, &recounted_[{order.tenant, user}], &standing));
      for (storage::SortKey& sort : standing) out->writes.push_back({inbox, std::move(sort), std::nullopt});
      moved_[{order.tenant, user}];
    }
    return Ok();
  }
  if (!placed) return Ok();  // not projected yet; a later pass will do it
  const Dirty dirty{kEverything, {}};
  threads::Uncounted uncounted;
  if (head->hidden.deleted_count > 0) {
    PARLEY_TRY(found, rows.UncountedAbove(order.thread, 0));
    uncounted = std::move(found);
  }
  const Work work{order.tenant, *head, uncounted, dirty, {}, {placed->place, order.thread}};
  for (const UserId& user : order.users) PARLEY_CHECK_OK(RebuildOne(snapshot, work, user, out));
  MoveTimers(order.tenant, order.thread, {}, *placed, out);
  return Ok();
}

// Recounts unreadable counts, so that one inbox does not stop the projection.
protocol::Status InboxProjection::CountsOf(const storage::Reader& snapshot,
                                           const std::pair<TenantId, UserId>& owner, const storage::Row* row,
                                           CellCounts* out) const {
  if (const auto found = recounted_.find(owner); found != recounted_.end()) {
    *out = found->second;
  } else if (row && !DecodeCounts(row->payload, out)) {
    out->clear();
    std::vector<storage::SortKey> none;
    return WalkInbox(snapshot, InboxPartition(owner.first, owner.second), std::nullopt, out, &none);
  }
  return Ok();
}

// The snapshot includes everything applied before this pass, so its counts are the ones to adjust.
protocol::Status InboxProjection::Finish(const storage::Reader& snapshot, Projected* out) {
  for (const auto& [owner, moved] : moved_) {
    const auto inbox = InboxPartition(owner.first, owner.second);
    std::optional<storage::Row> row;
    const auto status = snapshot.Get(inbox, InboxCountsKey(), &row);
    if (!status.ok()) return threads::FromStorage(status);
    CellCounts counts;
    PARLEY_CHECK_OK(CountsOf(snapshot, owner, row ? &*row : nullptr, &counts));
    for (const auto& [cell, by] : moved) counts[cell] += by;
    std::erase_if(counts, [](const auto& one) { return one.second == 0; });
    std::optional<storage::Row> written;
    if (!counts.empty()) written = storage::Row{1, EncodeCounts(counts)};
    if ((row ? row->payload : "") == (written ? written->payload : "")) continue;
    out->writes.push_back({inbox, InboxCountsKey(), std::move(written)});
  }
  return Ok();
}

}  // namespace parley::fanout
