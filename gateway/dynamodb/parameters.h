// Reads the parameters that several operations share: expressions with their names and values, or the legacy
// parameters instead; return values; consumed capacity.
//
// Lives while a request is read (request_body.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/dynamodb/capacity.h"
#include "gateway/dynamodb/request_body.h"
#include "storage/engine/item_writes.h"
#include "storage/expressions/legacy.h"

namespace parley::gateway {

CapacityDetail ReadCapacityDetail(RequestBody& body);
bool WantsCollectionMetrics(RequestBody& body);  // ReturnItemCollectionMetrics
bool ReturnsItemOnFailure(RequestBody& body);    // ReturnValuesOnConditionCheckFailure

// Reads names and values, and parses the expressions. Faults are reported to `body`.
class Expressions {
 public:
  // `expressions` and `legacy`: the operation's parameters of each kind.
  Expressions(RequestBody& body, std::vector<std::string_view> expressions,
              std::vector<std::string_view> legacy);

  storage::Condition ConditionOf(std::string_view name);  // ConditionExpression, FilterExpression
  storage::Condition LegacyConditionOf(std::string_view name, bool expected);
  storage::KeyExpression KeyCondition();  // KeyConditionExpression or KeyConditions
  storage::Update Update();               // UpdateExpression or AttributeUpdates
  // ProjectionExpression or AttributesToGet.
  std::optional<storage::ProjectionPaths> Projection();
  // Call after all others: reports names or values that no expression used.
  void CheckUnused();

 private:
  void ReadPlaceholders();
  void Note(const storage::Fault& fault);
  bool Any() const;
  std::string MissingExpressions() const;

  RequestBody& body_;
  const std::vector<std::string_view> expressions_;
  storage::Placeholders placeholders_;
};

// Returns ,"ItemCollectionMetrics":… or nothing: only tables with local indexes have them.
std::string CollectionMetricsJson(const storage::TableDef& def, const storage::Item& item);

}  // namespace parley::gateway
