// What a tenant says about its tables, the declared ones too, to be told again: tags, and what DynamoDB would
// do with its disks. None of it has an effect here.
//
// Thread contract: the decisions on the writer's thread, ReadFacts on any.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/engine/item_keys.h"
#include "storage/engine/item_stage.h"

namespace parley::storage {

inline constexpr size_t kTagsMax = 50;  // of a table
using Tags = std::map<std::string, std::string>;
struct Encryption {
  std::string key = {};  // of a key management service; empty: that service's own
  friend bool operator==(const Encryption&, const Encryption&) = default;
};
struct TableFacts {
  Tags tags = {};
  std::string table_class = {};  // "STANDARD"; empty: nothing was said
  std::optional<Encryption> encryption = {};
  friend bool operator==(const TableFacts&, const TableFacts&) = default;
};

MaybeFault ReadFacts(const Reader& reader, const TenantId& tenant, std::string_view table, TableFacts* out);
// REQUIRES: the table is there, or just dropped and nothing is said of it any more.
void SetFacts(ItemStage& stage, const TenantId& tenant, std::string_view table, const TableFacts& facts);

// Puts each of `tags` in the place of one of the same name. REQUIRES: the table is there.
MaybeFault DecideTag(ItemStage& stage, const TenantId& tenant, std::string_view table, const Tags& tags);
// Names that no tag has are passed over.
MaybeFault DecideUntag(ItemStage& stage, const TenantId& tenant, std::string_view table,
                       const std::vector<std::string>& names);

// Where they are (storage/FORMAT.md, "Items").
PartitionKey FactsRecords();
SortKey FactsKey(const TenantId& tenant, std::string_view table);
bool ParseFactsKey(std::string_view sort, TenantId* tenant, std::string* table);
std::string EncodeFacts(const TableFacts& facts);
bool DecodeFacts(std::string_view bytes, TableFacts* out);

}  // namespace parley::storage
