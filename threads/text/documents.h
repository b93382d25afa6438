// The pattern sets of data/*.json as they are in the program (cmake/ParleyDocuments.cmake embeds them).
#pragma once

#include <span>
#include <string_view>

namespace parley::threads::text {

struct PatternDocument {
  std::string_view file, text;
};
std::span<const PatternDocument> PatternDocuments();  // by name of the file

}  // namespace parley::threads::text
