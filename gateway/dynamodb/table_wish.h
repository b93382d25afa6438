// What CreateTable and UpdateTable say about a table, as it was sent, and what it amounts to.
//
// Pure functions; the wishes live by themselves.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <optional>
#include <string>
#include <vector>

#include "gateway/dynamodb/request_body.h"
#include "storage/declarations/table_def.h"
#include "storage/engine/table_facts.h"

namespace parley::gateway {

struct KeyWish {
  std::string name;
  std::string role;  // "HASH", "RANGE"
};
struct IndexWish {
  std::string name;
  std::vector<KeyWish> keys;
  std::string projection;  // empty: not said
  std::optional<std::vector<std::string>> non_keys;
  std::optional<storage::Throughput> throughput;
};
struct TableWish {
  std::string name;
  std::vector<storage::KeyAttribute> attributes;
  std::vector<KeyWish> keys;
  std::optional<std::vector<IndexWish>> locals, globals;
  std::optional<storage::BillingMode> billing;
  std::optional<storage::Throughput> throughput;
  bool deletion_protection = false;
  storage::TableFacts facts;
};

// Types and constraints of each member. Faults go to `body`.
TableWish ReadTableWish(RequestBody& body);
std::vector<storage::KeyAttribute> ReadAttributeDefinitions(RequestBody& body);
std::optional<storage::BillingMode> ReadBillingMode(RequestBody& body);
std::optional<storage::Throughput> ReadThroughput(RequestBody& body);
IndexWish ReadIndexWish(RequestBody& body, bool global);
std::string ReadIndexName(RequestBody& body);
storage::Tags ReadTags(RequestBody& body);
// Settings that DescribeTable returns and that have no effect. Streams are rejected. nullopt: not given.
struct FactsWish {
  std::optional<std::string> table_class;
  std::optional<std::optional<storage::Encryption>> encryption;
  // Returns whether that changes anything.
  bool Apply(storage::TableFacts* facts) const;
};
FactsWish ReadFactsWish(RequestBody& body);

// How the members go together (table_shape.cc).
DynamoResult<storage::TableDef> ShapeOf(const TableWish& wish);
// How many attributes a key may have: a partition and a sort key, or several of each.
enum class IndexKeys : uint8_t { kTwo, kSeveral };
DynamoResult<storage::IndexDef> ShapeOf(const IndexWish& wish,
                                        const std::vector<storage::KeyAttribute>& attributes,
                                        IndexKeys allowed);
// Throughput beyond what can be asked for.
std::optional<DynamoError> CheckThroughput(const storage::Throughput& units);

}  // namespace parley::gateway
