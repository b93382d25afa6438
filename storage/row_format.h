// A row's value as RocksDB holds it. Format: storage/FORMAT.md.
//
//   value = 01 | version (varint) | payload
#pragma once

#include <string>
#include <string_view>

#include "storage/table.h"

namespace parley::storage {

// What precedes the payload.
std::string EncodeRowHead(uint64_t version);

// Non-ok is kCorrupt: truncated, or in a format that this program does not know. `out` points into `value`.
Status DecodeRow(std::string_view value, RowView* out);

}  // namespace parley::storage
