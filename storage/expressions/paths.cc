#include "storage/expressions/paths.h"

#include <algorithm>
#include <set>

#include "storage/expressions/value_text.h"

namespace parley::storage {
namespace {

const AttributeValue* StepInto(const AttributeValue& from, const PathStep& step) {
  if (!step.is_position()) {
    const Item* map = from.As<Item>();
    return map == nullptr ? nullptr : map->Find(step.name);
  }
  const List* list = from.As<List>();
  return list == nullptr || step.position >= list->size() ? nullptr : &(*list)[step.position];
}

using Paths = std::span<const Path>;

// The paths at the front that share their step at `depth`.
Paths TakeGroup(Paths* paths, size_t depth) {
  const PathStep& step = paths->front()[depth];
  size_t count = 1;
  while (count < paths->size() && (*paths)[count][depth] == step) ++count;
  const Paths group = paths->first(count);
  *paths = paths->subspan(count);
  return group;
}

// Copies the parts of `from` that `paths`, all equal up to `depth`, name; returns false if there are none.
bool CopyParts(const AttributeValue& from, Paths paths, size_t depth, AttributeValue* out) {
  if (paths.front().size() == depth) {
    *out = from;
    return true;
  }
  const bool is_list = from.As<List>() != nullptr;
  List elements;
  Item members;
  while (!paths.empty()) {
    const Paths group = TakeGroup(&paths, depth);
    const PathStep& step = group.front()[depth];
    const AttributeValue* inner = StepInto(from, step);
    AttributeValue part;
    if (inner == nullptr || !CopyParts(*inner, group, depth + 1, &part)) continue;
    if (is_list) {
      elements.push_back(std::move(part));
    } else {
      members.Set(step.name, std::move(part));
    }
  }
  if (elements.empty() && members.empty()) return false;
  *out = is_list ? AttributeValue(std::move(elements)) : AttributeValue(std::move(members));
  return true;
}

template <class Filter>
std::vector<std::string> NamesOf(const std::vector<Path>& paths, Filter filter) {
  std::set<std::string> names;
  for (const Path& path : paths) {
    if (filter(path)) names.insert(path.front().name);
  }
  return {names.begin(), names.end()};
}

}  // namespace

const AttributeValue* ResolveSteps(const Item& item, Steps steps) {
  const AttributeValue* at = item.Find(steps.front().name);
  for (size_t i = 1; i < steps.size() && at != nullptr; ++i) at = StepInto(*at, steps[i]);
  return at;
}

const AttributeValue* Resolve(const Item& item, const Path& path) {
  return ResolveSteps(item, path);
}

uint64_t StepsOf(const Path& path) {
  uint64_t steps = 0;
  for (const PathStep& step : path) steps += kStepsPerValue + step.name.size();
  return steps;
}

std::string TextOf(const Path& path) {
  std::string out;
  for (const PathStep& step : path) {
    if (step.is_position()) {
      out += "[" + std::to_string(step.position) + "]";
    } else {
      out += (out.empty() ? "" : ".") + step.name;
    }
  }
  return out;
}

std::string ListOf(const Path& path) {
  std::string out;
  for (const PathStep& step : path) {
    if (!out.empty()) out += ", ";
    out += step.is_position() ? "[" + std::to_string(step.position) + "]" : std::string(Shown(step.name));
  }
  return "[" + out + "]";
}

bool IsBefore(const PathStep& a, const PathStep& b) {
  return a.name != b.name ? a.name < b.name : a.position < b.position;
}

bool ComesBefore(const Path& a, const Path& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), IsBefore);
}

Item PartsOf(const Item& item, const std::vector<Path>& sorted) {
  Item out;
  for (Paths rest = sorted; !rest.empty();) {
    const Paths group = TakeGroup(&rest, 0);
    const std::string& name = group.front()[0].name;
    const AttributeValue* value = item.Find(name);
    AttributeValue part;
    if (value != nullptr && CopyParts(*value, group, 1, &part)) out.Set(name, std::move(part));
  }
  return out;
}

std::vector<std::string> FirstNames(const std::vector<Path>& paths) {
  return NamesOf(paths, [](const Path&) { return true; });
}

std::vector<std::string> EnteredNames(const std::vector<Path>& paths) {
  return NamesOf(paths, [](const Path& path) { return path.size() > 1; });
}

}  // namespace parley::storage
