// What several operations ask for in the same words: expressions with their names and values or the legacy
// parameters instead, what to return, what it cost.
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

// Reads names and values and parses what is given under each name. Faults go to `body`.
class Expressions {
 public:
  // `expressions` and `legacy`: the parameters of either kind that the operation has.
  Expressions(RequestBody& body, std::vector<std::string_view> expressions,
              std::vector<std::string_view> legacy);

  storage::Condition ConditionOf(std::string_view name);  // ConditionExpression, FilterExpression
  storage::Condition LegacyConditionOf(std::string_view name, bool expected);
  storage::KeyExpression KeyCondition();  // KeyConditionExpression or KeyConditions
  storage::Update Update();               // UpdateExpression or AttributeUpdates
  // ProjectionExpression or AttributesToGet.
  std::optional<storage::ProjectionPaths> Projection();
  // After all others: names or values that none of them used.
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

// ,"ItemCollectionMetrics":… or nothing: only of tables with local indexes.
std::string CollectionMetricsJson(const storage::TableDef& def, const storage::Item& item);

}  // namespace parley::gateway
