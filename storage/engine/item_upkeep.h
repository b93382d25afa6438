// The engine's background work, in slices between the writer's batches: removes expired items, fills an index
// that was added to a table with items (backfill), gives items their expiry places after a TTL attribute was
// named, and erases the rows of dropped tables and indexes.
//
// Thread contract: the writer's thread.
#pragma once

#include <functional>
#include <string>

#include "storage/engine/expiry_upgrade.h"
#include "storage/engine/item_keys.h"
#include "storage/engine/item_transaction.h"

namespace parley::storage {

inline constexpr size_t kUpkeepRows = 200;  // rows per slice

class ItemUpkeep {
 public:
  // `on_expired` may be empty: ItemWriterSettings.
  using OnExpired = std::function<void(const TableDef&, const Item&)>;
  explicit ItemUpkeep(const Catalog& catalog, OnExpired on_expired = {})
      : catalog_(catalog), on_expired_(std::move(on_expired)), upgrade_(catalog) {}

  // Works on one slice of a part, 0 to kParts - 1. Sets *worked if there may be more to do at once.
  static constexpr int kParts = 5;
  Status Step(int part, ItemTransaction& tx, bool* worked);

 private:
  Status Expire(ItemTransaction& tx, bool* worked);
  Status Fill(ItemTransaction& tx, bool* worked);
  Status Erase(ItemTransaction& tx, bool* worked);
  Status Retime(ItemTransaction& tx, bool* worked);
  Status Upgrade(ItemTransaction& tx, bool* worked) { return upgrade_.Step(tx, worked); }
  Status RemoveExpired(ItemTransaction& tx, const SortKey& at, const ExpiryEntry& entry);

  const Catalog& catalog_;
  const OnExpired on_expired_;
  ExpiryUpgrade upgrade_;
};

// The progress of filling an index: the number of items examined. 0: not begun, or finished.
Status ReadBackfill(const Reader& reader, const TenantId& tenant, const TableDef& def, const IndexDef& index,
                    int64_t* items);

// Drops the record of an index that was being filled.
void ForgetBackfill(ItemTransaction& tx, const PartitionKey& table, const IndexDef& index);

// Starts to write every item's expiry place again, because the table's TTL attribute changed. Places by the
// old attribute are removed when they are due.
void MarkForRetiming(ItemTransaction& tx, const PartitionKey& table);
// Marks a table's rows, or an index's entries, for erasing.
void MarkForErasing(ItemTransaction& tx, const PartitionKey& table, const IndexDef* index);

}  // namespace parley::storage
