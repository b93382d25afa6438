#include <algorithm>
#include <compare>

#include "storage/expressions/condition_parser.h"
#include "storage/expressions/functions.h"
#include "storage/expressions/node.h"
#include "storage/expressions/paths.h"

namespace parley::storage {
namespace {

// The arguments of one operator or function on one item.
class Arguments {
 public:
  Arguments(const Node& node, const Item& item) : node_(node), item_(item) {}

  const AttributeValue* operator[](size_t i) { return ValueOf(node_.arguments[i], item_, &made_[i % 3]); }

  bool AreEqual() {
    const AttributeValue* left = (*this)[0];
    const AttributeValue* right = (*this)[1];
    return left != nullptr && right != nullptr && *left == *right;
  }
  std::partial_ordering Order(size_t i, size_t j) {
    const AttributeValue* left = (*this)[i];
    const AttributeValue* right = (*this)[j];
    if (left == nullptr || right == nullptr) return std::partial_ordering::unordered;
    return Compare(*left, *right);
  }
  template <class Test>
  bool Both(const Test& test) {
    const AttributeValue* left = (*this)[0];
    const AttributeValue* right = (*this)[1];
    return left != nullptr && right != nullptr && test(*left, *right);
  }

 private:
  const Node& node_;
  const Item& item_;
  AttributeValue made_[3];
};

bool HoldsIn(const Node& node, const Item& item) {
  AttributeValue made, other_made;
  const AttributeValue* value = ValueOf(node.arguments[0], item, &made);
  if (value == nullptr) return false;
  return std::any_of(node.arguments.begin() + 1, node.arguments.end(), [&](const Node& other) {
    const AttributeValue* candidate = ValueOf(other, item, &other_made);
    return candidate != nullptr && *candidate == *value;
  });
}

bool HasType(const AttributeValue& value, const AttributeValue& type) {
  return NameOf(value.type()) == *type.text();
}

bool HoldsCompared(const Node& node, const Item& item) {
  Arguments arguments(node, item);
  switch (node.kind) {
    case NodeKind::kEqual:
      return arguments.AreEqual();
    case NodeKind::kNotEqual:
      return !arguments.AreEqual();
    case NodeKind::kLess:
      return arguments.Order(0, 1) < 0;
    case NodeKind::kLessOrEqual:
      return arguments.Order(0, 1) <= 0;
    case NodeKind::kGreater:
      return arguments.Order(0, 1) > 0;
    case NodeKind::kGreaterOrEqual:
      return arguments.Order(0, 1) >= 0;
    case NodeKind::kBetween:
      return arguments.Order(0, 1) >= 0 && arguments.Order(0, 2) <= 0;
    case NodeKind::kAttributeExists:
      return arguments[0] != nullptr;
    case NodeKind::kAttributeNotExists:
      return arguments[0] == nullptr;
    case NodeKind::kAttributeType:
      return arguments.Both(HasType);
    case NodeKind::kBeginsWith:
      return arguments.Both(BeginsWith);
    case NodeKind::kContains:
      return arguments.Both(Contains);
    default:
      return false;  // the parser lets nothing else stand here
  }
}

}  // namespace

const AttributeValue* ValueOf(const Node& operand, const Item& item, AttributeValue* made) {
  if (operand.kind == NodeKind::kPath) return Resolve(item, operand.path);
  if (operand.kind == NodeKind::kValue) return operand.value.get();
  if (operand.kind != NodeKind::kSize) return nullptr;
  const AttributeValue* sized = ValueOf(operand.arguments[0], item, made);
  const auto size = sized == nullptr ? std::nullopt : SizeOf(*sized);
  if (!size) return nullptr;
  *made = AttributeValue::OfInt(*size);
  return made;
}

bool Holds(const Node& condition, const Item& item) {
  const auto holds = [&](const Node& part) { return Holds(part, item); };
  const std::vector<Node>& parts = condition.arguments;
  switch (condition.kind) {
    case NodeKind::kAnd:
      return std::all_of(parts.begin(), parts.end(), holds);
    case NodeKind::kOr:
      return std::any_of(parts.begin(), parts.end(), holds);
    case NodeKind::kNot:
      return !holds(parts[0]);
    case NodeKind::kIn:
      return HoldsIn(condition, item);
    default:
      return HoldsCompared(condition, item);
  }
}

Condition::Condition() = default;
Condition::Condition(std::shared_ptr<const Node> root) : root_(std::move(root)) {}

bool Condition::Holds(const Item& item) const {
  return !root_ || storage::Holds(*root_, item);
}

std::vector<Path> Condition::Paths() const {
  std::vector<Path> paths;
  if (root_) ForEachPath(*root_, [&](const Path& path) { paths.push_back(path); });
  return paths;
}

std::vector<std::string> Condition::TopNames() const {
  return FirstNames(Paths());
}

std::vector<std::string> Condition::EnteredNames() const {
  return storage::EnteredNames(Paths());
}

Fault ParseCondition(std::string_view kind, std::string_view text, Placeholders* placeholders,
                     Condition* out) {
  std::shared_ptr<const Node> root;
  if (Fault fault = ConditionParser::Parse(kind, text, placeholders, &root); !fault.empty()) return fault;
  *out = Condition(std::move(root));
  return {};
}

}  // namespace parley::storage
