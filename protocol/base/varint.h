// Numbers in rows: seven bits a byte, least significant first, the high bit set on all but the last.
// Encodings longer than needed are rejected, so that each number has exactly one. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::protocol {

inline void AppendVarint(std::string* out, uint64_t n) {
  for (; n >= 0x80; n >>= 7) *out += static_cast<char>(n | 0x80);
  *out += static_cast<char>(n);
}

// Takes one number off the front of `from`. Returns false if it is missing or its encoding is too long;
// `*from` and `*out` are then unspecified.
inline bool TakeVarint(std::string_view* from, uint64_t* out) {
  *out = 0;
  for (size_t i = 0; i < from->size() && i < 10; ++i) {
    const auto byte = static_cast<uint8_t>((*from)[i]);
    if (i == 9 && byte > 1) return false;  // beyond 64 bits
    *out |= uint64_t{byte & 0x7fu} << (7 * i);
    if (byte & 0x80) continue;
    if (i > 0 && byte == 0) return false;
    from->remove_prefix(i + 1);
    return true;
  }
  return false;
}

}  // namespace parley::protocol
