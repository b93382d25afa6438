// What an item demands beside its own row, worked out for verification without the code that writes it: only
// how a key is spelled is shared with that (item_keys.h).
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
  bool retiming = false;  // its items get places by another TTL attribute just now
  std::string name() const { return tenant.ToText() + ": " + def->name; }
};

// Where the item must be found, and nothing else in the row.
std::optional<SortKey> EntryDemanded(const CheckedTable& table, const IndexDef& index, const Item& item);
// Which row must name the item.
std::optional<RowKey> GuardDemanded(const CheckedTable& table, const UniqueRule& rule, const Item& item);
std::string GuardHolder(const CheckedTable& table, const SortKey& item);
// When the item expires: the first epoch second that is not before its number. nullopt: never.
std::optional<int64_t> ExpiryDemanded(const CheckedTable& table, const Item& item);
// Whether it reads as missing. Its guards may then be another item's, or gone with that.
bool ReadsAsMissing(const CheckedTable& table, const Item& item, protocol::Time now);
// The sort key that its own attributes give it.
std::optional<SortKey> PlaceDemanded(const CheckedTable& table, const Item& item);

// A key as an operator reads it: pk "a" sk 12.
std::string KeyText(const TableDef& def, const KeyValues& key);

}  // namespace parley::storage
