// Writes texts as JSON strings.
#pragma once

#include <string>
#include <string_view>

namespace parley::protocol {

// The letter of a short escape, 'u' for an escape in hex, 0 if no escape is needed.
constexpr char JsonEscapeOf(char c) {
  switch (c) {
    case '"':
    case '\\':
      return c;
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return static_cast<unsigned char>(c) < 0x20 ? 'u' : '\0';
  }
}

// Appends the text in quotes. Escapes only characters that must be; other bytes stay as they are.
void AppendJsonText(std::string_view text, std::string* out);
std::string JsonText(std::string_view text);

}  // namespace parley::protocol
