// A tenant's settings of its tables, declared ones included, that are only reported back: tags, and
// DynamoDB's settings of its disks. They have no effect here.
//
// Thread contract: the decisions on the writer's thread, ReadFacts on any.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/engine/item_keys.h"
#include "storage/engine/item_transaction.h"

namespace parley::storage {

inline constexpr size_t kTagsMax = 50;  // per table
using Tags = std::map<std::string, std::string>;
struct Encryption {
  std::string key = {};  // a key management service's; empty: that service's own
  friend bool operator==(const Encryption&, const Encryption&) = default;
};
struct TableFacts {
  Tags tags = {};
  std::string table_class = {};  // "STANDARD"; empty: not set
  std::optional<Encryption> encryption = {};
  friend bool operator==(const TableFacts&, const TableFacts&) = default;
};

MaybeFault ReadFacts(const Reader& reader, const TenantId& tenant, std::string_view table, TableFacts* out);
// REQUIRES: the table exists, or was just dropped and its facts are being removed.
void SetFacts(ItemTransaction& tx, const TenantId& tenant, std::string_view table, const TableFacts& facts);

// Adds `tags`, replacing those of the same names. REQUIRES: the table exists.
MaybeFault DecideTag(ItemTransaction& tx, const TenantId& tenant, std::string_view table, const Tags& tags);
// Ignores unknown names.
MaybeFault DecideUntag(ItemTransaction& tx, const TenantId& tenant, std::string_view table,
                       const std::vector<std::string>& names);

// The keys of the records (storage/FORMAT.md, "Items").
PartitionKey FactsRecords();
SortKey FactsKey(const TenantId& tenant, std::string_view table);
bool ParseFactsKey(std::string_view sort, TenantId* tenant, std::string* table);
std::string EncodeFacts(const TableFacts& facts);
bool DecodeFacts(std::string_view bytes, TableFacts* out);

}  // namespace parley::storage
