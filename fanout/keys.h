// Keys of the derived tables: the inbox (GSI1), the project index (GSI2), and where each thread was last put.
// No other folder names these tables.
#pragma once

#include "storage/key.h"
#include "threads/keys.h"

namespace parley::fanout {

using protocol::TenantId;
using protocol::ThreadId;
using protocol::UserId;

// An inbox is split where a folder is: each entry lies in exactly one box.
enum class Box : uint8_t { kMain = 1, kArchived = 2 };

// PARTICIPANT#{userId}
storage::PartitionKey InboxPartition(const TenantId& tenant, const UserId& user);
// Newest first, ties by threadId descending: a forward scan is a page.
storage::SortKey InboxKey(Box box, protocol::Time place, const ThreadId& thread);
storage::SortRange InboxRange(Box box);
bool ParseInboxKey(std::string_view sort, Box* box, protocol::Time* place, ThreadId* thread);

// LBG#{lbgId} and LEG#{legId}
storage::PartitionKey LbgPartition(const TenantId& tenant, const protocol::LbgId& lbg);
storage::PartitionKey LegPartition(const TenantId& tenant, const protocol::LegId& leg);
// createdAt, then threadId.
storage::SortKey ProjectKey(protocol::Time created_at, const ThreadId& thread);
bool ParseProjectKey(std::string_view sort, protocol::Time* created_at, ThreadId* thread);

// THR#{threadId}: one row per projection that keeps a place.
storage::PartitionKey PlacementPartition(const TenantId& tenant, const ThreadId& thread);
storage::SortKey InboxPlacementKey();
storage::SortKey ProjectPlacementKey();
storage::SortKey CardPlacementKey();

// A tenant's deadlines: one row per thread, at the time of its earliest.
storage::PartitionKey DuePartition(const TenantId& tenant);
storage::SortKey DueKey(protocol::Time due, const ThreadId& thread);
bool ParseDueKey(std::string_view sort, protocol::Time* due, ThreadId* thread);

// A tenant's outside effects, oldest first.
storage::PartitionKey EffectFeedPartition(const TenantId& tenant);
storage::SortKey EffectFeedKey(protocol::Time at, const ThreadId& thread, int64_t seq);
bool ParseEffectFeedKey(std::string_view sort, protocol::Time* at, ThreadId* thread, int64_t* seq);

}  // namespace parley::fanout
