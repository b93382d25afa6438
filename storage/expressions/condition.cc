#include <algorithm>
#include <compare>

#include "storage/expressions/condition_parser.h"
#include "storage/expressions/functions.h"
#include "storage/expressions/node.h"
#include "storage/expressions/paths.h"

namespace parley::storage {
namespace {

// The arguments of one operator or function on one item. Work beyond the limit is skipped; the result is
// meaningless then.
class Arguments {
 public:
  Arguments(const Node& node, const Item& item, Effort* effort)
      : node_(node), item_(item), effort_(*effort) {}

  const AttributeValue* operator[](size_t i) {
    return ValueOf(node_.arguments[i], item_, &made_[i % 3], &effort_);
  }

  bool AreEqual() {
    return Both(StepsOfEqual, [](const auto& left, const auto& right) { return left == right; });
  }
  std::partial_ordering Order(size_t i, size_t j) {
    const AttributeValue* left = (*this)[i];
    const AttributeValue* right = (*this)[j];
    if (left == nullptr || right == nullptr || !effort_.Spend(StepsOfOrder(*left, *right)))
      return std::partial_ordering::unordered;
    return Compare(*left, *right);
  }
  template <class Steps, class Test>
  bool Both(const Steps& steps, const Test& test) {
    const AttributeValue* left = (*this)[0];
    const AttributeValue* right = (*this)[1];
    return left != nullptr && right != nullptr && effort_.Spend(steps(*left, *right)) && test(*left, *right);
  }

 private:
  const Node& node_;
  const Item& item_;
  Effort& effort_;
  AttributeValue made_[3];
};

bool HoldsIn(const Node& node, const Item& item, Effort* effort) {
  AttributeValue made, other_made;
  const AttributeValue* value = ValueOf(node.arguments[0], item, &made, effort);
  if (value == nullptr) return false;
  return std::any_of(node.arguments.begin() + 1, node.arguments.end(), [&](const Node& other) {
    const AttributeValue* candidate = ValueOf(other, item, &other_made, effort);
    return candidate != nullptr && effort->Spend(StepsOfEqual(*candidate, *value)) && *candidate == *value;
  });
}

uint64_t StepsOfType(const AttributeValue&, const AttributeValue&) {
  return 1;
}

bool HasType(const AttributeValue& value, const AttributeValue& type) {
  return NameOf(value.type()) == *type.text();
}

bool HoldsCompared(const Node& node, const Item& item, Effort* effort) {
  Arguments arguments(node, item, effort);
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
      return arguments.Both(StepsOfType, HasType);
    case NodeKind::kBeginsWith:
      return arguments.Both(StepsOfOrder, BeginsWith);
    case NodeKind::kContains:
      return arguments.Both(StepsOfContains, Contains);
    default:
      return false;  // the parser allows no other kind here
  }
}

}  // namespace

const AttributeValue* ValueOf(const Node& operand, const Item& item, AttributeValue* made, Effort* effort) {
  if (operand.kind == NodeKind::kPath)
    return effort->Spend(StepsOf(operand.path)) ? Resolve(item, operand.path) : nullptr;
  if (operand.kind == NodeKind::kValue) return operand.value.get();
  if (operand.kind != NodeKind::kSize) return nullptr;
  const AttributeValue* sized = ValueOf(operand.arguments[0], item, made, effort);
  if (sized == nullptr || !effort->Spend(StepsOfSize(*sized))) return nullptr;
  const auto size = SizeOf(*sized);
  if (!size) return nullptr;
  *made = AttributeValue::OfInt(*size);
  return made;
}

bool Holds(const Node& condition, const Item& item, Effort* effort) {
  const auto holds = [&](const Node& part) { return Holds(part, item, effort); };
  const std::vector<Node>& parts = condition.arguments;
  if (!effort->Spend(1)) return false;
  switch (condition.kind) {
    case NodeKind::kAnd:
      return std::all_of(parts.begin(), parts.end(), holds);
    case NodeKind::kOr:
      return std::any_of(parts.begin(), parts.end(), holds);
    case NodeKind::kNot:
      return !holds(parts[0]);
    case NodeKind::kIn:
      return HoldsIn(condition, item, effort);
    default:
      return HoldsCompared(condition, item, effort);
  }
}

Condition::Condition() = default;
Condition::Condition(std::shared_ptr<const Node> root) : root_(std::move(root)) {}

bool Condition::Holds(const Item& item, Effort* effort) const {
  return !root_ || storage::Holds(*root_, item, effort);
}
bool Condition::Holds(const Item& item) const {
  Effort unbounded;
  return Holds(item, &unbounded);
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
