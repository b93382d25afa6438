// The declarations beside this file, as the build embeds each *.json in the program
// (cmake/ParleyDocuments.cmake).
#pragma once

#include <span>
#include <string_view>

namespace parley::storage {

struct TableDocument {
  std::string_view file;  // "channels.json"
  std::string_view text;
};
std::span<const TableDocument> TableDocuments();  // ordered by file name

}  // namespace parley::storage
