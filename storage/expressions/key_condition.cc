#include <algorithm>

#include "storage/expressions/condition_parser.h"
#include "storage/expressions/key_parts.h"

namespace parley::storage {
namespace {

Fault ConditionFault(std::string_view what) {
  return "Invalid condition in KeyConditionExpression: " + std::string(what);
}

KeyCondition::Op OpOf(NodeKind kind, bool reversed) {
  using Op = KeyCondition::Op;
  switch (kind) {
    case NodeKind::kEqual:
      return Op::kEqual;
    case NodeKind::kLess:
      return reversed ? Op::kGreater : Op::kLess;
    case NodeKind::kLessOrEqual:
      return reversed ? Op::kGreaterOrEqual : Op::kLessOrEqual;
    case NodeKind::kGreater:
      return reversed ? Op::kLess : Op::kGreater;
    case NodeKind::kGreaterOrEqual:
      return reversed ? Op::kLessOrEqual : Op::kGreaterOrEqual;
    case NodeKind::kBetween:
      return Op::kBetween;
    case NodeKind::kBeginsWith:
      return Op::kBeginsWith;
    default:
      return Op::kNone;
  }
}

// Converts the tree of a condition to parts, one for each attribute.
class KeyCompiler {
 public:
  explicit KeyCompiler(std::vector<KeyPart>* parts) : parts_(parts) {}

  Fault Add(const Node& node);

 private:
  static Fault OperatorFault(const Node& node);
  static Fault FirstOperandFault(const Node& node);
  Fault AddComparison(const Node& node);

  std::vector<KeyPart>* parts_;
};

Fault KeyCompiler::OperatorFault(const Node& node) {
  if (node.kind == NodeKind::kAnd || OpOf(node.kind, false) != KeyCondition::Op::kNone) return {};
  if (node.kind == NodeKind::kSize) return "KeyConditionExpressions cannot contain nested operations";
  return "Invalid operator used in KeyConditionExpression: " + std::string(NameOf(node.kind));
}

Fault KeyCompiler::FirstOperandFault(const Node& node) {
  const bool has_order = node.kind == NodeKind::kBetween || node.kind == NodeKind::kBeginsWith;
  if (!has_order || node.arguments[0].kind == NodeKind::kPath) return {};
  return ConditionFault(std::string(NameOf(node.kind)) +
                        " operator must have the key attribute as its first operand");
}

Fault KeyCompiler::Add(const Node& node) {
  if (Fault fault = OperatorFault(node); !fault.empty()) return fault;
  if (Fault fault = FirstOperandFault(node); !fault.empty()) return fault;
  if (node.kind != NodeKind::kAnd) return AddComparison(node);
  for (const Node& part : node.arguments) {
    if (Fault fault = Add(part); !fault.empty()) return fault;
  }
  return {};
}

Fault KeyCompiler::AddComparison(const Node& node) {
  const Node* attribute = nullptr;
  std::vector<const Node*> values;
  for (const Node& argument : node.arguments) {
    if (argument.kind == NodeKind::kPath) {
      if (attribute != nullptr) return ConditionFault("Multiple attribute names used in one condition");
      if (argument.path.size() > 1)
        return "KeyConditionExpressions cannot have conditions on nested attributes";
      attribute = &argument;
    } else if (argument.kind == NodeKind::kValue) {
      values.push_back(&argument);
    } else {
      return OperatorFault(argument);
    }
  }
  if (attribute == nullptr) return ConditionFault("No key attribute specified");
  const std::string& name = attribute->path.front().name;
  const auto is_same = [&](const KeyPart& part) { return part.attribute == name; };
  if (std::any_of(parts_->begin(), parts_->end(), is_same))
    return "KeyConditionExpressions must only contain one condition per key";
  KeyPart part{name, OpOf(node.kind, attribute != &node.arguments[0]), *values[0]->value, {}};
  if (values.size() > 1) part.high = *values[1]->value;
  parts_->push_back(std::move(part));
  return {};
}

}  // namespace

Fault KeyExpression::Parse(std::string_view text, Placeholders* placeholders) {
  return ConditionParser::Parse("KeyConditionExpression", text, placeholders, &root_);
}

Fault KeyExpression::Compile() {
  if (!root_) return {};  // the parts were given
  parts_.clear();
  if (Fault fault = KeyCompiler(&parts_).Add(*root_); !fault.empty()) return fault;
  return parts_.size() > kKeyPartsMax ? kOneOrTwoParts : "";
}

Fault KeyExpression::Bind(const KeySchema& keys, KeyCondition* out) const {
  return BindKeyParts(parts_, keys, out);
}

}  // namespace parley::storage
