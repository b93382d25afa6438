// Converts the legacy parameters to the trees of expressions.h: Expected, ConditionalOperator, ScanFilter,
// QueryFilter, KeyConditions, AttributeUpdates, AttributesToGet.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "storage/expressions/expressions.h"

namespace parley::storage {

// ComparisonOperator with its AttributeValueList.
struct LegacyComparison {
  std::string attribute;
  std::string op;  // "EQ", "NOT_NULL", …
  std::vector<AttributeValue> values;
};
// One member of Expected: either a comparison, or Value and Exists.
struct LegacyExpected {
  std::string attribute;
  std::optional<AttributeValue> value;
  std::optional<bool> exists;
  std::optional<std::string> op;
  std::vector<AttributeValue> values;
  bool has_list = false;  // AttributeValueList was given, even if empty
};
struct LegacyUpdate {
  std::string attribute;
  std::string action = "PUT";  // PUT, ADD, DELETE
  std::optional<AttributeValue> value;
};

// `any`: ConditionalOperator is OR.
Fault ConditionOf(const std::vector<LegacyExpected>& expected, bool any, Condition* out);
Fault ConditionOf(const std::vector<LegacyComparison>& filter, bool any, Condition* out);
Fault KeyExpressionOf(const std::vector<LegacyComparison>& conditions, KeyExpression* out);
Fault UpdateOf(const std::vector<LegacyUpdate>& updates, Update* out);
Fault ProjectionOf(const std::vector<std::string>& attributes, ProjectionPaths* out);

}  // namespace parley::storage
