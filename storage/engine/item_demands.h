// The rows that an item requires besides its own, computed for verification without the code that writes
// them; only the spelling of keys is shared with the writer (item_keys.h).
//
// Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/base/time.h"
#include "storage/engine/item_keys.h"
#include "storage/table.h"

namespace parley::storage {

// A table as verification found it.
struct CheckedTable {
  protocol::TenantId tenant;
  TableDefPtr def;
  PartitionKey partition;
  bool retiming = false;  // its items are just getting places by another TTL attribute
  std::string name() const { return tenant.ToText() + ": " + def->name; }
};

// The sort key of the item's entry in the index; such a row has no other content.
std::optional<SortKey> EntryDemanded(const CheckedTable& table, const IndexDef& index, const Item& item);
// The key of the guard row that must name the item.
std::optional<RowKey> GuardDemanded(const CheckedTable& table, const UniqueRule& rule, const Item& item);
std::string HolderDemanded(const CheckedTable& table, const SortKey& item);
// The expiry of the item: the first epoch second not before its number. nullopt: never.
std::optional<int64_t> ExpiryDemanded(const CheckedTable& table, const Item& item);
// Whether it reads as missing. Its guards may then belong to another item, or be missing, too.
bool ReadsAsMissing(const CheckedTable& table, const Item& item, protocol::Time now);
// The sort key that its own attributes give it.
std::optional<SortKey> PlaceDemanded(const CheckedTable& table, const Item& item);

// A key as an operator reads it: pk "a" sk 12.
std::string KeyText(const TableDef& def, const KeyValues& key);

}  // namespace parley::storage
