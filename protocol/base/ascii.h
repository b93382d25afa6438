// Classes of ASCII characters. Unlike those of <cctype> they know no locale and accept any char.
#pragma once

namespace parley::protocol {

constexpr bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace parley::protocol
