// What all kinds of expressions share: paths, values, calls of functions, and how faults are ranked. Internal
// to this folder.
//
// A method that parses returns false at a syntax error, which ends everything; what is wrong otherwise goes
// to the log.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "storage/expressions/fault_log.h"
#include "storage/expressions/lexer.h"
#include "storage/expressions/node.h"

namespace parley::storage {

// Everything that can be wrong but the syntax. Which is reported first depends on the kind of expression.
enum class Check : uint8_t {
  kParentheses,
  kFunctionName,
  kFunctionUse,
  kReserved,
  kSection,
  kLimit,
  // Of one condition, all of which come before those of the next.
  kName,
  kValue,
  kCount,
  kDistinct,
  kOverlap,
  kConflict,
  kClauseType,
  kOperand,
};

class OperandParser {
 protected:
  // The expression without which there is nothing to parse: it is empty or too long.
  static Fault TextFault(std::string_view text);

  OperandParser(std::string_view text, Placeholders* placeholders);
  ~OperandParser() = default;

  // Of `check`: lower ones are reported first.
  virtual int RankOf(Check check) const = 0;
  virtual void CheckCall(std::string_view name, Node* call) = 0;
  // Whether there are words that are not even reserved names, but tokens of their own.
  virtual bool HasKeywords() const { return true; }
  // Whether (a.b).c is a path.
  virtual bool HasGroupedPaths() const { return false; }

  bool SyntaxError();  // false
  void Report(Check check, std::string fault) { log_.Report(RankOf(check), std::move(fault)); }
  void CountOperator();

  bool ParsePath(Path* out);
  bool ParsePathRest(Path* out);
  bool ParseTerm(Node* out);                   // a path, a value or a call
  bool ParseOperand(Node* out);                // a term, perhaps in parentheses
  bool ParseOperands(std::vector<Node>* out);  // separated by commas, up to a parenthesis
  void CloseParentheses(Node* inner);

  // One more level of what may be nested; in scope, it ends with its scope.
  class Level {
   public:
    explicit Level(OperandParser* parser) : parser_(parser) { ++parser_->depth_; }
    ~Level() { --parser_->depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    bool TooDeep() const;

   private:
    OperandParser* parser_;
  };

  void CheckCount(const Node& call, std::string_view name, size_t expected);
  void ReportOperandType(std::string_view name, std::string_view type);
  void ReportPathNeeded(std::string_view name);

  Lexer lexer_;
  Fault syntax_fault_;
  FaultLog log_;

 private:
  bool IsKeyword() const { return HasKeywords() && lexer_.IsKeyword(); }
  bool ParseStep(PathStep* out);
  bool ParsePosition(PathStep* out);
  bool ParseCall(std::string_view name, Node* out);
  std::string NameFor(std::string_view placeholder);

  Placeholders* placeholders_;
  size_t depth_ = 0;
  size_t operators_ = 0;
  size_t substituted_bytes_ = 0;
};

}  // namespace parley::storage
