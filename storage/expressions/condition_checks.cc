// Checks a condition beyond its syntax.
#include <algorithm>

#include "storage/expressions/condition_parser.h"
#include "storage/expressions/paths.h"
#include "storage/expressions/value_text.h"

namespace parley::storage {
namespace {

size_t ArityOf(NodeKind function) {
  return function == NodeKind::kAttributeType || function == NodeKind::kBeginsWith ||
                 function == NodeKind::kContains
             ? 2
             : 1;
}

bool IsOrdered(AttributeType type) {
  return type == AttributeType::kString || type == AttributeType::kNumber || type == AttributeType::kBinary;
}

// Sizes have no text: before there is an item, only values of the request can be compared.
bool IsGiven(const Node& node) {
  return node.kind == NodeKind::kValue && node.value;
}

}  // namespace

int ConditionParser::RankOf(Check check) const {
  switch (check) {
    case Check::kParentheses:
    case Check::kFunctionName:
    case Check::kFunctionUse:
    case Check::kReserved:
    case Check::kLimit:
      return static_cast<int>(check);
    case Check::kValue:  // names and values together, in order of the text
      return RankOf(Check::kName);
    default:
      return 16 * (1 + conditions_) + static_cast<int>(check);
  }
}

// A size is a number, and every other function is a condition.
void ConditionParser::RequireCondition(const Node& node) {
  if (node.kind == NodeKind::kSize) {
    Report(Check::kFunctionUse,
           "The function is not allowed to be used this way in an expression; function: size");
  }
}

void ConditionParser::CheckUse(const std::vector<Node>& operands) {
  for (const Node& operand : operands) {
    if (!IsFunction(operand.kind) || operand.kind == NodeKind::kSize) continue;
    Report(Check::kFunctionUse,
           "The function is not allowed to be used this way in an expression; function: " +
               std::string(NameOf(operand.kind)));
  }
}

void ConditionParser::CheckDistinct(std::string_view name, const std::vector<Node>& operands) {
  const Node& first = operands.front();
  const auto is_first = [&](const Node& other) {
    return other.kind == NodeKind::kPath && other.path == first.path;
  };
  if (first.kind != NodeKind::kPath || std::none_of(operands.begin() + 1, operands.end(), is_first)) return;
  Report(Check::kDistinct,
         "The first operand must be distinct from the remaining operands for this operator or function; "
         "operator: " +
             std::string(name) + ", first operand: " + ListOf(first.path));
}

void ConditionParser::CheckOrdered(std::string_view name, const std::vector<Node>& operands) {
  for (const Node& operand : operands) {
    const auto type = TypeOf(operand);
    if (type && !IsOrdered(*type)) ReportOperandType(name, NameOf(*type));
  }
}

void ConditionParser::CheckBounds(const Node& low, const Node& high) {
  if (!IsGiven(low) || !IsGiven(high)) return;
  std::string wrong;
  if (low.value->type() != high.value->type()) {
    wrong = "same data type for lower and upper bounds";
  } else if (Compare(*low.value, *high.value) > 0) {
    wrong = "upper bound to be greater than or equal to lower bound";
  } else {
    return;
  }
  Report(Check::kOperand, "The BETWEEN operator requires " + wrong +
                              "; lower bound operand: AttributeValue: " + ShownValue(*low.value) +
                              ", upper bound operand: AttributeValue: " + ShownValue(*high.value));
}

void ConditionParser::CheckCall(std::string_view name, Node* call) {
  CheckUse(call->arguments);
  if (call->kind == NodeKind::kUnknownFunction)
    return Report(Check::kFunctionName, "Invalid function name; function: " + std::string(name));
  if (IsUpdateFunction(call->kind)) {
    return Report(Check::kFunctionName,
                  "The function is not allowed in a condition expression; function: " + std::string(name));
  }
  const size_t arity = ArityOf(call->kind);
  CheckCount(*call, name, arity);
  if (call->arguments.size() != arity) return;
  CheckDistinct(name, call->arguments);
  CheckFunctionArguments(*call);
}

void ConditionParser::CheckFunctionArguments(const Node& call) {
  switch (call.kind) {
    case NodeKind::kAttributeExists:
    case NodeKind::kAttributeNotExists:
      if (call.arguments[0].kind != NodeKind::kPath) ReportPathNeeded(NameOf(call.kind));
      return;
    case NodeKind::kBeginsWith:
      return CheckBeginsWith(call);
    case NodeKind::kAttributeType:
      return CheckAttributeType(call);
    case NodeKind::kSize:
      return CheckSize(call);
    default:
      return;
  }
}

void ConditionParser::CheckBeginsWith(const Node& call) {
  for (const Node& operand : call.arguments) {
    const auto type = TypeOf(operand);
    if (type && type != AttributeType::kString && type != AttributeType::kBinary)
      ReportOperandType("begins_with", NameOf(*type));
  }
}

void ConditionParser::CheckAttributeType(const Node& call) {
  const Node& named = call.arguments[1];
  const auto type = TypeOf(named);
  if (!IsGiven(named) || type != AttributeType::kString) {
    const std::string_view any = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}";
    return ReportOperandType("attribute_type", type ? NameOf(*type) : any);
  }
  if (AttributeTypeNamed(*named.value->text())) return;
  Report(Check::kOperand, "Invalid attribute type name found; type: " + *named.value->text() +
                              ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
}

void ConditionParser::CheckSize(const Node& call) {
  const auto type = TypeOf(call.arguments[0]);
  if (type == AttributeType::kNumber || type == AttributeType::kBool || type == AttributeType::kNull)
    ReportOperandType("size", NameOf(*type));
}

}  // namespace parley::storage
