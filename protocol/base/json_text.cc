#include "protocol/base/json_text.h"

namespace parley::protocol {

void AppendJsonText(std::string_view text, std::string* out) {
  constexpr char kDigits[] = "0123456789abcdef";
  *out += '"';
  size_t plain = 0;  // start of the text that is not copied yet
  for (size_t i = 0; i < text.size(); ++i) {
    const char escape = JsonEscapeOf(text[i]);
    if (!escape) continue;
    *out += text.substr(plain, i - plain);
    plain = i + 1;
    *out += '\\';
    *out += escape;
    if (escape != 'u') continue;
    *out += "00";
    *out += kDigits[text[i] >> 4];
    *out += kDigits[text[i] & 15];
  }
  *out += text.substr(plain);
  *out += '"';
}

std::string JsonText(std::string_view text) {
  std::string out;
  AppendJsonText(text, &out);
  return out;
}

}  // namespace parley::protocol
