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
  bool in_parentheses = false;  // nothing but what is within them
  Path path;
  std::shared_ptr<const AttributeValue> value;  // shared with the request: one value may be named often
  std::vector<Node> arguments;
};
using Node = Condition::Node;

inline bool IsFunction(NodeKind kind) {
  return kind >= NodeKind::kAttributeExists;
}
inline bool IsOperand(NodeKind kind) {
  return kind <= NodeKind::kValue;
}

// How messages name the operators and functions: "BETWEEN", "begins_with".
std::string_view NameOf(NodeKind kind);
NodeKind FunctionNamed(std::string_view name);  // kUnknownFunction: there is none
// kIfNotExists and kListAppend, which only updates have; the others only conditions have.
inline bool IsUpdateFunction(NodeKind kind) {
  return kind == NodeKind::kIfNotExists || kind == NodeKind::kListAppend;
}
// What a node evaluates to, where that is known without an item.
std::optional<AttributeType> TypeOf(const Node& node);

// The value of an operand; nullptr: the item has none. `made` keeps what had to be computed.
const AttributeValue* ValueOf(const Node& operand, const Item& item, AttributeValue* made, Effort* effort);
bool Holds(const Node& condition, const Item& item, Effort* effort);

// Calls `visit` with each path within.
template <class Visit>
void ForEachPath(const Node& node, const Visit& visit) {
  if (node.kind == NodeKind::kPath) visit(node.path);
  for (const Node& argument : node.arguments) ForEachPath(argument, visit);
}

}  // namespace parley::storage
