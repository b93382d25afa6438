#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "storage/expressions/paths.h"

namespace parley::storage {
namespace {

// All paths so far as a tree of their steps; a path is identified by its number.
struct PathNode {
  struct Order {
    bool operator()(const PathStep* a, const PathStep* b) const { return IsBefore(*a, *b); }
  };
  std::map<const PathStep*, std::unique_ptr<PathNode>, Order> below;
  std::optional<size_t> end;                   // this path ends here
  std::optional<size_t> by_name, by_position;  // the first path that continues so
  std::optional<size_t>& way(bool is_position) { return is_position ? by_position : by_name; }
};

class Tree {
 public:
  explicit Tree(const std::vector<Path>& paths) : paths_(paths) {}

  PathClash Find() {
    for (size_t number = 0; number < paths_.size() && clash_.overlap.empty(); ++number) Add(number);
    return std::move(clash_);
  }

 private:
  void Add(size_t number) {
    PathNode* place = &root_;
    for (const PathStep& step : paths_[number]) {
      if (place->end) return Overlap(*place->end, number);
      if (const auto other = place->way(!step.is_position())) Conflict(*other, number);
      auto& way = place->way(step.is_position());
      if (!way) way = number;
      auto& next = place->below[&step];
      if (!next) next = std::make_unique<PathNode>();
      place = next.get();
    }
    if (place->end) return Overlap(*place->end, number);
    if (place->by_name || place->by_position) {
      return Overlap(std::min(place->by_name.value_or(number), place->by_position.value_or(number)), number);
    }
    place->end = number;
  }

  void Overlap(size_t one, size_t two) { clash_.overlap = Message("overlap", one, two); }
  void Conflict(size_t one, size_t two) {
    if (clash_.conflict.empty()) clash_.conflict = Message("conflict", one, two);
  }
  Fault Message(std::string_view how, size_t one, size_t two) const {
    return "Two document paths " + std::string(how) +
           " with each other; must remove or rewrite one of these paths; path one: " + ListOf(paths_[one]) +
           ", path two: " + ListOf(paths_[two]);
  }

  const std::vector<Path>& paths_;
  PathNode root_;
  PathClash clash_;
};

// If so, none clash; this is the case in most expressions.
bool HaveDistinctNames(const std::vector<Path>& paths) {
  std::vector<std::string_view> names;
  names.reserve(paths.size());
  for (const Path& path : paths) names.push_back(path.front().name);
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

}  // namespace

PathClash FindClash(const std::vector<Path>& paths) {
  if (HaveDistinctNames(paths)) return {};
  return Tree(paths).Find();
}

}  // namespace parley::storage
