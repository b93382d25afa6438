// Classes of ASCII characters. Unlike those of <cctype> they know no locale and accept any char.
#pragma once

namespace parley::protocol {

constexpr bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr char LowerOf(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
// Returns the value of a hexadecimal digit, or -1 for any other character.
constexpr int HexDigitOf(char c) {
  if (IsDigit(c)) return c - '0';
  const char lower = LowerOf(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace parley::protocol
