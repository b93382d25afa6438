// Reads the table definition that a CreateTable or UpdateTable requests, and converts it to the stored form.
//
// Pure functions; the results own their data.
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
  std::string projection;  // empty: not given
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

// Check types and constraints of each member. Faults are reported to `body`.
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
  // Returns true if this changes anything.
  bool Apply(storage::TableFacts* facts) const;
};
FactsWish ReadFactsWish(RequestBody& body);

// Check how the members fit together (table_shape.cc).
DynamoResult<storage::TableDef> ShapeOf(const TableWish& wish);
// How many attributes a key may have: a partition and a sort key, or several of each.
enum class IndexKeys : uint8_t { kTwo, kSeveral };
DynamoResult<storage::IndexDef> ShapeOf(const IndexWish& wish,
                                        const std::vector<storage::KeyAttribute>& attributes,
                                        IndexKeys allowed);
// Rejects throughput above the maximum.
std::optional<DynamoError> CheckThroughput(const storage::Throughput& units);

}  // namespace parley::gateway
