#include "storage/engine/expiry_upgrade.h"

#include "storage/engine/item_keys.h"
#include "storage/engine/item_upkeep.h"

namespace parley::storage {

SortKey FractionPlacesKey() {
  return RecordKey("fraction-places");
}

Status HasPlacesOfFractions(const Reader& reader, bool* out) {
  std::optional<Row> row;
  Status status = reader.Get(RecordPartition("store"), FractionPlacesKey(), &row);
  *out = row.has_value();
  return status;
}

Status ExpiryUpgrade::Step(ItemTransaction& tx, bool* worked) {
  if (done_) return {};
  if (!left_) {
    if (Status status = HasPlacesOfFractions(tx.reader(), &done_); !status.ok() || done_) return status;
    Tables found;
    if (Status status = FindTables(tx.reader(), &found); !status.ok()) return status;
    left_ = std::move(found);
  }
  *worked = true;
  return Mark(tx);
}

// The tenant's own tables, and the declared tables that table keys may have written to. Services write only
// whole seconds.
Status ExpiryUpgrade::FindTables(const Reader& reader, Tables* out) const {
  for (auto& [tenant, def] : catalog_.Own()) {
    if (!def->ttl_attribute.empty()) out->emplace_back(tenant, def);
  }
  TenantId last;
  return reader.Scan(TableKeyRecords(), SortRange::All(), Direction::kForward, SIZE_MAX,
                     [&](std::string_view sort, RowView) {
                       TenantId tenant;
                       std::string id;
                       if (!ParseTableKeyRecordKey(sort, &tenant, &id) || tenant == last) return true;
                       last = tenant;
                       for (const auto& [name, def] : catalog_.seeds()) {
                         const bool written = def->owner == TableDef::Owner::kPeripheral;
                         if (written && !def->ttl_attribute.empty()) out->emplace_back(tenant, def);
                       }
                       return true;
                     });
}

Status ExpiryUpgrade::Mark(ItemTransaction& tx) {
  for (size_t i = 0; i < kUpkeepRows && !left_->empty(); ++i) {
    const auto& [tenant, def] = left_->back();
    TableStats stats;
    const PartitionKey table = TablePartition(tenant, *def);
    if (Status status = tx.StatsOf(table, &stats); !status.ok()) return status;
    if (stats.items > 0) MarkForRetiming(tx, table);
    left_->pop_back();
  }
  if (!left_->empty()) return {};
  left_.reset();  // marks count once they are on disk: the next step checks the record
  tx.Write(RecordPartition("store"), FractionPlacesKey(), Row{1, {}});
  return {};
}

}  // namespace parley::storage
