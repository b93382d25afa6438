// Expected, ScanFilter, QueryFilter and KeyConditions.
#include "storage/expressions/key_parts.h"
#include "storage/expressions/legacy_comparison.h"

namespace parley::storage {
namespace {

bool HasList(const LegacyExpected& expected) {
  return expected.has_list || !expected.values.empty();
}

Fault Invalid(const std::string& what, const LegacyExpected& expected) {
  return "One or more parameter values were invalid: " + what + " for Attribute: " + expected.attribute;
}

Fault FormFault(const LegacyExpected& expected) {
  if (HasList(expected) && expected.value)
    return Invalid("Value and AttributeValueList cannot be used together", expected);
  if (!expected.op) {
    return HasList(expected)
               ? Invalid("AttributeValueList can only be used with a ComparisonOperator", expected)
               : "";
  }
  if (expected.exists) return Invalid("Exists and ComparisonOperator cannot be used together", expected);
  const bool needs_value = *expected.op != "NULL" && *expected.op != "NOT_NULL";
  if (needs_value && !HasList(expected) && !expected.value)
    return Invalid("Value or AttributeValueList must be used with ComparisonOperator: " + *expected.op,
                   expected);
  return {};
}

Fault ExistsFault(const LegacyExpected& expected) {
  const bool exists = expected.exists.value_or(true);
  if (exists && !expected.value) {
    const std::string given = expected.exists ? "true" : "null";
    return Invalid("Value must be provided when Exists is " + given, expected);
  }
  if (!exists && expected.value) return Invalid("Value cannot be used when Exists is false", expected);
  return {};
}

// REQUIRES: no FormFault.
LegacyComparison ComparisonOf(const LegacyExpected& expected) {
  LegacyComparison comparison{expected.attribute, expected.op.value_or(expected.value ? "EQ" : "NULL"),
                              expected.values};
  if (expected.value) comparison.values = {*expected.value};
  return comparison;
}

}  // namespace

Fault ConditionOf(const std::vector<LegacyExpected>& expected, bool any, Condition* out) {
  std::vector<LegacyComparison> comparisons;
  for (const LegacyExpected& one : expected) {
    if (Fault fault = FormFault(one); !fault.empty()) return fault;
    if (!one.op) {
      if (Fault fault = ExistsFault(one); !fault.empty()) return fault;
    }
    comparisons.push_back(ComparisonOf(one));
    if (Fault fault = ComparisonFault(comparisons.back()); !fault.empty()) return fault;
  }
  return ConditionOf(comparisons, any, out);
}

Fault ConditionOf(const std::vector<LegacyComparison>& filter, bool any, Condition* out) {
  std::vector<Node> nodes;
  for (const LegacyComparison& comparison : filter) {
    if (Fault fault = ComparisonFault(comparison); !fault.empty()) return fault;
    nodes.push_back(NodeOf(comparison));
  }
  *out = Joined(std::move(nodes), any);
  return {};
}

Fault KeyExpressionOf(const std::vector<LegacyComparison>& conditions, KeyExpression* out) {
  std::vector<KeyPart> parts;
  for (const LegacyComparison& condition : conditions) {
    if (Fault fault = ComparisonFault(condition); !fault.empty()) return fault;
    parts.push_back(KeyPartOf(condition));
  }
  if (parts.empty() || parts.size() > kKeyPartsMax) return kOneOrTwoParts;
  *out = KeyExpression(std::move(parts));
  return {};
}

}  // namespace parley::storage
