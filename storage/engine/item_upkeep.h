// What the engine does on its own, in slices between the writer's turns: removes items that have expired,
// fills an index that was added to a table with items (backfill), gives items their place among those that
// expire when a TTL attribute is named, and erases the rows of what was dropped.
//
// Thread contract: the writer's thread.
#pragma once

#include <functional>
#include <string>

#include "storage/engine/expiry_upgrade.h"
#include "storage/engine/item_keys.h"
#include "storage/engine/item_stage.h"

namespace parley::storage {

inline constexpr size_t kUpkeepRows = 200;  // a slice looks at so many

class ItemUpkeep {
 public:
  // `on_expired` may be empty: ItemWriterSettings.
  using OnExpired = std::function<void(const TableDef&, const Item&)>;
  explicit ItemUpkeep(const Catalog& catalog, OnExpired on_expired = {})
      : catalog_(catalog), on_expired_(std::move(on_expired)), upgrade_(catalog) {}

  // One slice of one of its parts, 0 to kParts - 1. *worked: there may be more to do at once.
  static constexpr int kParts = 5;
  Status Step(int part, ItemStage& stage, bool* worked);

 private:
  Status Expire(ItemStage& stage, bool* worked);
  Status Fill(ItemStage& stage, bool* worked);
  Status Erase(ItemStage& stage, bool* worked);
  Status Retime(ItemStage& stage, bool* worked);
  Status Upgrade(ItemStage& stage, bool* worked) { return upgrade_.Step(stage, worked); }
  Status RemoveExpired(ItemStage& stage, const SortKey& at, const ExpiryEntry& entry);

  const Catalog& catalog_;
  const OnExpired on_expired_;
  ExpiryUpgrade upgrade_;
};

// How far the filling of an index has come: items looked at. 0: not begun, or over.
Status ReadBackfill(const Reader& reader, const TenantId& tenant, const TableDef& def, const IndexDef& index,
                    int64_t* items);

// An index that was to be filled goes.
void ForgetBackfill(ItemStage& stage, const PartitionKey& table, const IndexDef& index);

// Begins to give every item its place among those that expire: the table's TTL attribute is another now.
// Places by the old one are cleared away when their time comes.
void MarkForRetiming(ItemStage& stage, const PartitionKey& table);
// Marks a table's rows, or an index's entries, for erasing.
void MarkForErasing(ItemStage& stage, const PartitionKey& table, const IndexDef* index);

}  // namespace parley::storage
