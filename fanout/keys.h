// Builds and parses the keys of the derived tables: the inbox (GSI1), the project index (GSI2), placements
// and seats, the effect feed, and wakes. No other folder names these tables.
#pragma once

#include <optional>
#include <string>

#include "fanout/cells.h"
#include "storage/key.h"
#include "threads/clock/clock_tasks.h"
#include "threads/model/keys.h"

namespace parley::fanout {

using protocol::TenantId;
using protocol::ThreadId;
using protocol::UserId;

// PARTICIPANT#{userId}: the entries by cell, those with a label also by label and cell, and the number of
// entries in each cell.
storage::PartitionKey InboxPartition(const TenantId& tenant, const UserId& user);

// A thread's place within its cell: newest first, ties by threadId descending.
struct InboxPlace {
  protocol::Time at;
  ThreadId thread;
  friend bool operator==(const InboxPlace&, const InboxPlace&) = default;
};
storage::SortKey InboxKey(Cell cell, const InboxPlace& place);
storage::SortKey LabelKey(const protocol::KeyText& label, Cell cell, const InboxPlace& place);
storage::SortKey InboxCountsKey();
// The part of a key before the place; one cell's rows, in order, are the range of its prefix.
storage::SortKey CellPrefix(const std::optional<protocol::KeyText>& label, Cell cell);
inline constexpr size_t kPlaceBytes = 24;  // the length of the place in a key
storage::SortKey PlaceKey(const InboxPlace& place);

enum class InboxRowKind : uint8_t { kEntry = 3, kLabel = 4, kCounts = 5 };
struct InboxKeyParts {
  InboxRowKind kind = InboxRowKind::kEntry;
  std::string label;
  Cell cell;
  InboxPlace place;
};
bool ParseInboxKey(std::string_view sort, InboxKeyParts* out);

// LBG#{lbgId} and LEG#{legId}
storage::PartitionKey LbgPartition(const TenantId& tenant, const protocol::LbgId& lbg);
storage::PartitionKey LegPartition(const TenantId& tenant, const protocol::LegId& leg);
// createdAt, then threadId.
storage::SortKey ProjectKey(protocol::Time created_at, const ThreadId& thread);
bool ParseProjectKey(std::string_view sort, protocol::Time* created_at, ThreadId* thread);

// THR#{threadId}: one placement row for each projection that needs one, and the members' seats.
storage::PartitionKey PlacementPartition(const TenantId& tenant, const ThreadId& thread);
storage::SortKey InboxPlacementKey();
storage::SortKey ProjectPlacementKey();

// A tenant's outside effects, oldest first.
storage::PartitionKey EffectFeedPartition(const TenantId& tenant);
storage::SortKey EffectFeedKey(protocol::Time at, const ThreadId& thread, int64_t seq);
bool ParseEffectFeedKey(std::string_view sort, protocol::Time* at, ThreadId* thread, int64_t* seq);

// One row per effect of the thread that is in the feed.
storage::SortKey EffectPlacementKey(int64_t seq);
storage::SortRange EffectPlacements();
bool ParseEffectPlacementKey(std::string_view sort, int64_t* seq);

// A member's seat: the cell and label of their entry as last written.
storage::SortKey SeatKey(const UserId& user);
storage::SortRange Seats();
bool ParseSeatKey(std::string_view sort, UserId* user);

// Wakes: the times at which the clock has work, in order, one partition per tenant.
struct Wake {
  protocol::Time at;
  threads::ClockTask kind = threads::ClockTask::kSnooze;
  ThreadId thread;
  UserId user;  // the owner of a snooze; otherwise empty
  friend auto operator<=>(const Wake&, const Wake&) = default;
};
storage::PartitionKey WakePartition(const TenantId& tenant);
storage::SortKey WakeKey(const Wake& wake);
bool ParseWakeKey(std::string_view sort, Wake* out);

}  // namespace parley::fanout
