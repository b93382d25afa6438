// Parses ConditionExpression, FilterExpression and KeyConditionExpression (before it is compiled). Internal
// to this folder. By precedence: comparisons, NOT, AND, OR.
#pragma once

#include "storage/expressions/operand_parser.h"

namespace parley::storage {

class ConditionParser final : private OperandParser {
 public:
  // `kind` is the parameter's name.
  static Fault Parse(std::string_view kind, std::string_view text, Placeholders* placeholders,
                     std::shared_ptr<const Node>* out);

 private:
  using OperandParser::OperandParser;

  int RankOf(Check check) const override;
  void CheckCall(std::string_view name, Node* call) override;
  bool HasGroupedPaths() const override { return true; }

  Fault ParseAll(Node* out);
  // `in_parentheses`: the whole may be an operand instead, as in (a) = :b.
  bool ParseOr(Node* out, bool in_parentheses);
  bool ParseAnd(Node* out, bool in_parentheses);
  bool ParseNot(Node* out, bool in_parentheses);
  bool ParseComparison(Node* out, bool in_parentheses);
  bool ParsePrimary(Node* out);
  bool ParseOperator(Node* left);  // with its right side; *left becomes the whole
  bool ParseBetween(Node* out);
  bool ParseIn(Node* out);
  // Reads operands with `rule`, joined by `word`.
  using Rule = bool (ConditionParser::*)(Node* out, bool in_parentheses);
  bool ParseJoined(NodeKind kind, std::string_view word, Rule rule, Node* out);

  void EndCondition() { ++conditions_; }
  void RequireCondition(const Node& node);
  void CheckFunctionArguments(const Node& call);
  void CheckBeginsWith(const Node& call);
  void CheckAttributeType(const Node& call);
  void CheckSize(const Node& call);
  void CheckUse(const std::vector<Node>& operands);
  void CheckDistinct(std::string_view name, const std::vector<Node>& operands);
  void CheckOrdered(std::string_view name, const std::vector<Node>& operands);
  void CheckBounds(const Node& low, const Node& high);

  int conditions_ = 0;
};

}  // namespace parley::storage
