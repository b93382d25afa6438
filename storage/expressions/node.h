// The tree of a parsed expression: conditions and the right sides of updates alike. Internal to this folder.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "storage/expressions/effort.h"
#include "storage/expressions/expressions.h"

namespace parley::storage {

enum class NodeKind : uint8_t {
  // operands
  kPath,
  kValue,
  // operators
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,
  kIn,
  kAnd,
  kOr,
  kNot,
  kPlus,
  kMinus,
  // functions
  kAttributeExists,
  kAttributeNotExists,
  kAttributeType,
  kBeginsWith,
  kContains,
  kSize,
  kIfNotExists,
  kListAppend,
  kUnknownFunction,
};

struct Condition::Node {
  NodeKind kind = NodeKind::kPath;
  bool in_parentheses = false;  // in parentheses of its own
  Path path;
  std::shared_ptr<const AttributeValue> value;  // shared with the request, because a value may be named often
  std::vector<Node> arguments;
};
using Node = Condition::Node;

inline bool IsFunction(NodeKind kind) {
  return kind >= NodeKind::kAttributeExists;
}
inline bool IsOperand(NodeKind kind) {
  return kind <= NodeKind::kValue;
}

// The names of operators and functions in messages: "BETWEEN", "begins_with".
std::string_view NameOf(NodeKind kind);
NodeKind FunctionNamed(std::string_view name);  // kUnknownFunction if unknown
// kIfNotExists and kListAppend exist only in updates, the others only in conditions.
inline bool IsUpdateFunction(NodeKind kind) {
  return kind == NodeKind::kIfNotExists || kind == NodeKind::kListAppend;
}
// The type of a node's result, if it is known without an item.
std::optional<AttributeType> TypeOf(const Node& node);

// Returns the value of an operand, or nullptr if the item has none. `made` stores a computed value.
const AttributeValue* ValueOf(const Node& operand, const Item& item, AttributeValue* made, Effort* effort);
bool Holds(const Node& condition, const Item& item, Effort* effort);

// Calls `visit` with each path in the node.
template <class Visit>
void ForEachPath(const Node& node, const Visit& visit) {
  if (node.kind == NodeKind::kPath) visit(node.path);
  for (const Node& argument : node.arguments) ForEachPath(argument, visit);
}

}  // namespace parley::storage
