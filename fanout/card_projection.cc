#include "fanout/card_projection.h"

#include "fanout/keys.h"
#include "protocol/base/unreadable.h"
#include "protocol/base/varint.h"

namespace parley::fanout {
namespace {

using protocol::Error;
using protocol::ErrorCode;

// Identifies an effect's row in the feed.
struct Placed {
  int64_t seq = 0;
  protocol::Time at;
};

protocol::Result<std::vector<Placed>> ReadPlaced(const storage::Reader& reader, const TenantId& tenant,
                                                 const ThreadId& thread) {
  std::vector<Placed> out;
  bool sound = true;
  const auto status =
      reader.Scan(PlacementPartition(tenant, thread), EffectPlacements(), storage::Direction::kForward,
                  SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
                    Placed& one = out.emplace_back();
                    std::string_view payload = row.payload;
                    uint64_t ms = 0;
                    sound = ParseEffectPlacementKey(sort, &one.seq) && protocol::TakeVarint(&payload, &ms);
                    one.at.ms = static_cast<int64_t>(ms);
                    return sound;
                  });
  if (!status.ok()) return threads::FromStorage(status);
  if (!sound) return protocol::UnreadableStored();
  return out;
}

void Take(const TenantId& tenant, const ThreadId& thread, const Placed& gone, Projected* out) {
  out->writes.push_back(
      {EffectFeedPartition(tenant), EffectFeedKey(gone.at, thread, gone.seq), std::nullopt});
  out->writes.push_back({PlacementPartition(tenant, thread), EffectPlacementKey(gone.seq), std::nullopt});
}

bool Put(const TenantId& tenant, const ThreadId& thread, int64_t seq, std::string_view item, Projected* out) {
  protocol::OutboxItem effect;
  if (!threads::DecodeStored(item, &effect)) return false;
  std::string at;
  protocol::AppendVarint(&at, static_cast<uint64_t>(effect.at.ms));
  out->writes.push_back({EffectFeedPartition(tenant), EffectFeedKey(effect.at, thread, seq),
                         storage::Row{1, std::string(item)}});
  out->writes.push_back(
      {PlacementPartition(tenant, thread), EffectPlacementKey(seq), storage::Row{1, std::move(at)}});
  return true;
}

}  // namespace

// Writes every effect again, as if the feed were empty.
protocol::Status CardProjection::Rebuild(const storage::Reader& snapshot, const RepairOrder& order,
                                         Projected* out) {
  bool sound = true;
  const auto status = snapshot.Scan(
      threads::ThreadPartition(order.tenant, order.thread), threads::RangeOf(storage::ThreadTag::kEffect),
      storage::Direction::kForward, SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
        int64_t seq = 0;
        sound = threads::ParseEffectKey(sort, &seq) && Put(order.tenant, order.thread, seq, row.payload, out);
        return sound;
      });
  if (!status.ok()) return threads::FromStorage(status);
  if (!sound) return protocol::UnreadableStored();
  return protocol::Ok();
}

// Both lists are in order of seq, and an effect never changes: an effect in only one of them was added or
// removed.
protocol::Status CardProjection::Project(const storage::Reader& snapshot, const TenantId& tenant,
                                         const ThreadId& thread, const Dirty& dirty, Projected* out) {
  if (!dirty.Has(threads::kCardsChange)) return protocol::Ok();
  PARLEY_TRY(placed, ReadPlaced(snapshot, tenant, thread));
  auto next = placed.begin();
  bool sound = true;
  const auto status =
      snapshot.Scan(threads::ThreadPartition(tenant, thread), threads::RangeOf(storage::ThreadTag::kEffect),
                    storage::Direction::kForward, SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
                      int64_t seq = 0;
                      sound = threads::ParseEffectKey(sort, &seq);
                      while (sound && next != placed.end() && next->seq < seq)
                        Take(tenant, thread, *next++, out);
                      if (next != placed.end() && next->seq == seq) {
                        ++next;
                      } else {
                        sound = sound && Put(tenant, thread, seq, row.payload, out);
                      }
                      return sound;
                    });
  if (!status.ok()) return threads::FromStorage(status);
  if (!sound) return protocol::UnreadableStored();
  while (next != placed.end()) Take(tenant, thread, *next++, out);
  return protocol::Ok();
}

}  // namespace parley::fanout
