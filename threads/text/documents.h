// The pattern sets of data/*.json as embedded in the program by cmake/ParleyDocuments.cmake.
#pragma once

#include <span>
#include <string_view>

namespace parley::threads::text {

struct PatternDocument {
  std::string_view file, text;
};
std::span<const PatternDocument> PatternDocuments();  // sorted by file name

}  // namespace parley::threads::text
