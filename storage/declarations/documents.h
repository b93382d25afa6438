// The declarations beside this file, as they are in the program: its build embeds each *.json
// (cmake/ParleyDocuments.cmake).
#pragma once

#include <span>
#include <string_view>

namespace parley::storage {

struct TableDocument {
  std::string_view file;  // "channels.json"
  std::string_view text;
};
std::span<const TableDocument> TableDocuments();  // by name of file

}  // namespace parley::storage
