// The keys of the table engine's rows. Format and vectors: storage/FORMAT.md, "Items".
//
//   partition  (tenant, kItems, table)      everything of one table: items, index entries, guards, statistics
//   partition  (kEngineTenant, kItemExpiry) expiring items of all tenants, in order of time
//   partition  (kEngineTenant, kItems, "/…") definitions, guards across all tenants, records
//
// A table's name cannot contain a slash and a tenant's id no space, so none of these meet. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/declarations/table_def.h"
#include "storage/items/item_key.h"
#include "storage/key.h"

namespace parley::storage {

// Owns the rows that belong to no tenant.
protocol::TenantId EngineTenant();

// The values of a key: the table's, or those of an index entry before the base key.
struct KeyValues {
  AttributeValue hash;
  std::optional<AttributeValue> range;
  std::vector<AttributeValue> more_hash = {}, more_range = {};  // for keys with several attributes
  friend bool operator==(const KeyValues&, const KeyValues&) = default;
};
// Returns the key of an item, or nullopt if an attribute is missing or has another type.
std::optional<KeyValues> KeyOf(const KeySchema& schema, const Item& item);
void SetKey(const KeySchema& schema, const KeyValues& key, Item* item);

PartitionKey TablePartition(const protocol::TenantId& tenant, const TableDef& def);
PartitionKey DefinitionPartition();
SortKey DefinitionKey(const protocol::TenantId& tenant, std::string_view table);
PartitionKey TokenPartition(const protocol::TenantId& tenant);
SortKey TokenKey(std::string_view token);
PartitionKey RecordPartition(std::string_view kind);
SortKey RecordKey(std::string_view id);
// The table keys of tenants; accounts/ owns these records.
PartitionKey TableKeyRecords();
SortKey TableKeyRecordKey(const protocol::TenantId& tenant, const protocol::KeyText& id);
bool ParseTableKeyRecordKey(std::string_view sort, protocol::TenantId* tenant, std::string* id);
// The position up to which domain events have become items of Events.
PartitionKey EventRelayRecords();
// The position up to which acts of staff in threads have become entries of the audit chains.
PartitionKey AuditRelayRecords();
// The position up to which cards that are cases have become items of moderation-cases.
PartitionKey CaseRelayRecords();
SortKey StatsKey();

// Records of the engine's unfinished work on a table: rows to erase (all, or those that begin with `prefix`),
// the index that is being filled, and whether its items get other times.
PartitionKey Erasures();
SortKey ErasureKey(const PartitionKey& table, std::string_view prefix);
PartitionKey Backfills();
SortKey BackfillKey(const PartitionKey& table, const IndexDef& index);
PartitionKey Retimings();
SortKey RetimingKey(const PartitionKey& table);
// Parses a key of all three kinds; `rest` is the part after the table.
bool ParseWorkKey(std::string_view sort, PartitionKey* table, std::string* rest);
std::string IndexPrefix(const IndexDef& index);  // all entries of the index begin with it

// The guard of values that only one item may have. `global`: across all tenants.
struct GuardPlace {
  PartitionKey partition;
  SortKey sort;
};
// Returns nullopt if the item lacks one of the attributes.
std::optional<GuardPlace> GuardOf(const protocol::TenantId& tenant, const TableDef& def,
                                  const UniqueRule& rule, const Item& item);

SortKey ItemKey(const TableDef& def, const KeyValues& key);
bool ParseItemKey(const TableDef& def, std::string_view sort, KeyValues* key);
// An entry's key: the index's key, then the item's.
SortKey EntryKey(const TableDef& def, const IndexDef& index, const KeyValues& entry, const KeyValues& item);
bool ParseEntryKey(const TableDef& def, const IndexDef& index, std::string_view sort, KeyValues* entry,
                   KeyValues* item);
// Returns the item's key from the entry's bytes without reading its values, or nullopt if it is not an entry.
std::optional<SortKey> ItemKeyOfEntry(const TableDef& def, const IndexDef& index, std::string_view sort);

// The common prefix of all items, or entries of an index, with this partition key.
SortKey HashPrefix(const IndexDef* index, const AttributeValue& hash,
                   const std::vector<AttributeValue>& more_hash = {});
// The share of a segment in a parallel scan of the table or index, in order of the hash of the partition
// keys. REQUIRES: segment < total.
SortRange SegmentRange(const IndexDef* index, uint32_t segment, uint32_t total);

PartitionKey ExpiryPartition();
struct ExpiryEntry {
  int64_t at_s = 0;
  std::string partition;  // the table's bytes
  std::string sort;       // the item's bytes
};
SortKey ExpiryKey(int64_t at_s, const PartitionKey& partition, const SortKey& item);
bool ParseExpiryKey(std::string_view sort, ExpiryEntry* out);

}  // namespace parley::storage
