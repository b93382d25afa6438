#include "storage/expressions/value_text.h"

#include <algorithm>

#include "protocol/base/clusters.h"
#include "protocol/base/encoding.h"

namespace parley::storage {
namespace {

constexpr size_t kShownBytesMax = 1024;

}  // namespace

std::string_view Shown(std::string_view text) {
  return protocol::FirstBytes(text, kShownBytesMax);
}

std::string ShownValue(const AttributeValue& value) {
  std::string text;
  if (value.text() != nullptr) text = Shown(*value.text());
  if (value.number() != nullptr) text = value.number()->ToText();
  if (const Binary* binary = value.As<Binary>())
    text = protocol::Base64(std::string_view(binary->bytes).substr(0, kShownBytesMax));
  return "{" + std::string(NameOf(value.type())) + ":" + text + "}";
}

}  // namespace parley::storage
