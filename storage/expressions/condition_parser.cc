#include "storage/expressions/condition_parser.h"

#include <algorithm>
#include <optional>

#include "storage/expressions/limits.h"

namespace parley::storage {
namespace {

std::optional<NodeKind> ComparatorNamed(const Token& token) {
  if (token.kind != TokenKind::kSymbol) return std::nullopt;
  for (const NodeKind kind : {NodeKind::kEqual, NodeKind::kNotEqual, NodeKind::kLess, NodeKind::kLessOrEqual,
                              NodeKind::kGreater, NodeKind::kGreaterOrEqual}) {
    if (NameOf(kind) == token.text) return kind;
  }
  return std::nullopt;
}

// *left becomes the first argument of a node of this kind.
void Wrap(NodeKind kind, Node* left) {
  Node whole;
  whole.kind = kind;
  whole.arguments.reserve(2);
  whole.arguments.push_back(std::move(*left));
  *left = std::move(whole);
}

}  // namespace

Fault ConditionParser::Parse(std::string_view kind, std::string_view text, Placeholders* placeholders,
                             std::shared_ptr<const Node>* out) {
  Fault fault = TextFault(text);
  auto root = std::make_shared<Node>();
  if (fault.empty()) fault = ConditionParser(text, placeholders).ParseAll(root.get());
  if (!fault.empty()) return "Invalid " + std::string(kind) + ": " + fault;
  *out = std::move(root);
  return {};
}

Fault ConditionParser::ParseAll(Node* out) {
  if (!ParseOr(out, false) || (!lexer_.AtEnd() && !SyntaxError())) return syntax_fault_;
  RequireCondition(*out);
  return log_.fault();
}

bool ConditionParser::ParseJoined(NodeKind kind, std::string_view word, Rule rule, Node* out) {
  if (!lexer_.IsWord(word)) return true;
  RequireCondition(*out);
  Wrap(kind, out);
  while (lexer_.TakeWord(word)) {
    CountOperator();
    Node& next = out->arguments.emplace_back();
    if (!(this->*rule)(&next, false)) return false;
    RequireCondition(next);
  }
  return true;
}

bool ConditionParser::ParseOr(Node* out, bool in_parentheses) {
  return ParseAnd(out, in_parentheses) && ParseJoined(NodeKind::kOr, "OR", &ConditionParser::ParseAnd, out);
}

bool ConditionParser::ParseAnd(Node* out, bool in_parentheses) {
  return ParseNot(out, in_parentheses) && ParseJoined(NodeKind::kAnd, "AND", &ConditionParser::ParseNot, out);
}

bool ConditionParser::ParseNot(Node* out, bool in_parentheses) {
  if (!lexer_.TakeWord("NOT")) return ParseComparison(out, in_parentheses);
  const Level level(this);
  CountOperator();
  if (level.TooDeep() || !ParseNot(out, false)) return false;
  RequireCondition(*out);
  Wrap(NodeKind::kNot, out);
  return true;
}

bool ConditionParser::ParseComparison(Node* out, bool in_parentheses) {
  if (!ParsePrimary(out)) return false;
  if (!IsOperand(out->kind) && !IsFunction(out->kind)) return true;
  if (ComparatorNamed(lexer_.current()) || lexer_.IsWord("BETWEEN") || lexer_.IsWord("IN")) {
    if (!ParseOperator(out)) return false;
  } else if (in_parentheses && lexer_.Is(")")) {
    return true;  // the token after the parenthesis decides
  } else if (IsOperand(out->kind)) {
    return SyntaxError();
  }
  EndCondition();
  return true;
}

bool ConditionParser::ParsePrimary(Node* out) {
  if (!lexer_.Take("(")) return ParseTerm(out);
  const Level level(this);
  if (level.TooDeep() || !ParseOr(out, true)) return false;
  if (!lexer_.Take(")")) return SyntaxError();
  CloseParentheses(out);
  if (out->kind != NodeKind::kPath || !(lexer_.Is(".") || lexer_.Is("["))) return true;
  out->in_parentheses = false;
  return ParsePathRest(&out->path);
}

bool ConditionParser::ParseOperator(Node* left) {
  CountOperator();
  if (lexer_.TakeWord("BETWEEN")) {
    Wrap(NodeKind::kBetween, left);
    return ParseBetween(left);
  }
  if (lexer_.TakeWord("IN")) {
    Wrap(NodeKind::kIn, left);
    return ParseIn(left);
  }
  const NodeKind kind = *ComparatorNamed(lexer_.current());
  lexer_.Advance();
  Wrap(kind, left);
  if (!ParseOperand(&left->arguments.emplace_back())) return false;
  CheckUse(left->arguments);
  CheckDistinct(NameOf(kind), left->arguments);
  if (kind != NodeKind::kEqual && kind != NodeKind::kNotEqual) CheckOrdered(NameOf(kind), left->arguments);
  return true;
}

bool ConditionParser::ParseBetween(Node* out) {
  if (!ParseOperand(&out->arguments.emplace_back())) return false;
  if (!lexer_.TakeWord("AND")) return SyntaxError();
  if (!ParseOperand(&out->arguments.emplace_back())) return false;
  CheckUse(out->arguments);
  CheckDistinct("BETWEEN", out->arguments);
  CheckOrdered("BETWEEN", out->arguments);
  CheckBounds(out->arguments[1], out->arguments[2]);
  return true;
}

bool ConditionParser::ParseIn(Node* out) {
  if (!lexer_.Take("(")) return SyntaxError();
  if (!ParseOperands(&out->arguments)) return false;
  const size_t operands = out->arguments.size() - 1;
  if (operands > kInOperandsMax) {
    Report(Check::kCount, "The IN operator is provided with too many operands; number of operands: " +
                              std::to_string(operands));
  }
  CheckUse(out->arguments);
  CheckDistinct("IN", out->arguments);
  return true;
}

}  // namespace parley::storage
