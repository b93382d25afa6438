#include "storage/engine/item_upkeep.h"

#include <algorithm>

#include "protocol/base/varint.h"
#include "storage/engine/item_change.h"
#include "storage/engine/tenant_of.h"
#include "storage/items/item_codec.h"

namespace parley::storage {
namespace {

Status Unreadable(std::string what) {
  return {StatusCode::kCorrupt, std::move(what)};
}

// The progress of a backfill.
struct Backfill {
  uint64_t items = 0;
  std::string after;  // the sort key of the last item seen
};
Status ReadBackfillRow(const Reader& reader, const PartitionKey& table, const IndexDef& index,
                       Backfill* out) {
  std::optional<Row> row;
  if (Status status = reader.Get(Backfills(), BackfillKey(table, index), &row); !status.ok() || !row)
    return status;
  std::string_view rest = row->payload;
  if (!protocol::TakeVarint(&rest, &out->items)) return Unreadable("the progress of filling an index");
  out->after = rest;
  return {};
}

// Returns nullptr if the table was dropped, even if another one has its name.
TableDefPtr TableOf(const ItemTransaction& stage, const PartitionKey& partition) {
  const std::string_view id = partition.id();
  TableDefPtr def = stage.FindTable(TenantOf(partition), id.substr(0, id.find('/')));
  return def && TablePartition(TenantOf(partition), *def) == partition ? def : nullptr;
}

// At most kUpkeepRows items of the table after `after`, which advances.
struct ItemSlice {
  std::vector<std::pair<KeyValues, Item>> items;
  bool last = false;  // no items follow
};
Status ReadSlice(const ItemTransaction& stage, const PartitionKey& table, const TableDef& def,
                 std::string* after, ItemSlice* out) {
  SortRange range = SegmentRange(nullptr, 0, 1);
  if (!after->empty()) range.begin = SortKey(*after + '\0');
  bool sound = true;
  Status status = stage.reader().Scan(
      table, range, Direction::kForward, kUpkeepRows, [&](std::string_view sort, RowView row) {
        auto& [key, item] = out->items.emplace_back();
        sound = DecodeItem(row.payload, &item) && ParseItemKey(def, sort, &key);
        *after = sort;
        return sound;
      });
  out->last = out->items.size() < kUpkeepRows;
  if (status.ok() && !sound) return Unreadable("an item of " + def.name);
  return status;
}

// Drops the backfill records of a dropped table.
Status ForgetBackfills(ItemTransaction& stage, const PartitionKey& table) {
  std::vector<SortKey> rows;
  Status status = stage.reader().Scan(Backfills(), SortRange::Prefix(ErasureKey(table, "")),
                                      Direction::kForward, SIZE_MAX, [&](std::string_view sort, RowView) {
                                        rows.emplace_back(std::string(sort));
                                        return true;
                                      });
  for (const SortKey& row : rows) stage.Write(Backfills(), row, std::nullopt);
  return status;
}

}  // namespace

void MarkForRetiming(ItemTransaction& stage, const PartitionKey& table) {
  stage.Write(Retimings(), RetimingKey(table), Row{1, {}});
}

void MarkForErasing(ItemTransaction& stage, const PartitionKey& table, const IndexDef* index) {
  stage.Write(Erasures(), ErasureKey(table, index ? IndexPrefix(*index) : ""), Row{1, {}});
}

void ForgetBackfill(ItemTransaction& stage, const PartitionKey& table, const IndexDef& index) {
  stage.Write(Backfills(), BackfillKey(table, index), std::nullopt);
}

Status ReadBackfill(const Reader& reader, const TenantId& tenant, const TableDef& def, const IndexDef& index,
                    int64_t* items) {
  Backfill backfill;
  Status status = ReadBackfillRow(reader, TablePartition(tenant, def), index, &backfill);
  *items = static_cast<int64_t>(backfill.items);
  return status;
}

Status ItemUpkeep::Step(int part, ItemTransaction& stage, bool* worked) {
  constexpr Status (ItemUpkeep::*kSteps[kParts])(ItemTransaction&, bool*) = {
      &ItemUpkeep::Upgrade, &ItemUpkeep::Expire, &ItemUpkeep::Fill, &ItemUpkeep::Retime, &ItemUpkeep::Erase};
  return (this->*kSteps[part])(stage, worked);
}

Status ItemUpkeep::Expire(ItemTransaction& stage, bool* worked) {
  std::vector<SortKey> due;
  const int64_t now_s = stage.now().ms / 1000;
  const auto at = [](int64_t seconds) {
    return KeyWriter().Number(static_cast<uint64_t>(std::max<int64_t>(seconds, 0))).Sort();
  };
  Status status = stage.reader().Scan(ExpiryPartition(), {at(now_s - kMistakenSeconds + 1), at(now_s + 1)},
                                      Direction::kForward, kUpkeepRows, [&](std::string_view sort, RowView) {
                                        due.emplace_back(std::string(sort));
                                        return true;
                                      });
  for (size_t i = 0; status.ok() && i < due.size(); ++i) {
    ExpiryEntry entry;
    if (!ParseExpiryKey(due[i].bytes(), &entry)) return Unreadable("the expiry place of an item");
    status = RemoveExpired(stage, due[i], entry);
  }
  *worked = *worked || due.size() == kUpkeepRows;
  return status;
}

// Removes the item only if it is still expired. A later write has removed this place itself, unless the table
// was dropped.
Status ItemUpkeep::RemoveExpired(ItemTransaction& stage, const SortKey& at, const ExpiryEntry& entry) {
  const auto partition = PartitionKey::FromBytes(entry.partition);
  if (!partition) return Unreadable("the expiry place of an item");
  stage.Write(ExpiryPartition(), at, std::nullopt);
  if (entry.sort.front() == static_cast<char>(ItemTag::kToken)) {
    std::optional<Row> row;
    Status status = stage.reader().Get(*partition, SortKey(entry.sort), &row);
    std::string_view rest = row ? row->payload : std::string_view();
    uint64_t until_ms = 0;
    if (!status.ok() || !protocol::TakeVarint(&rest, &until_ms)) return status;
    const auto until = static_cast<int64_t>(until_ms);
    if (until <= stage.kept().ms) {
      stage.Write(*partition, SortKey(entry.sort), std::nullopt);
    } else if (until <= stage.now().ms) {
      // Kept until both clocks have passed its time: look again when the other clock gets there.
      const int64_t again_ms = until + stage.now().ms - stage.kept().ms;
      stage.Write(ExpiryPartition(), ExpiryKey((again_ms + 999) / 1000, *partition, SortKey(entry.sort)),
                  Row{1, {}});
    }
    return status;
  }
  ItemChange change;
  change.def = TableOf(stage, *partition);
  change.tenant = TenantOf(*partition);
  if (!change.def) return {};
  if (!ParseItemKey(*change.def, entry.sort, &change.key)) return Unreadable("the expiry place of an item");
  change.reason = ChangeReason::kExpired;
  if (auto fault =
          ReadStored(stage.reader(), *partition, *change.def, change.key, stage.now(), &change.before))
    return {StatusCode::kCorrupt, fault->message};
  if (!change.before.stored || !change.before.expired) return {};
  Write(stage, change);
  stage.Log(EncodeItemEntry({change}));
  if (on_expired_) on_expired_(*change.def, *change.before.stored);
  return {};
}

Status ItemUpkeep::Fill(ItemTransaction& stage, bool* worked) {
  for (const auto& [tenant, published] : catalog_.Own()) {
    for (const IndexDef& index : published->indexes) {
      if (index.status != IndexStatus::kCreating) continue;
      const TableDefPtr def = stage.FindTable(tenant, published->name);
      const IndexDef* current = def ? def->FindIndex(index.name) : nullptr;
      if (!current || current->number != index.number || current->status != IndexStatus::kCreating) continue;
      *worked = true;
      const PartitionKey table = TablePartition(tenant, *def);
      Backfill backfill;
      if (Status status = ReadBackfillRow(stage.reader(), table, index, &backfill); !status.ok())
        return status;
      ItemSlice slice;
      if (Status status = ReadSlice(stage, table, *def, &backfill.after, &slice); !status.ok()) return status;
      for (const auto& [key, item] : slice.items) {
        if (auto entry = EntryOf(table, *def, *current, key, item))
          stage.Write(entry->partition, entry->sort, Row{1, {}});
      }
      if (!slice.last) {
        backfill.items += slice.items.size();
        std::string payload;
        protocol::AppendVarint(&payload, backfill.items);
        stage.Write(Backfills(), BackfillKey(table, index), Row{1, payload + backfill.after});
        return {};
      }
      auto filled = std::make_shared<TableDef>(*def);
      for (IndexDef& one : filled->indexes) {
        if (one.number == index.number) one.status = IndexStatus::kActive;
      }
      stage.Define(tenant, std::move(filled));
      stage.Write(Backfills(), BackfillKey(table, index), std::nullopt);
      return {};
    }
  }
  return {};
}

Status ItemUpkeep::Retime(ItemTransaction& stage, bool* worked) {
  std::optional<SortKey> record;
  std::string after;
  Status status = stage.reader().Scan(Retimings(), SortRange::All(), Direction::kForward, 1,
                                      [&](std::string_view sort, RowView row) {
                                        record.emplace(std::string(sort));
                                        after = row.payload;
                                        return false;
                                      });
  if (!status.ok() || !record) return status;
  *worked = true;
  PartitionKey partition;
  std::string rest;
  if (!ParseWorkKey(record->bytes(), &partition, &rest))
    return Unreadable("a record of a changed TTL attribute");
  const TableDefPtr def = TableOf(stage, partition);
  ItemSlice slice;
  if (def) status = ReadSlice(stage, partition, *def, &after, &slice);
  if (!status.ok()) return status;
  for (const auto& [key, item] : slice.items) {
    if (const int64_t expiry = ExpiryOf(*def, item))
      stage.Write(ExpiryPartition(), ExpiryKey(expiry, partition, ItemKey(*def, key)), Row{1, {}});
  }
  const bool over = !def || slice.last;
  stage.Write(Retimings(), *record, over ? std::nullopt : std::optional(Row{1, after}));
  return {};
}

Status ItemUpkeep::Erase(ItemTransaction& stage, bool* worked) {
  std::optional<SortKey> record;
  std::string after;  // erased rows take time to skip, so it continues after them
  Status status = stage.reader().Scan(Erasures(), SortRange::All(), Direction::kForward, 1,
                                      [&](std::string_view sort, RowView row) {
                                        record.emplace(std::string(sort));
                                        after = row.payload;
                                        return false;
                                      });
  if (!status.ok() || !record) return status;
  *worked = true;
  PartitionKey partition;
  std::string rest;
  if (!ParseWorkKey(record->bytes(), &partition, &rest)) return Unreadable("a record of rows to erase");
  std::vector<SortKey> rows;
  SortRange range = SortRange::Prefix(SortKey(std::string(rest)));
  if (!after.empty()) range.begin = SortKey(after + '\0');
  status = stage.reader().Scan(partition, range, Direction::kForward, kUpkeepRows,
                               [&](std::string_view sort, RowView) {
                                 rows.emplace_back(std::string(sort));
                                 return true;
                               });
  if (!status.ok()) return status;
  for (const SortKey& row : rows) stage.Write(partition, row, std::nullopt);
  if (rows.size() == kUpkeepRows) {
    stage.Write(Erasures(), *record, Row{1, rows.back().bytes()});
    return {};
  }
  stage.Write(Erasures(), *record, std::nullopt);
  if (rest.empty()) return ForgetBackfills(stage, partition);
  // An index is removed once its entries are.
  const TableDefPtr def = TableOf(stage, partition);
  if (!def) return {};
  auto without = std::make_shared<TableDef>(*def);
  std::erase_if(without->indexes, [&](const IndexDef& index) {
    return index.status == IndexStatus::kDeleting && IndexPrefix(index) == rest;
  });
  if (without->indexes.size() != def->indexes.size()) stage.Define(TenantOf(partition), std::move(without));
  return {};
}

}  // namespace parley::storage
