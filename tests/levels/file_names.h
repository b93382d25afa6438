// Finds names that two source files of one level, or two tests of one folder, both define. The build that
// ships compiles several of them as one unit, in which they share unnamed namespaces.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/levels/rules.h"

namespace parley::levels {

// A name defined at namespace scope. A using-declaration and an alias define their name too.
struct DefinedName {
  std::string space;         // "parley::threads": an unnamed namespace counts as the one around it
  std::string name;          // macros belong to no namespace
  std::string meaning;       // an alias's type: two definitions with the same one do not clash. If empty, it
                             // clashes with every other
  std::string parameters;    // a function's, without names and qualifiers: "(const Row&,size_t)"
  bool is_local = false;     // in an unnamed namespace
  bool is_declared = false;  // and not defined
  size_t line = 0;
};

std::vector<DefinedName> NamesDefinedIn(std::string_view source);

// Returns clashes between two sources of a level, and between a source and a header of any level, one
// sentence each, beginning with "path:line: ".
std::vector<std::string> ClashingNames(const std::vector<SourceFile>& tree);

}  // namespace parley::levels
