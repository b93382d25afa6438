#include "fanout/keys.h"

namespace parley::fanout {

using storage::KeyReader;
using storage::KeyWriter;
using storage::PartitionKey;
using storage::TableTag;

namespace {
constexpr uint8_t kInboxPlacement = 1;
constexpr uint8_t kProjectPlacement = 2;
constexpr uint8_t kCardPlacement = 3;
uint64_t Ms(protocol::Time time) {
  return static_cast<uint64_t>(time.ms);
}
}  // namespace

PartitionKey InboxPartition(const TenantId& tenant, const UserId& user) {
  return PartitionKey::OfText(tenant, TableTag::kInboxIndex, user.value);
}
storage::SortKey InboxKey(Box box, protocol::Time place, const ThreadId& thread) {
  return KeyWriter().Tag(box).NumberDescending(Ms(place)).IdDescending(thread.ulid).Sort();
}
storage::SortRange InboxRange(Box box) {
  return storage::SortRange::Prefix(KeyWriter().Tag(box).Sort());
}

bool ParseInboxKey(std::string_view sort, Box* box, protocol::Time* place, ThreadId* thread) {
  KeyReader reader(sort);
  uint8_t tag = 0;
  uint64_t ms = 0;
  if (!reader.AnyTag(&tag) || !reader.NumberDescending(&ms) || !reader.IdDescending(&thread->ulid) ||
      !reader.AtEnd())
    return false;
  *box = static_cast<Box>(tag);
  *place = protocol::Time{static_cast<int64_t>(ms)};
  return *box == Box::kMain || *box == Box::kArchived;
}

PartitionKey LbgPartition(const TenantId& tenant, const protocol::LbgId& lbg) {
  return PartitionKey::OfTaggedText(tenant, TableTag::kProjectIndex,
                                    static_cast<uint8_t>(storage::ProjectTag::kLbg), lbg.value);
}
PartitionKey LegPartition(const TenantId& tenant, const protocol::LegId& leg) {
  return PartitionKey::OfTaggedText(tenant, TableTag::kProjectIndex,
                                    static_cast<uint8_t>(storage::ProjectTag::kLeg), leg.value);
}
storage::SortKey ProjectKey(protocol::Time created_at, const ThreadId& thread) {
  return KeyWriter().Number(Ms(created_at)).Id(thread.ulid).Sort();
}
bool ParseProjectKey(std::string_view sort, protocol::Time* created_at, ThreadId* thread) {
  KeyReader reader(sort);
  uint64_t ms = 0;
  if (!reader.Number(&ms) || !reader.Id(&thread->ulid) || !reader.AtEnd()) return false;
  *created_at = protocol::Time{static_cast<int64_t>(ms)};
  return true;
}

PartitionKey PlacementPartition(const TenantId& tenant, const ThreadId& thread) {
  return PartitionKey::OfUlid(tenant, TableTag::kPlacement, thread.ulid);
}
storage::SortKey InboxPlacementKey() {
  return KeyWriter().Tag(kInboxPlacement).Sort();
}
storage::SortKey ProjectPlacementKey() {
  return KeyWriter().Tag(kProjectPlacement).Sort();
}

storage::SortKey CardPlacementKey() {
  return KeyWriter().Tag(kCardPlacement).Sort();
}

PartitionKey DuePartition(const TenantId& tenant) {
  return PartitionKey::OfTenant(tenant, TableTag::kDue);
}
storage::SortKey DueKey(protocol::Time due, const ThreadId& thread) {
  return KeyWriter().Number(Ms(due)).Id(thread.ulid).Sort();
}
bool ParseDueKey(std::string_view sort, protocol::Time* due, ThreadId* thread) {
  return ParseProjectKey(sort, due, thread);  // the same parts
}

PartitionKey EffectFeedPartition(const TenantId& tenant) {
  return PartitionKey::OfTenant(tenant, TableTag::kEffectFeed);
}
storage::SortKey EffectFeedKey(protocol::Time at, const ThreadId& thread, int64_t seq) {
  return KeyWriter().Number(Ms(at)).Id(thread.ulid).Number(static_cast<uint64_t>(seq)).Sort();
}
bool ParseEffectFeedKey(std::string_view sort, protocol::Time* at, ThreadId* thread, int64_t* seq) {
  KeyReader reader(sort);
  uint64_t ms = 0, number = 0;
  if (!reader.Number(&ms) || !reader.Id(&thread->ulid) || !reader.Number(&number) || !reader.AtEnd())
    return false;
  *at = protocol::Time{static_cast<int64_t>(ms)};
  *seq = static_cast<int64_t>(number);
  return true;
}

}  // namespace parley::fanout
