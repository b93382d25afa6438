#include "storage/expressions/node.h"

#include <algorithm>
#include <iterator>

namespace parley::storage {
namespace {

struct Named {
  NodeKind kind;
  std::string_view name;
};
constexpr Named kNamed[] = {
    {NodeKind::kEqual, "="},
    {NodeKind::kNotEqual, "<>"},
    {NodeKind::kLess, "<"},
    {NodeKind::kLessOrEqual, "<="},
    {NodeKind::kGreater, ">"},
    {NodeKind::kGreaterOrEqual, ">="},
    {NodeKind::kBetween, "BETWEEN"},
    {NodeKind::kIn, "IN"},
    {NodeKind::kAnd, "AND"},
    {NodeKind::kOr, "OR"},
    {NodeKind::kNot, "NOT"},
    {NodeKind::kPlus, "+"},
    {NodeKind::kMinus, "-"},
    {NodeKind::kAttributeExists, "attribute_exists"},
    {NodeKind::kAttributeNotExists, "attribute_not_exists"},
    {NodeKind::kAttributeType, "attribute_type"},
    {NodeKind::kBeginsWith, "begins_with"},
    {NodeKind::kContains, "contains"},
    {NodeKind::kSize, "size"},
    {NodeKind::kIfNotExists, "if_not_exists"},
    {NodeKind::kListAppend, "list_append"},
};

}  // namespace

std::string_view NameOf(NodeKind kind) {
  const auto found =
      std::find_if(std::begin(kNamed), std::end(kNamed), [&](const Named& one) { return one.kind == kind; });
  return found == std::end(kNamed) ? "" : found->name;
}

NodeKind FunctionNamed(std::string_view name) {
  const auto found = std::find_if(std::begin(kNamed), std::end(kNamed),
                                  [&](const Named& one) { return IsFunction(one.kind) && one.name == name; });
  return found == std::end(kNamed) ? NodeKind::kUnknownFunction : found->kind;
}

std::optional<AttributeType> TypeOf(const Node& node) {
  if (node.kind == NodeKind::kValue && node.value) return node.value->type();
  if (node.kind == NodeKind::kSize) return AttributeType::kNumber;
  return std::nullopt;
}

}  // namespace parley::storage
