// The Range header of a request for a file (RFC 9110 §14): one range of bytes. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace parley::features {

struct ByteRange {
  int64_t begin = 0, end = 0;  // [begin, end)
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

enum class RangeKind : uint8_t { kWhole, kPart, kUnsatisfiable };
struct RangeAnswer {
  RangeKind kind = RangeKind::kWhole;
  ByteRange range;  // the bytes to send
};

// The bytes to send of a file of `size`. A header that is malformed, of another unit, or of several ranges is
// ignored, as the RFC allows.
RangeAnswer AnswerRange(std::string_view header, int64_t size);

}  // namespace parley::features
