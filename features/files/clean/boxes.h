// Reads the frames of boxes (ISO/IEC 14496-12 §4.2). MP4, QuickTime, HEIC and AVIF files consist of boxes:
// u32 size, type, and if the size is 1, u64 size. A size of 0 means to the end of the file.
//
// Thread contract: blocking; the objects belong to the call.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "features/files/clean/input.h"

namespace parley::features::clean {

// The four characters of a box's type as a number.
constexpr uint32_t FourCc(std::string_view text) {
  uint32_t out = 0;
  for (const char c : text) out = out << 8 | static_cast<uint8_t>(c);
  return out;
}

struct Box {
  uint32_t type = 0;
  int64_t begin = 0, body = 0, end = 0;
  int64_t body_size() const { return end - body; }
};

struct Range {
  int64_t begin = 0, end = 0;
};

// The box at `at`; UNSUPPORTED_TYPE unless it ends at `limit` or before. `at_top`: it may have a size of 0.
protocol::Result<Box> BoxAt(Input& in, int64_t at, int64_t limit, bool at_top = false);
// The first box of the type in [at, limit); nullopt if it is missing.
protocol::Result<std::optional<Box>> FindBox(Input& in, int64_t at, int64_t limit, uint32_t type);

}  // namespace parley::features::clean
