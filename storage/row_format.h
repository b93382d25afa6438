// The format of a row's value in RocksDB. Format: storage/FORMAT.md.
//
//   value = 01 | version (varint) | payload
#pragma once

#include <string>
#include <string_view>

#include "storage/table.h"

namespace parley::storage {

// The bytes before the payload.
std::string EncodeRowHead(uint64_t version);

// A failure is kCorrupt: truncated, or in an unknown format. `out` points into `value`.
Status DecodeRow(std::string_view value, RowView* out);

}  // namespace parley::storage
