#include "storage/row_format.h"

namespace parley::storage {
namespace {

constexpr uint8_t kFormat = 1;

// Seven bits a byte, least significant first, the high bit set on all but the last.
void AppendVarint(std::string* out, uint64_t n) {
  for (; n >= 0x80; n >>= 7) *out += static_cast<char>(n | 0x80);
  *out += static_cast<char>(n);
}

// Takes one varint off `from`. Longer than needed is refused, so that a value has one encoding.
bool TakeVarint(std::string_view* from, uint64_t* out) {
  *out = 0;
  for (size_t i = 0; i < from->size() && i < 10; ++i) {
    const uint8_t byte = static_cast<uint8_t>((*from)[i]);
    if (i == 9 && byte > 1) return false;  // beyond 64 bits
    *out |= uint64_t{byte & 0x7fu} << (7 * i);
    if (byte & 0x80) continue;
    if (i > 0 && byte == 0) return false;
    from->remove_prefix(i + 1);
    return true;
  }
  return false;
}

Status Corrupt(std::string detail) {
  return {StatusCode::kCorrupt, std::move(detail)};
}

}  // namespace

std::string EncodeRowHead(uint64_t version) {
  std::string out(1, static_cast<char>(kFormat));
  AppendVarint(&out, version);
  return out;
}

Status DecodeRow(std::string_view value, RowView* out) {
  if (value.empty()) return Corrupt("an empty row value");
  if (const uint8_t format = static_cast<uint8_t>(value[0]); format != kFormat) {
    return Corrupt("row format " + std::to_string(format) + ", and this program knows only " +
                   std::to_string(kFormat));
  }
  value.remove_prefix(1);
  if (!TakeVarint(&value, &out->version)) return Corrupt("a row value whose version cannot be read");
  out->payload = value;
  return {};
}

}  // namespace parley::storage
