#include <algorithm>

#include "storage/expressions/operand_parser.h"
#include "storage/expressions/paths.h"

namespace parley::storage {
namespace {

class ProjectionParser final : private OperandParser {
 public:
  using OperandParser::OperandParser;

  static Fault Parse(std::string_view text, Placeholders* placeholders, std::vector<Path>* out) {
    if (Fault fault = TextFault(text); !fault.empty()) return fault;
    return ProjectionParser(text, placeholders).ParseAll(out);
  }

 private:
  int RankOf(Check check) const override { return static_cast<int>(check); }
  void CheckCall(std::string_view, Node*) override {}
  bool HasKeywords() const override { return false; }

  Fault ParseAll(std::vector<Path>* out) {
    do {
      if (!ParsePath(&out->emplace_back())) return syntax_fault_;
    } while (lexer_.Take(","));
    if (!lexer_.AtEnd() && !SyntaxError()) return syntax_fault_;
    PathClash clash = FindClash(*out);
    if (!clash.overlap.empty()) Report(Check::kOverlap, std::move(clash.overlap));
    if (!clash.conflict.empty()) Report(Check::kConflict, std::move(clash.conflict));
    return log_.fault();
  }
};

}  // namespace

Fault ParseProjection(std::string_view text, Placeholders* placeholders, ProjectionPaths* out) {
  std::vector<Path> paths;
  if (Fault fault = ProjectionParser::Parse(text, placeholders, &paths); !fault.empty())
    return "Invalid ProjectionExpression: " + fault;
  std::sort(paths.begin(), paths.end(), ComesBefore);
  out->paths = std::move(paths);
  return {};
}

Item ProjectionPaths::Of(const Item& item) const {
  if (paths.empty()) return item;
  if (std::is_sorted(paths.begin(), paths.end(), ComesBefore)) return PartsOf(item, paths);
  std::vector<Path> sorted = paths;
  std::sort(sorted.begin(), sorted.end(), ComesBefore);
  return PartsOf(item, sorted);
}

uint64_t ProjectionPaths::Steps() const {
  uint64_t steps = 0;
  for (const Path& path : paths) steps += StepsOf(path);
  return steps;
}

std::vector<std::string> ProjectionPaths::EnteredNames() const {
  return storage::EnteredNames(paths);
}

}  // namespace parley::storage
