// Places within items. Internal to this folder.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "storage/expressions/expressions.h"

namespace parley::storage {

using Steps = std::span<const PathStep>;
const AttributeValue* ResolveSteps(const Item& item, Steps steps);  // nullptr: nothing is there
uint64_t StepsOf(const Path& path);                                 // of work (effort.h), to resolve it
// Names by bytes, positions by number; a path comes before those that lead through it.
bool IsBefore(const PathStep& a, const PathStep& b);
bool ComesBefore(const Path& a, const Path& b);
// As the messages about two paths write one: "[a, [1], b]".
std::string ListOf(const Path& path);

// What the paths name of an item, lists without the elements that none names. REQUIRES: sorted by
// ComesBefore, none leads through another.
Item PartsOf(const Item& item, const std::vector<Path>& sorted);

// The names that they begin with, each once.
std::vector<std::string> FirstNames(const std::vector<Path>& paths);
// Those of paths that lead into a list or map.
std::vector<std::string> EnteredNames(const std::vector<Path>& paths);

// Two paths of which one leads through the other, or that take the same value for a list and for a map.
struct PathClash {
  Fault overlap, conflict;  // of the first of either
};
PathClash FindClash(const std::vector<Path>& paths);

}  // namespace parley::storage
