#include "storage/expressions/value_text.h"

#include <algorithm>

#include "protocol/base/clusters.h"

namespace parley::storage {
namespace {

constexpr size_t kShownBytesMax = 1024;

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

std::string_view Shown(std::string_view text) {
  return protocol::FirstBytes(text, kShownBytesMax);
}

std::string ShownValue(const AttributeValue& value) {
  std::string text;
  if (value.text() != nullptr) text = Shown(*value.text());
  if (value.number() != nullptr) text = value.number()->ToText();
  if (const Binary* binary = value.As<Binary>())
    text = Base64(std::string_view(binary->bytes).substr(0, kShownBytesMax));
  return "{" + std::string(NameOf(value.type())) + ":" + text + "}";
}

}  // namespace parley::storage
