#include "threads/text_entity.h"

#include <algorithm>
#include <array>
#include <utility>

namespace parley::threads {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

constexpr std::array<std::pair<std::string_view, char32_t>, 14> kNames = {{
    {"amp", U'&'},
    {"lt", U'<'},
    {"gt", U'>'},
    {"quot", U'"'},
    {"apos", U'\''},
    {"nbsp", 0xA0},
    {"colon", U':'},
    {"Tab", U'\t'},
    {"NewLine", U'\n'},
    {"hellip", 0x2026},
    {"ndash", 0x2013},
    {"mdash", 0x2014},
    {"euro", 0x20AC},
    {"copy", 0xA9},
}};

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
bool IsAlpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool IsAlnum(char c) {
  return IsDigit(c) || IsAlpha(c);
}
bool IsHex(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Bytes after text[from] that satisfy `is`, at most max + 1, so that the caller sees "too many".
template <typename Is>
size_t CountRun(std::string_view text, size_t from, size_t max, Is is) {
  size_t n = 0;
  while (n <= max && from + n < text.size() && is(text[from + n])) n++;
  return n;
}

}  // namespace

size_t EntityLength(std::string_view text, size_t at) {
  size_t begin = at + 1;
  size_t digits = 0;
  if (text.substr(begin, 2) == "#x" || text.substr(begin, 2) == "#X") {
    begin += 2;
    digits = CountRun(text, begin, 6, IsHex);
    if (digits < 1 || digits > 6) return 0;
  } else if (text.substr(begin, 1) == "#") {
    begin += 1;
    digits = CountRun(text, begin, 7, IsDigit);
    if (digits < 1 || digits > 7) return 0;
  } else {
    digits = CountRun(text, begin, 48, IsAlnum);
    if (digits < 2 || digits > 48 || !IsAlpha(text[begin])) return 0;
  }
  const size_t end = begin + digits;
  return end < text.size() && text[end] == ';' ? end + 1 - at : 0;
}

char32_t DecodeEntity(std::string_view entity) {
  std::string_view body = entity.substr(1, entity.size() - 2);
  if (body.front() != '#') {
    const auto* name =
        std::find_if(kNames.begin(), kNames.end(), [&](const auto& n) { return n.first == body; });
    return name == kNames.end() ? 0 : name->second;
  }
  body.remove_prefix(1);
  const bool hex = body.front() == 'x' || body.front() == 'X';
  if (hex) body.remove_prefix(1);
  char32_t value = 0;  // at most 7 decimal or 6 hexadecimal digits: no overflow
  for (const char c : body) {
    const int digit = IsDigit(c) ? c - '0' : (c | 0x20) - 'a' + 10;
    value = value * (hex ? 16 : 10) + static_cast<char32_t>(digit);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  return value == 0 || value > 0x10FFFF || surrogate ? kReplacement : value;
}

void AppendUtf8(char32_t code_point, std::string* out) {
  const auto tail = [&](int shift) {
    out->push_back(static_cast<char>(0x80 | ((code_point >> shift) & 0x3F)));
  };
  if (code_point < 0x80) {
    out->push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    out->push_back(static_cast<char>(0xC0 | (code_point >> 6)));
    tail(0);
  } else if (code_point < 0x10000) {
    out->push_back(static_cast<char>(0xE0 | (code_point >> 12)));
    tail(6);
    tail(0);
  } else {
    out->push_back(static_cast<char>(0xF0 | (code_point >> 18)));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace parley::threads
