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
TableDefPtr TableOf(const ItemTransaction& tx, const PartitionKey& partition) {
  const std::string_view id = partition.id();
  TableDefPtr def = tx.FindTable(TenantOf(partition), id.substr(0, id.find('/')));
  return def && TablePartition(TenantOf(partition), *def) == partition ? def : nullptr;
}

// At most kUpkeepRows items of the table after `after`, which advances.
struct ItemSlice {
  std::vector<std::pair<KeyValues, Item>> items;
  bool last = false;  // no items follow
};
Status ReadSlice(const ItemTransaction& tx, const PartitionKey& table, const TableDef& def,
                 std::string* after, ItemSlice* out) {
  SortRange range = SegmentRange(nullptr, 0, 1);
  if (!after->empty()) range.begin = SortKey(*after + '\0');
  bool sound = true;
  Status status = tx.reader().Scan(table, range, Direction::kForward, kUpkeepRows,
                                   [&](std::string_view sort, RowView row) {
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
Status ForgetBackfills(ItemTransaction& tx, const PartitionKey& table) {
  std::vector<SortKey> rows;
  Status status = tx.reader().Scan(Backfills(), SortRange::Prefix(ErasureKey(table, "")), Direction::kForward,
                                   SIZE_MAX, [&](std::string_view sort, RowView) {
                                     rows.emplace_back(std::string(sort));
                                     return true;
                                   });
  for (const SortKey& row : rows) tx.Write(Backfills(), row, std::nullopt);
  return status;
}

}  // namespace

void MarkForRetiming(ItemTransaction& tx, const PartitionKey& table) {
  tx.Write(Retimings(), RetimingKey(table), Row{1, {}});
}

void MarkForErasing(ItemTransaction& tx, const PartitionKey& table, const IndexDef* index) {
  tx.Write(Erasures(), ErasureKey(table, index ? IndexPrefix(*index) : ""), Row{1, {}});
}

void ForgetBackfill(ItemTransaction& tx, const PartitionKey& table, const IndexDef& index) {
  tx.Write(Backfills(), BackfillKey(table, index), std::nullopt);
}

Status ReadBackfill(const Reader& reader, const TenantId& tenant, const TableDef& def, const IndexDef& index,
                    int64_t* items) {
  Backfill backfill;
  Status status = ReadBackfillRow(reader, TablePartition(tenant, def), index, &backfill);
  *items = static_cast<int64_t>(backfill.items);
  return status;
}

Status ItemUpkeep::Step(int part, ItemTransaction& tx, bool* worked) {
  constexpr Status (ItemUpkeep::*kSteps[kParts])(ItemTransaction&, bool*) = {
      &ItemUpkeep::Upgrade, &ItemUpkeep::Expire, &ItemUpkeep::Fill, &ItemUpkeep::Retime, &ItemUpkeep::Erase};
  return (this->*kSteps[part])(tx, worked);
}

Status ItemUpkeep::Expire(ItemTransaction& tx, bool* worked) {
  std::vector<SortKey> due;
  const int64_t now_s = tx.now().ms / 1000;
  const auto at = [](int64_t seconds) {
    return KeyWriter().Number(static_cast<uint64_t>(std::max<int64_t>(seconds, 0))).Sort();
  };
  Status status = tx.reader().Scan(ExpiryPartition(), {at(now_s - kMistakenSeconds + 1), at(now_s + 1)},
                                   Direction::kForward, kUpkeepRows, [&](std::string_view sort, RowView) {
                                     due.emplace_back(std::string(sort));
                                     return true;
                                   });
  for (size_t i = 0; status.ok() && i < due.size(); ++i) {
    ExpiryEntry entry;
    if (!ParseExpiryKey(due[i].bytes(), &entry)) return Unreadable("the expiry place of an item");
    status = RemoveExpired(tx, due[i], entry);
  }
  *worked = *worked || due.size() == kUpkeepRows;
  return status;
}

// Removes the item only if it is still expired. A later write has removed this place itself, unless the table
// was dropped.
Status ItemUpkeep::RemoveExpired(ItemTransaction& tx, const SortKey& at, const ExpiryEntry& entry) {
  const auto partition = PartitionKey::FromBytes(entry.partition);
  if (!partition) return Unreadable("the expiry place of an item");
  tx.Write(ExpiryPartition(), at, std::nullopt);
  if (entry.sort.front() == static_cast<char>(ItemTag::kToken)) {
    std::optional<Row> row;
    Status status = tx.reader().Get(*partition, SortKey(entry.sort), &row);
    std::string_view rest = row ? row->payload : std::string_view();
    uint64_t until_ms = 0;
    if (!status.ok() || !protocol::TakeVarint(&rest, &until_ms)) return status;
    const auto until = static_cast<int64_t>(until_ms);
    if (until <= tx.kept().ms) {
      tx.Write(*partition, SortKey(entry.sort), std::nullopt);
    } else if (until <= tx.now().ms) {
      // Kept until both clocks have passed its time: look again when the other clock gets there.
      const int64_t again_ms = until + tx.now().ms - tx.kept().ms;
      tx.Write(ExpiryPartition(), ExpiryKey((again_ms + 999) / 1000, *partition, SortKey(entry.sort)),
               Row{1, {}});
    }
    return status;
  }
  ItemChange change;
  change.def = TableOf(tx, *partition);
  change.tenant = TenantOf(*partition);
  if (!change.def) return {};
  if (!ParseItemKey(*change.def, entry.sort, &change.key)) return Unreadable("the expiry place of an item");
  change.reason = ChangeReason::kExpired;
  if (auto fault = ReadStored(tx.reader(), *partition, *change.def, change.key, tx.now(), &change.before))
    return {StatusCode::kCorrupt, fault->message};
  if (!change.before.stored || !change.before.expired) return {};
  Write(tx, change);
  tx.Log(EncodeItemEntry({change}));
  if (on_expired_) on_expired_(*change.def, *change.before.stored);
  return {};
}

Status ItemUpkeep::Fill(ItemTransaction& tx, bool* worked) {
  for (const auto& [tenant, published] : catalog_.Own()) {
    for (const IndexDef& index : published->indexes) {
      if (index.status != IndexStatus::kCreating) continue;
      const TableDefPtr def = tx.FindTable(tenant, published->name);
      const IndexDef* current = def ? def->FindIndex(index.name) : nullptr;
      if (!current || current->number != index.number || current->status != IndexStatus::kCreating) continue;
      *worked = true;
      const PartitionKey table = TablePartition(tenant, *def);
      Backfill backfill;
      if (Status status = ReadBackfillRow(tx.reader(), table, index, &backfill); !status.ok()) return status;
      ItemSlice slice;
      if (Status status = ReadSlice(tx, table, *def, &backfill.after, &slice); !status.ok()) return status;
      for (const auto& [key, item] : slice.items) {
        if (auto entry = EntryOf(table, *def, *current, key, item))
          tx.Write(entry->partition, entry->sort, Row{1, {}});
      }
      if (!slice.last) {
        backfill.items += slice.items.size();
        std::string payload;
        protocol::AppendVarint(&payload, backfill.items);
        tx.Write(Backfills(), BackfillKey(table, index), Row{1, payload + backfill.after});
        return {};
      }
      auto filled = std::make_shared<TableDef>(*def);
      for (IndexDef& one : filled->indexes) {
        if (one.number == index.number) one.status = IndexStatus::kActive;
      }
      tx.Define(tenant, std::move(filled));
      tx.Write(Backfills(), BackfillKey(table, index), std::nullopt);
      return {};
    }
  }
  return {};
}

Status ItemUpkeep::Retime(ItemTransaction& tx, bool* worked) {
  std::optional<SortKey> record;
  std::string after;
  Status status = tx.reader().Scan(Retimings(), SortRange::All(), Direction::kForward, 1,
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
  const TableDefPtr def = TableOf(tx, partition);
  ItemSlice slice;
  if (def) status = ReadSlice(tx, partition, *def, &after, &slice);
  if (!status.ok()) return status;
  for (const auto& [key, item] : slice.items) {
    if (const int64_t expiry = ExpiryOf(*def, item))
      tx.Write(ExpiryPartition(), ExpiryKey(expiry, partition, ItemKey(*def, key)), Row{1, {}});
  }
  const bool over = !def || slice.last;
  tx.Write(Retimings(), *record, over ? std::nullopt : std::optional(Row{1, after}));
  return {};
}

Status ItemUpkeep::Erase(ItemTransaction& tx, bool* worked) {
  std::optional<SortKey> record;
  std::string after;  // erased rows take time to skip, so it continues after them
  Status status = tx.reader().Scan(Erasures(), SortRange::All(), Direction::kForward, 1,
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
  status = tx.reader().Scan(partition, range, Direction::kForward, kUpkeepRows,
                            [&](std::string_view sort, RowView) {
                              rows.emplace_back(std::string(sort));
                              return true;
                            });
  if (!status.ok()) return status;
  for (const SortKey& row : rows) tx.Write(partition, row, std::nullopt);
  if (rows.size() == kUpkeepRows) {
    tx.Write(Erasures(), *record, Row{1, rows.back().bytes()});
    return {};
  }
  tx.Write(Erasures(), *record, std::nullopt);
  if (rest.empty()) return ForgetBackfills(tx, partition);
  // An index is removed once its entries are.
  const TableDefPtr def = TableOf(tx, partition);
  if (!def) return {};
  auto without = std::make_shared<TableDef>(*def);
  std::erase_if(without->indexes, [&](const IndexDef& index) {
    return index.status == IndexStatus::kDeleting && IndexPrefix(index) == rest;
  });
  if (without->indexes.size() != def->indexes.size()) tx.Define(TenantOf(partition), std::move(without));
  return {};
}

}  // namespace parley::storage
