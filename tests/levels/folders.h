// The folders of the project and their order: each may include only those that its row names.
#pragma once

#include <string_view>
#include <vector>

namespace parley::levels {

// A folder and everything that it may include, itself first. The longest matching folder applies.
struct Level {
  std::string_view folder;
  std::vector<std::string_view> may_include;
};
std::vector<Level> AllLevels();

}  // namespace parley::levels
