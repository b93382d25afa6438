#include "fanout/card_projection.h"

#include <algorithm>

#include "fanout/keys.h"

namespace parley::fanout {
namespace {

using protocol::Error;
using protocol::ErrorCode;

Error Unreadable() {
  return {ErrorCode::kInternal, "stored data can not be read"};
}

protocol::Result<CardPlacement> ReadPlacement(const storage::Reader& reader, const TenantId& tenant,
                                              const ThreadId& thread) {
  std::optional<storage::Row> row;
  const auto status = reader.Get(PlacementPartition(tenant, thread), CardPlacementKey(), &row);
  if (!status.ok()) return threads::FromStorage(status);
  CardPlacement placement;
  if (!row) return placement;
  protocol::DecodeLimits limits;
  limits.max_bytes = limits.max_values = size_t{64} << 20;
  protocol::Document document;
  if (protocol::DecodeMsgpack(row->payload, limits, &document) ||
      !protocol::Bind(document.root, &placement).ok())
    return Unreadable();
  return placement;
}

struct Waiting {
  CardPlacement::Effect place;
  std::string item;  // wire bytes
};

protocol::Result<std::vector<Waiting>> ReadEffects(const storage::Reader& reader, const TenantId& tenant,
                                                   const ThreadId& thread) {
  std::vector<Waiting> out;
  bool sound = true;
  const auto status =
      reader.Scan(threads::ThreadPartition(tenant, thread), threads::RangeOf(storage::ThreadTag::kEffect),
                  storage::Direction::kForward, SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
                    Waiting& one = out.emplace_back();
                    one.item = row.payload;
                    protocol::Document document;
                    protocol::OutboxItem item;
                    sound = threads::ParseEffectKey(sort, &one.place.seq) &&
                            !protocol::DecodeMsgpack(one.item, {}, &document) &&
                            protocol::Bind(document.root, &item).ok();
                    one.place.at = item.at;
                    return sound;
                  });
  if (!status.ok()) return threads::FromStorage(status);
  if (!sound) return Unreadable();
  return out;
}

}  // namespace

protocol::Status CardProjection::Project(const storage::Reader& snapshot, const TenantId& tenant,
                                         const ThreadId& thread, const Dirty& dirty, Projected* out) {
  if (!dirty.Has(threads::kCardsChange)) return protocol::Ok();
  PARLEY_TRY(old, ReadPlacement(snapshot, tenant, thread));
  PARLEY_TRY(waiting, ReadEffects(snapshot, tenant, thread));

  CardPlacement next;
  const auto& before = old.effects.items;
  for (Waiting& one : waiting) {
    next.effects.items.push_back(one.place);
    if (std::find(before.begin(), before.end(), one.place) != before.end()) continue;
    out->writes.push_back({EffectFeedPartition(tenant), EffectFeedKey(one.place.at, thread, one.place.seq),
                           storage::Row{1, std::move(one.item)}});
  }
  const auto& after = next.effects.items;
  for (const CardPlacement::Effect& gone : before) {
    if (std::find(after.begin(), after.end(), gone) != after.end()) continue;
    out->writes.push_back(
        {EffectFeedPartition(tenant), EffectFeedKey(gone.at, thread, gone.seq), std::nullopt});
  }
  if (before != after) {
    out->writes.push_back(
        {PlacementPartition(tenant, thread), CardPlacementKey(), storage::Row{1, protocol::Encode(next)}});
  }
  return protocol::Ok();
}

}  // namespace parley::fanout
