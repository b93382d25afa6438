#include <algorithm>

#include "storage/expressions/operand_parser.h"
#include "storage/expressions/paths.h"
#include "storage/expressions/update_plan.h"

namespace parley::storage {
namespace {

using Kind = UpdateAction::Kind;

struct Section {
  Kind kind;
  std::string_view word;
};
constexpr Section kSections[] = {
    {Kind::kSet, "SET"}, {Kind::kRemove, "REMOVE"}, {Kind::kAdd, "ADD"}, {Kind::kSubtract, "DELETE"}};

bool IsSum(NodeKind kind) {
  return kind == NodeKind::kPlus || kind == NodeKind::kMinus;
}

std::string_view LongNameOf(AttributeType type) {
  static constexpr std::string_view kNames[] = {"STRING", "NUMBER", "BINARY", "BOOLEAN",
                                                "NULL",   "LIST",   "MAP"};
  return kNames[static_cast<size_t>(type) - 1];
}

class UpdateParser final : private OperandParser {
 public:
  using OperandParser::OperandParser;

  static Fault Parse(std::string_view text, Placeholders* placeholders, Update::Plan* out) {
    if (Fault fault = TextFault(text); !fault.empty()) return fault;
    return UpdateParser(text, placeholders).ParseAll(out);
  }

 private:
  int RankOf(Check check) const override;
  void CheckCall(std::string_view name, Node* call) override;

  Fault ParseAll(Update::Plan* out);
  bool ParseSection(Update::Plan* out);
  bool ParseAction(UpdateAction* out);
  bool ParseSum(Node* out);  // a term, a sum of two, or either in parentheses
  bool ParseSumOperand(Node* out);
  bool ParseValue(Node* out);

  void CheckSection(const Section& section);
  void CheckSumOperands(const Node& sum);
  void CheckClauseType(const Section& section, const Node& value);
  void CheckListAppend(const Node& call);

  std::vector<Kind> seen_;
};

int UpdateParser::RankOf(Check check) const {
  if (check == Check::kReserved) return -1;                              // before functions
  if (check == Check::kCount) return static_cast<int>(Check::kOperand);  // with the other faults of functions
  return static_cast<int>(check);
}

Fault UpdateParser::ParseAll(Update::Plan* out) {
  do {
    if (!ParseSection(out)) return syntax_fault_;
  } while (!lexer_.AtEnd());
  std::vector<Path> paths;
  paths.reserve(out->actions.size());
  for (const UpdateAction& action : out->actions) paths.push_back(action.path);
  PathClash clash = FindClash(paths);
  if (!clash.overlap.empty()) Report(Check::kOverlap, std::move(clash.overlap));
  if (!clash.conflict.empty()) Report(Check::kConflict, std::move(clash.conflict));
  out->Finish();
  return log_.fault();
}

bool UpdateParser::ParseSection(Update::Plan* out) {
  const auto section = std::find_if(std::begin(kSections), std::end(kSections),
                                    [&](const Section& one) { return lexer_.IsWord(one.word); });
  if (section == std::end(kSections)) return SyntaxError();
  lexer_.Advance();
  CheckSection(*section);
  do {
    UpdateAction& action = out->actions.emplace_back();
    action.kind = section->kind;
    if (!ParseAction(&action)) return false;
    if (action.kind == Kind::kAdd || action.kind == Kind::kSubtract) CheckClauseType(*section, action.value);
  } while (lexer_.Take(","));
  return true;
}

bool UpdateParser::ParseAction(UpdateAction* out) {
  if (!ParsePath(&out->path)) return false;
  if (out->kind == Kind::kRemove) return true;
  if (out->kind != Kind::kSet) return ParseValue(&out->value);
  if (!lexer_.Take("=")) return SyntaxError();
  return ParseSum(&out->value);
}

bool UpdateParser::ParseValue(Node* out) {
  return lexer_.current().kind == TokenKind::kValue ? ParseTerm(out) : SyntaxError();
}

bool UpdateParser::ParseSum(Node* out) {
  if (!ParseSumOperand(out)) return false;
  if ((!lexer_.Is("+") && !lexer_.Is("-")) || IsSum(out->kind)) return true;
  CountOperator();
  Node sum;
  sum.kind = lexer_.Is("+") ? NodeKind::kPlus : NodeKind::kMinus;
  lexer_.Advance();
  sum.arguments.push_back(std::move(*out));
  if (!ParseOperand(&sum.arguments.emplace_back())) return false;
  CheckSumOperands(sum);
  *out = std::move(sum);
  return true;
}

bool UpdateParser::ParseSumOperand(Node* out) {
  if (!lexer_.Take("(")) return ParseTerm(out);
  const Level level(this);
  if (level.TooDeep() || !ParseSum(out)) return false;
  return lexer_.Take(")") || SyntaxError();
}

void UpdateParser::CheckSection(const Section& section) {
  if (std::find(seen_.begin(), seen_.end(), section.kind) != seen_.end()) {
    Report(Check::kSection, "The \"" + std::string(section.word) +
                                "\" section can only be used once in an update expression;");
  }
  seen_.push_back(section.kind);
}

void UpdateParser::CheckSumOperands(const Node& sum) {
  for (const Node& operand : sum.arguments) {
    const auto type = TypeOf(operand);
    if (type && type != AttributeType::kNumber) ReportOperandType(NameOf(sum.kind), NameOf(*type));
  }
}

void UpdateParser::CheckClauseType(const Section& section, const Node& value) {
  const auto type = TypeOf(value);
  if (!type || IsSet(*type) || (section.kind == Kind::kAdd && type == AttributeType::kNumber)) return;
  const std::string word(section.word);
  Report(Check::kClauseType, "Incorrect operand type for operator or function; operator: " + word +
                                 ", operand type: " + std::string(LongNameOf(*type)) +
                                 ", typeSet: ALLOWED_FOR_" + word + "_OPERAND");
}

void UpdateParser::CheckCall(std::string_view name, Node* call) {
  if (call->kind == NodeKind::kUnknownFunction)
    return Report(Check::kFunctionName, "Invalid function name; function: " + std::string(name));
  if (!IsUpdateFunction(call->kind)) {
    return Report(Check::kFunctionName,
                  "The function is not allowed in an update expression; function: " + std::string(name));
  }
  CheckCount(*call, name, 2);
  if (call->kind == NodeKind::kListAppend) {
    CheckListAppend(*call);
  } else if (call->arguments[0].kind != NodeKind::kPath) {
    ReportPathNeeded(name);
  }
}

void UpdateParser::CheckListAppend(const Node& call) {
  for (const Node& operand : call.arguments) {
    const auto type = TypeOf(operand);
    if (type && type != AttributeType::kList) ReportOperandType("list_append", NameOf(*type));
    if (operand.kind != NodeKind::kListAppend) continue;
    Report(Check::kFunctionUse,
           "The function is not allowed to be used this way in an expression; function: list_append");
  }
}

}  // namespace

Fault ParseUpdate(std::string_view text, Placeholders* placeholders, Update* out) {
  auto plan = std::make_shared<Update::Plan>();
  if (Fault fault = UpdateParser::Parse(text, placeholders, plan.get()); !fault.empty())
    return "Invalid UpdateExpression: " + fault;
  *out = Update(std::move(plan));
  return {};
}

}  // namespace parley::storage
