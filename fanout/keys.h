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

}  // namespace parley::fanout
