// Where the rows of the table engine are. Format and vectors: storage/FORMAT.md, "Items".
//
//   partition  (tenant, kItems, table)      everything of one table: items, index entries, guards, statistics
//   partition  (kEngineTenant, kItemExpiry) items that expire, of all tenants, in order of time
//   partition  (kEngineTenant, kItems, "/…") definitions, guards that hold among all tenants, records
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

// What belongs to no tenant.
protocol::TenantId EngineTenant();

// What a key's values are: the table's, or an index entry's before the base key.
struct KeyValues {
  AttributeValue hash;
  std::optional<AttributeValue> range;
  std::vector<AttributeValue> more_hash = {}, more_range = {};  // of keys of several attributes
  friend bool operator==(const KeyValues&, const KeyValues&) = default;
};
// From an item that has them all; nullopt: one is missing, or of another type.
std::optional<KeyValues> KeyOf(const KeySchema& schema, const Item& item);
void SetKey(const KeySchema& schema, const KeyValues& key, Item* item);

PartitionKey TablePartition(const protocol::TenantId& tenant, const TableDef& def);
PartitionKey DefinitionPartition();
SortKey DefinitionKey(const protocol::TenantId& tenant, std::string_view table);
PartitionKey TokenPartition(const protocol::TenantId& tenant);
SortKey TokenKey(std::string_view token);
PartitionKey RecordPartition(std::string_view kind);
SortKey RecordKey(std::string_view id);
// A tenant's table keys, whose records are the accounts'.
PartitionKey TableKeyRecords();
SortKey TableKeyRecordKey(const protocol::TenantId& tenant, const protocol::KeyText& id);
bool ParseTableKeyRecordKey(std::string_view sort, protocol::TenantId* tenant, std::string* id);
// How far domain events have become items of Events.
PartitionKey EventRelayRecords();
// How far what staff did in threads has become entries of the audit chains.
PartitionKey AuditRelayRecords();
// How far cards that are cases have become items of moderation-cases.
PartitionKey CaseRelayRecords();
SortKey StatsKey();

// Work that the engine has begun, by the table that it is about: what is erased of it (everything, or what
// begins with `prefix`), which of its indexes is being filled, and whether its items get other times.
PartitionKey Erasures();
SortKey ErasureKey(const PartitionKey& table, std::string_view prefix);
PartitionKey Backfills();
SortKey BackfillKey(const PartitionKey& table, const IndexDef& index);
PartitionKey Retimings();
SortKey RetimingKey(const PartitionKey& table);
// Takes any of the three apart: `rest` is what follows the table.
bool ParseWorkKey(std::string_view sort, PartitionKey* table, std::string* rest);
std::string IndexPrefix(const IndexDef& index);  // all entries of the index begin with it

// Values that one item only may have. `global`: among all tenants.
struct GuardPlace {
  PartitionKey partition;
  SortKey sort;
};
// nullopt: the item lacks one of the attributes.
std::optional<GuardPlace> GuardOf(const protocol::TenantId& tenant, const TableDef& def,
                                  const UniqueRule& rule, const Item& item);

SortKey ItemKey(const TableDef& def, const KeyValues& key);
bool ParseItemKey(const TableDef& def, std::string_view sort, KeyValues* key);
// An entry: the index's key, then the item's.
SortKey EntryKey(const TableDef& def, const IndexDef& index, const KeyValues& entry, const KeyValues& item);
bool ParseEntryKey(const TableDef& def, const IndexDef& index, std::string_view sort, KeyValues* entry,
                   KeyValues* item);
// The item's key, taken from the entry's bytes without reading its values; nullopt: that is no entry.
std::optional<SortKey> ItemKeyOfEntry(const TableDef& def, const IndexDef& index, std::string_view sort);

// What all items, or entries of an index (if any), with this partition key begin with.
SortKey HashPrefix(const IndexDef* index, const AttributeValue& hash,
                   const std::vector<AttributeValue>& more_hash = {});
// All items of the table, or entries of the index: the share of a segment, in order of the hash of their
// partition keys. REQUIRES: segment < total.
SortRange SegmentRange(const IndexDef* index, uint32_t segment, uint32_t total);

PartitionKey ExpiryPartition();
struct ExpiryEntry {
  int64_t at_s = 0;
  std::string partition;  // of the table: bytes
  std::string sort;       // of the item
};
SortKey ExpiryKey(int64_t at_s, const PartitionKey& partition, const SortKey& item);
bool ParseExpiryKey(std::string_view sort, ExpiryEntry* out);

}  // namespace parley::storage
