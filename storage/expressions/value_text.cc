#include "storage/expressions/value_text.h"

#include <string_view>

namespace parley::storage {
namespace {

std::string Base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (; !bytes.empty(); bytes.remove_prefix(std::min<size_t>(3, bytes.size()))) {
    uint32_t three = 0;
    for (size_t i = 0; i < 3; ++i)
      three = three << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0);
    for (size_t i = 0; i < 4; ++i) out += i <= bytes.size() ? kDigits[three >> (18 - 6 * i) & 63] : '=';
  }
  return out;
}

}  // namespace

std::string TextOf(const AttributeValue& value) {
  std::string text;
  if (value.text() != nullptr) text = *value.text();
  if (value.number() != nullptr) text = value.number()->ToText();
  if (const Binary* binary = value.As<Binary>()) text = Base64(binary->bytes);
  return "{" + std::string(NameOf(value.type())) + ":" + text + "}";
}

}  // namespace parley::storage
