// Finds names that two source files of one level both define. The build that ships compiles several sources
// of a level as one unit, where a name of an unnamed namespace is seen by its neighbours too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/levels/rules.h"

namespace parley::levels {

// A name defined at namespace scope. A using-declaration and an alias define their name too.
struct DefinedName {
  std::string space;    // "parley::threads": unnamed namespaces count as the one around them
  std::string name;     // macros: in no namespace
  std::string meaning;  // two definitions with the same one do not clash: an alias's type. "": clashes with
                        // every other
  std::string parameters;    // of a function, without names and qualifiers: "(const Row&,size_t)"
  bool is_local = false;     // in an unnamed namespace
  bool is_declared = false;  // and not defined
  size_t line = 0;
};

std::vector<DefinedName> NamesDefinedIn(std::string_view source);

// Clashes between two sources of a level, and between a source and a header of its level or of another, one
// sentence each, beginning with "path:line: ".
std::vector<std::string> ClashingNames(const std::vector<SourceFile>& tree);

}  // namespace parley::levels
