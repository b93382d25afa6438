// One item before and after, and all rows that follow from the change: its own, its index entries, its
// guards, its place among the expiring items, the table's statistics. An item's row and all rows derived from
// it are written together.
//
// Thread contract: pure, except for the transaction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "storage/engine/item_keys.h"
#include "storage/engine/item_transaction.h"

namespace parley::storage {

// Epoch seconds; 0 if the item never expires.
int64_t ExpiryOf(const TableDef& def, const Item& item);
// Whether an item with this expiry reads as missing. Like DynamoDB, treats a time more than five years ago as
// a mistake, which expires nothing.
inline constexpr int64_t kMistakenSeconds = int64_t{5} * 365 * 24 * 3600;
bool IsExpired(int64_t expiry_s, protocol::Time now);

struct StoredItem {
  std::optional<Item> stored;  // as in the row
  bool expired = false;        // if so, it reads as missing
  const Item* live() const { return stored && !expired ? &*stored : nullptr; }
};
MaybeFault ReadStored(const Reader& reader, const PartitionKey& table, const TableDef& def,
                      const KeyValues& key, protocol::Time now, StoredItem* out);

// Checks names, types and sizes of a bare key.
MaybeFault CheckKey(const TableDef& def, const Item& given, KeyValues* out);
// The same for an item's key, plus the requirements of its indexes.
MaybeFault CheckItem(const TableDef& def, const Item& item, bool updated, KeyValues* out);

enum class ChangeReason : uint8_t { kUser = 1, kExpired = 2 };  // on disk, in the change log
struct ItemChange {
  TenantId tenant;
  TableDefPtr def;
  KeyValues key;
  StoredItem before;
  std::optional<Item> after;
  ChangeReason reason = ChangeReason::kUser;
};
// Checks the unique rules. REQUIRES: the change was checked.
MaybeFault CheckUnique(const ItemTransaction& tx, const ItemChange& change);
void Write(ItemTransaction& tx, const ItemChange& change);
// The holder of a unique value, decoded from its guard (GuardOf); nullopt if unreadable.
struct GuardHolder {
  TenantId tenant;
  KeyValues key;
};
std::optional<GuardHolder> HolderOf(const TableDef& def, std::string_view guard);

// The rows that follow from an item, without its own. Verification recomputes them, too.
struct DerivedRow {
  PartitionKey partition;
  SortKey sort;
  std::string payload;
  friend bool operator==(const DerivedRow&, const DerivedRow&) = default;
};
std::vector<DerivedRow> DerivedRowsOf(const TenantId& tenant, const TableDef& def, const KeyValues& key,
                                      const Item& item);
std::optional<DerivedRow> EntryOf(const PartitionKey& table, const TableDef& def, const IndexDef& index,
                                  const KeyValues& key, const Item& item);

// The change log's entry for items. Its first byte distinguishes it from the threads' entries.
bool IsItemEntry(std::string_view entry);
std::string EncodeItemEntry(const std::vector<ItemChange>& changes);
struct ItemEntry {
  struct Change {
    std::string table;  // bytes of its partition
    std::string item;   // bytes of its sort key
    ChangeReason reason = ChangeReason::kUser;
    bool existed = false, exists = false;
    std::optional<Item> before, after;  // if the table's declaration asks for images
  };
  std::vector<Change> changes;
};
bool DecodeItemEntry(std::string_view entry, ItemEntry* out);

}  // namespace parley::storage
