// Places within items. Internal to this folder.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "storage/expressions/expressions.h"

namespace parley::storage {

using Steps = std::span<const PathStep>;
const AttributeValue* ResolveSteps(const Item& item, Steps steps);  // nullptr if the item has nothing there
uint64_t StepsOf(const Path& path);                                 // the work (effort.h) of resolving it
// Names by bytes, positions by number; a path precedes the paths that lead through it.
bool IsBefore(const PathStep& a, const PathStep& b);
bool ComesBefore(const Path& a, const Path& b);
// A path as messages about two paths print it: "[a, [1], b]".
std::string ListOf(const Path& path);

// The parts of an item that the paths name; lists lose the elements that no path names. REQUIRES: sorted by
// ComesBefore, none leads through another.
Item PartsOf(const Item& item, const std::vector<Path>& sorted);

// The first names of the paths, each once.
std::vector<std::string> FirstNames(const std::vector<Path>& paths);
// The first names of paths that lead into a list or map.
std::vector<std::string> EnteredNames(const std::vector<Path>& paths);

// Detects a path that leads through another, and a value that is used both as a list and as a map.
struct PathClash {
  Fault overlap, conflict;  // the first of each
};
PathClash FindClash(const std::vector<Path>& paths);

}  // namespace parley::storage
