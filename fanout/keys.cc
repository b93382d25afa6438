#include "fanout/keys.h"

namespace parley::fanout {

using storage::KeyReader;
using storage::KeyWriter;
using storage::PartitionKey;
using storage::TableTag;

namespace {
constexpr uint8_t kInboxPlacement = 1;
constexpr uint8_t kProjectPlacement = 2;
constexpr uint8_t kEffectPlacement = 3;
constexpr uint8_t kSeat = 4;
uint64_t Ms(protocol::Time time) {
  return static_cast<uint64_t>(time.ms);
}
}  // namespace

storage::SortKey PlaceKey(const InboxPlace& place) {
  return KeyWriter().NumberDescending(Ms(place.at)).IdDescending(place.thread.ulid).Sort();
}

PartitionKey InboxPartition(const TenantId& tenant, const UserId& user) {
  return PartitionKey::OfText(tenant, TableTag::kInboxIndex, user.value);
}

storage::SortKey CellPrefix(const std::optional<protocol::KeyText>& label, Cell cell) {
  KeyWriter w;
  if (label) {
    w.Tag(InboxRowKind::kLabel).Text(*label);
  } else {
    w.Tag(InboxRowKind::kEntry);
  }
  return w.Tag(static_cast<uint8_t>(cell.bits >> 8)).Tag(static_cast<uint8_t>(cell.bits & 0xff)).Sort();
}
storage::SortKey InboxKey(Cell cell, const InboxPlace& place) {
  return storage::SortKey(CellPrefix(std::nullopt, cell).bytes() + PlaceKey(place).bytes());
}
storage::SortKey LabelKey(const protocol::KeyText& label, Cell cell, const InboxPlace& place) {
  return storage::SortKey(CellPrefix(label, cell).bytes() + PlaceKey(place).bytes());
}
storage::SortKey InboxCountsKey() {
  return KeyWriter().Tag(InboxRowKind::kCounts).Sort();
}

bool ParseInboxKey(std::string_view sort, InboxKeyParts* out) {
  KeyReader reader(sort);
  uint8_t tag = 0, high = 0, low = 0;
  uint64_t ms = 0;
  if (!reader.AnyTag(&tag)) return false;
  out->kind = static_cast<InboxRowKind>(tag);
  if (out->kind == InboxRowKind::kCounts) return reader.AtEnd();
  if (out->kind == InboxRowKind::kLabel) {
    if (!reader.Text(&out->label)) return false;
  } else if (out->kind != InboxRowKind::kEntry) {
    return false;
  }
  if (!reader.AnyTag(&high) || !reader.AnyTag(&low) || !reader.NumberDescending(&ms) ||
      !reader.IdDescending(&out->place.thread.ulid) || !reader.AtEnd())
    return false;
  out->cell = Cell{static_cast<uint16_t>(high << 8 | low)};
  out->place.at = protocol::Time{static_cast<int64_t>(ms)};
  return true;
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
storage::SortKey SeatKey(const UserId& user) {
  return KeyWriter().Tag(kSeat).Text(user.value).Sort();
}
storage::SortRange Seats() {
  return storage::SortRange::Prefix(KeyWriter().Tag(kSeat).Sort());
}
bool ParseSeatKey(std::string_view sort, UserId* user) {
  KeyReader reader(sort);
  return reader.Tag(kSeat) && reader.Text(&user->value) && reader.AtEnd();
}

PartitionKey WakePartition(const TenantId& tenant) {
  return PartitionKey::OfTenant(tenant, TableTag::kWake);
}
storage::SortKey WakeKey(const Wake& wake) {
  return KeyWriter().Number(Ms(wake.at)).Tag(wake.kind).Id(wake.thread.ulid).Text(wake.user.value).Sort();
}
bool ParseWakeKey(std::string_view sort, Wake* out) {
  KeyReader reader(sort);
  uint64_t ms = 0;
  uint8_t kind = 0;
  if (!reader.Number(&ms) || !reader.AnyTag(&kind) || !reader.Id(&out->thread.ulid) ||
      !reader.Text(&out->user.value) || !reader.AtEnd())
    return false;
  out->at = protocol::Time{static_cast<int64_t>(ms)};
  out->kind = static_cast<threads::ClockTask>(kind);
  return kind >= 1 && out->kind <= threads::kLastClockTask;
}

storage::SortKey EffectPlacementKey(int64_t seq) {
  return KeyWriter().Tag(kEffectPlacement).Number(static_cast<uint64_t>(seq)).Sort();
}
storage::SortRange EffectPlacements() {
  return storage::SortRange::Prefix(KeyWriter().Tag(kEffectPlacement).Sort());
}
bool ParseEffectPlacementKey(std::string_view sort, int64_t* seq) {
  KeyReader reader(sort);
  uint64_t number = 0;
  if (!reader.Tag(kEffectPlacement) || !reader.Number(&number) || !reader.AtEnd()) return false;
  *seq = static_cast<int64_t>(number);
  return true;
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
