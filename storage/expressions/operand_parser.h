// The shared part of all expressions' parsers: paths, values, calls of functions, and the ranking of faults.
// Internal to this folder.
//
// A parsing method returns false on a syntax error, which ends parsing; it adds other faults to the log
// and continues.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "storage/expressions/fault_log.h"
#include "storage/expressions/lexer.h"
#include "storage/expressions/node.h"

namespace parley::storage {

// All possible faults except syntax errors. The kind of expression decides which one is reported first.
enum class Check : uint8_t {
  kParentheses,
  kFunctionName,
  kFunctionUse,
  kReserved,
  kSection,
  kLimit,
  // Checks of one condition; they all precede those of the next condition.
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
  // Rejects an expression that is empty or too long.
  static Fault TextFault(std::string_view text);

  OperandParser(std::string_view text, Placeholders* placeholders);
  ~OperandParser() = default;

  // The rank of `check`: lower ranks are reported first.
  virtual int RankOf(Check check) const = 0;
  virtual void CheckCall(std::string_view name, Node* call) = 0;
  // Whether some words are tokens of their own instead of reserved names.
  virtual bool HasKeywords() const { return true; }
  // Whether (a.b).c is a path.
  virtual bool HasGroupedPaths() const { return false; }

  bool SyntaxError();  // returns false
  void Report(Check check, std::string fault) { log_.Report(RankOf(check), std::move(fault)); }
  void CountOperator();

  bool ParsePath(Path* out);
  bool ParsePathRest(Path* out);
  bool ParseTerm(Node* out);                   // a path, a value or a call
  bool ParseOperand(Node* out);                // a term, perhaps in parentheses
  bool ParseOperands(std::vector<Node>* out);  // separated by commas, up to a parenthesis
  void CloseParentheses(Node* inner);

  // Counts one more level of nesting until the end of its scope.
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
