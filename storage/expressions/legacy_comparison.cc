#include "storage/expressions/legacy_comparison.h"

#include <algorithm>

#include "storage/expressions/limits.h"

namespace parley::storage {
namespace {

using Op = KeyCondition::Op;

enum class Types : uint8_t { kAny, kOrdered, kText };
struct LegacyOperator {
  std::string_view name;
  NodeKind kind;
  size_t values_min, values_max;
  Types types;
  Op key_op;
};
constexpr LegacyOperator kOperators[] = {
    {"EQ", NodeKind::kEqual, 1, 1, Types::kAny, Op::kEqual},
    {"NE", NodeKind::kNotEqual, 1, 1, Types::kAny, Op::kNone},
    {"LE", NodeKind::kLessOrEqual, 1, 1, Types::kOrdered, Op::kLessOrEqual},
    {"LT", NodeKind::kLess, 1, 1, Types::kOrdered, Op::kLess},
    {"GE", NodeKind::kGreaterOrEqual, 1, 1, Types::kOrdered, Op::kGreaterOrEqual},
    {"GT", NodeKind::kGreater, 1, 1, Types::kOrdered, Op::kGreater},
    {"BETWEEN", NodeKind::kBetween, 2, 2, Types::kOrdered, Op::kBetween},
    {"IN", NodeKind::kIn, 1, kInOperandsMax, Types::kOrdered, Op::kNone},
    {"CONTAINS", NodeKind::kContains, 1, 1, Types::kOrdered, Op::kNone},
    {"NOT_CONTAINS", NodeKind::kNot, 1, 1, Types::kOrdered, Op::kNone},
    {"BEGINS_WITH", NodeKind::kBeginsWith, 1, 1, Types::kText, Op::kBeginsWith},
    {"NULL", NodeKind::kAttributeNotExists, 0, 0, Types::kAny, Op::kNone},
    {"NOT_NULL", NodeKind::kAttributeExists, 0, 0, Types::kAny, Op::kNone},
};

const LegacyOperator* Find(std::string_view name) {
  const auto found = std::find_if(std::begin(kOperators), std::end(kOperators),
                                  [&](const LegacyOperator& one) { return one.name == name; });
  return found == std::end(kOperators) ? nullptr : found;
}

bool Allows(Types types, AttributeType type) {
  if (types == Types::kAny) return true;
  if (type == AttributeType::kNumber) return types == Types::kOrdered;
  return type == AttributeType::kString || type == AttributeType::kBinary;
}

Fault TypesFault(const LegacyOperator& op, const std::vector<AttributeValue>& values) {
  const auto has_other_type = [&](const AttributeValue& value) { return value.type() != values[0].type(); };
  if (std::any_of(values.begin(), values.end(), has_other_type))
    return InvalidValues("AttributeValues inside AttributeValueList must be of same type");
  if (values.empty() || Allows(op.types, values[0].type())) return {};
  return InvalidValues("ComparisonOperator " + std::string(op.name) + " is not valid for " +
                       std::string(NameOf(values[0].type())) + " AttributeValue type");
}

Node Operand(const std::string& attribute) {
  Node node;
  node.path.push_back({attribute});
  return node;
}

Node Call(NodeKind kind, const LegacyComparison& comparison) {
  Node node;
  node.kind = kind;
  node.arguments.push_back(Operand(comparison.attribute));
  for (const AttributeValue& value : comparison.values) {
    Node& argument = node.arguments.emplace_back();
    argument.kind = NodeKind::kValue;
    argument.value = std::make_shared<const AttributeValue>(value);
  }
  return node;
}

}  // namespace

Fault InvalidValues(const std::string& what) {
  return "One or more parameter values were invalid: " + what;
}

Fault AttributeNameFault(const std::string& name) {
  if (!name.empty() && name.size() <= kAttributeNameBytesMax) return {};
  return InvalidValues("An attribute name must have from 1 to " + std::to_string(kAttributeNameBytesMax) +
                       " bytes");
}

Fault ComparisonFault(const LegacyComparison& comparison) {
  if (Fault fault = AttributeNameFault(comparison.attribute); !fault.empty()) return fault;
  const LegacyOperator* op = Find(comparison.op);
  if (op == nullptr) return InvalidValues("Unknown ComparisonOperator: " + comparison.op);
  const std::vector<AttributeValue>& values = comparison.values;
  if (values.size() < op->values_min || values.size() > op->values_max)
    return InvalidValues("Invalid number of argument(s) for the " + comparison.op + " ComparisonOperator");
  if (Fault fault = TypesFault(*op, values); !fault.empty()) return fault;
  if (op->kind != NodeKind::kBetween || !(Compare(values[0], values[1]) > 0)) return {};
  return "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound";
}

Node NodeOf(const LegacyComparison& comparison) {
  const LegacyOperator& op = *Find(comparison.op);
  if (op.kind != NodeKind::kNot) return Call(op.kind, comparison);
  // False for a missing attribute, unlike NOT contains(…).
  Node contains_not;
  contains_not.kind = NodeKind::kNot;
  contains_not.arguments.push_back(Call(NodeKind::kContains, comparison));
  Node both;
  both.kind = NodeKind::kAnd;
  both.arguments.push_back(Call(NodeKind::kAttributeExists, {comparison.attribute, "NOT_NULL", {}}));
  both.arguments.push_back(std::move(contains_not));
  return both;
}

KeyPart KeyPartOf(const LegacyComparison& comparison) {
  KeyPart part{comparison.attribute, Find(comparison.op)->key_op, {}, {}};
  if (!comparison.values.empty()) part.low = comparison.values[0];
  if (comparison.values.size() > 1) part.high = comparison.values[1];
  return part;
}

Condition Joined(std::vector<Node> nodes, bool any) {
  if (nodes.empty()) return {};
  auto root = std::make_shared<Node>();
  root->kind = any ? NodeKind::kOr : NodeKind::kAnd;
  root->arguments = std::move(nodes);
  return Condition(std::move(root));
}

}  // namespace parley::storage
