#include "storage/expressions/operand_parser.h"

#include <charconv>

#include "storage/expressions/limits.h"
#include "storage/expressions/reserved_words.h"

namespace parley::storage {

Fault OperandParser::TextFault(std::string_view text) {
  if (text.empty()) return "The expression can not be empty;";
  if (text.size() <= kExpressionBytesMax) return {};
  return "Expression size has exceeded the maximum allowed size; expression size: " +
         std::to_string(text.size());
}

OperandParser::OperandParser(std::string_view text, Placeholders* placeholders)
    : lexer_(text), placeholders_(placeholders) {}

bool OperandParser::SyntaxError() {
  if (syntax_fault_.empty()) syntax_fault_ = lexer_.SyntaxFault();
  return false;
}

void OperandParser::CountOperator() {
  if (++operators_ <= kOperatorsMax) return;
  Report(Check::kLimit,
         "The expression contains too many operators; operator count: " + std::to_string(kOperatorsMax + 1));
}

bool OperandParser::Level::TooDeep() const {
  if (parser_->depth_ <= kParseDepthMax) return false;
  if (parser_->syntax_fault_.empty()) parser_->syntax_fault_ = "The expression is nested too deeply;";
  return true;
}

std::string OperandParser::NameFor(std::string_view placeholder) {
  const std::string* name = placeholders_->Name(placeholder);
  if (name == nullptr) {
    Report(Check::kName,
           "An expression attribute name used in the document path is not defined; attribute name: " +
               std::string(placeholder));
    return std::string(placeholder);
  }
  substituted_bytes_ += name->size();
  if (substituted_bytes_ <= kSubstitutedBytesMax) return *name;
  Report(Check::kLimit, "Expression size has exceeded the maximum allowed size");
  return std::string(placeholder);
}

bool OperandParser::ParseStep(PathStep* out) {
  const Token token = lexer_.current();
  if (token.kind == TokenKind::kName) {
    out->name = NameFor(token.text);
  } else if (token.kind == TokenKind::kWord && !IsKeyword()) {
    out->name = token.text;
    if (IsReservedWord(token.text))
      Report(Check::kReserved, "Attribute name is a reserved keyword; reserved keyword: " + out->name);
  } else {
    return SyntaxError();
  }
  lexer_.Advance();
  return true;
}

bool OperandParser::ParsePosition(PathStep* out) {
  const Token token = lexer_.current();
  if (token.kind != TokenKind::kNumber) return SyntaxError();
  const auto [end, error] =
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), out->position);
  if (error != std::errc() || out->position > kListPositionMax) {
    Report(Check::kLimit,
           "List index is not within the allowable range; index: [" + std::string(token.text) + "]");
  }
  lexer_.Advance();
  return lexer_.Take("]") || SyntaxError();
}

bool OperandParser::ParsePath(Path* out) {
  return ParseStep(&out->emplace_back()) && ParsePathRest(out);
}

bool OperandParser::ParsePathRest(Path* out) {
  size_t steps = out->size();
  while (lexer_.Is(".") || lexer_.Is("[")) {
    PathStep step;
    const bool is_position = lexer_.Take("[");
    if (!is_position) lexer_.Advance();
    if (is_position ? !ParsePosition(&step) : !ParseStep(&step)) return false;
    if (++steps <= kPathStepsMax) out->push_back(std::move(step));
  }
  if (steps > kPathStepsMax)
    Report(Check::kLimit,
           "The document path has too many nesting levels; nesting levels: " + std::to_string(steps));
  return true;
}

bool OperandParser::ParseTerm(Node* out) {
  const Token token = lexer_.current();
  if (token.kind == TokenKind::kValue) {
    out->kind = NodeKind::kValue;
    out->value = placeholders_->SharedValue(token.text);
    if (!out->value) {
      Report(Check::kValue,
             "An expression attribute value used in expression is not defined; attribute value: " +
                 std::string(token.text));
    }
    lexer_.Advance();
    return true;
  }
  if (token.kind != TokenKind::kWord || IsKeyword()) return ParsePath(&out->path);
  if (lexer_.NextIs("(")) {
    lexer_.Advance();
    return ParseCall(token.text, out);
  }
  return ParsePath(&out->path);
}

bool OperandParser::ParseCall(std::string_view name, Node* out) {
  const Level level(this);
  if (level.TooDeep() || !lexer_.Take("(")) return SyntaxError();
  out->kind = FunctionNamed(name);
  if (!ParseOperands(&out->arguments)) return false;
  CheckCall(name, out);
  return true;
}

bool OperandParser::ParseOperands(std::vector<Node>* out) {
  do {
    if (!ParseOperand(&out->emplace_back())) return false;
  } while (lexer_.Take(","));
  return lexer_.Take(")") || SyntaxError();
}

bool OperandParser::ParseOperand(Node* out) {
  if (!lexer_.Take("(")) return ParseTerm(out);
  const Level level(this);
  if (level.TooDeep() || !ParseOperand(out)) return SyntaxError();
  if (!lexer_.Take(")")) return SyntaxError();
  CloseParentheses(out);
  if (out->kind != NodeKind::kPath || !HasGroupedPaths() || !(lexer_.Is(".") || lexer_.Is("["))) return true;
  out->in_parentheses = false;
  return ParsePathRest(&out->path);
}

void OperandParser::CloseParentheses(Node* inner) {
  if (inner->in_parentheses) Report(Check::kParentheses, "The expression has redundant parentheses;");
  inner->in_parentheses = true;
}

void OperandParser::CheckCount(const Node& call, std::string_view name, size_t expected) {
  if (call.arguments.size() == expected) return;
  Report(Check::kCount,
         "Incorrect number of operands for operator or function; operator or function: " + std::string(name) +
             ", number of operands: " + std::to_string(call.arguments.size()));
}

void OperandParser::ReportOperandType(std::string_view name, std::string_view type) {
  Report(Check::kOperand, "Incorrect operand type for operator or function; operator or function: " +
                              std::string(name) + ", operand type: " + std::string(type));
}

void OperandParser::ReportPathNeeded(std::string_view name) {
  Report(Check::kOperand,
         "Operator or function requires a document path; operator or function: " + std::string(name));
}

}  // namespace parley::storage
