#include "threads/text/reading.h"

#include <algorithm>

#include "threads/text/fold.h"

namespace parley::threads::text {
namespace {

bool IsAsciiLetter(char32_t c) {
  return c >= 'a' && c <= 'z';
}

void AppendUtf8(char32_t c, std::string* out) {
  if (c < 0x80) {
    *out += static_cast<char>(c);
    return;
  }
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static constexpr unsigned kLead[] = {0, 0xc0, 0xe0, 0xf0};
  *out += static_cast<char>(kLead[more] | c >> (6 * more));
  for (int i = more - 1; i >= 0; --i) *out += static_cast<char>(0x80 | (c >> (6 * i) & 0x3f));
}

// A digit stays a digit, although it may represent a letter.
char32_t PlainOf(const Unit& unit) {
  if (unit.readings[0] < 0x80) return unit.readings[0];
  const char32_t* end = unit.readings + unit.count;
  const char32_t* letter = std::find_if(unit.readings, end, IsAsciiLetter);
  return letter == end ? unit.readings[0] : *letter;
}

}  // namespace

std::string ReadingOf(std::string_view text) {
  std::vector<Unit> units;
  Fold(text, &units);
  std::string out;
  out.reserve(text.size());
  for (const Unit& unit : units) {
    if (unit.is_word() && unit.count > 0) AppendUtf8(PlainOf(unit), &out);
  }
  return out.empty() ? std::string(text) : out;
}

}  // namespace parley::threads::text
