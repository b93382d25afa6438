#include "features/files/clean/exif.h"

#include <algorithm>
#include <cstdint>

namespace parley::features::clean {
namespace {

using namespace std::string_view_literals;

constexpr uint32_t kOrientationTag = 0x0112, kShort = 3;
constexpr size_t kEntryBytes = 12;

class Tiff {
 public:
  explicit Tiff(std::string_view bytes) : bytes_(bytes), is_little_(bytes.starts_with("II")) {}
  bool Has(size_t at, size_t size) const { return at <= bytes_.size() && size <= bytes_.size() - at; }
  // REQUIRES: Has(at, size).
  uint32_t Number(size_t at, size_t size) const {
    uint32_t out = 0;
    for (size_t i = 0; i < size; ++i) {
      const size_t from = at + (is_little_ ? size - 1 - i : i);
      out = out << 8 | static_cast<uint8_t>(bytes_[from]);
    }
    return out;
  }

 private:
  const std::string_view bytes_;
  const bool is_little_;
};

}  // namespace

int OrientationOf(std::string_view tiff) {
  if (tiff.starts_with("Exif\0\0"sv)) tiff.remove_prefix(6);
  if (!tiff.starts_with("II\x2a\0"sv) && !tiff.starts_with("MM\0\x2a"sv)) return 1;
  const Tiff data(tiff);
  if (!data.Has(4, 4)) return 1;
  size_t at = data.Number(4, 4);
  if (!data.Has(at, 2)) return 1;
  const size_t entries = data.Number(at, 2);
  at += 2;
  for (size_t i = 0; i < entries && data.Has(at, kEntryBytes); ++i, at += kEntryBytes) {
    if (data.Number(at, 2) != kOrientationTag) continue;
    if (data.Number(at + 2, 2) != kShort || data.Number(at + 4, 4) != 1) return 1;
    const uint32_t value = data.Number(at + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

std::string MinimalExif(int orientation) {
  if (orientation <= 1 || orientation > 8) return {};
  std::string out("MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"sv);
  out += static_cast<char>(orientation);
  return out + std::string("\0\0\0\0\0\0"sv);
}

}  // namespace parley::features::clean
