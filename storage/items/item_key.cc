#include "storage/items/item_key.h"

namespace parley::storage {
namespace {

// 00 within a value becomes 00 ff, and the value ends in 00 01: below every byte that could follow.
constexpr char kEscape = '\0', kEscaped = '\xff', kEnd = '\1';

void AppendEscaped(std::string_view bytes, std::string* out) {
  for (size_t zero = bytes.find(kEscape); zero != std::string_view::npos; zero = bytes.find(kEscape)) {
    out->append(bytes, 0, zero + 1);
    *out += kEscaped;
    bytes.remove_prefix(zero + 1);
  }
  out->append(bytes);
}

// `out` may be nullptr to skip the part.
bool TakeEscaped(std::string_view* bytes, std::string* out) {
  for (;;) {
    const size_t zero = bytes->find(kEscape);
    if (zero == std::string_view::npos || zero + 1 == bytes->size()) return false;
    const char next = (*bytes)[zero + 1];
    if (next != kEnd && next != kEscaped) return false;
    if (out) out->append(*bytes, 0, next == kEnd ? zero : zero + 1);
    bytes->remove_prefix(zero + 2);
    if (next == kEnd) return true;
  }
}

std::string_view BytesOf(const AttributeValue& value) {
  return value.text() ? std::string_view(*value.text()) : std::string_view(value.As<Binary>()->bytes);
}

}  // namespace

void AppendKeyPart(const AttributeValue& value, std::string* out) {
  if (const Number* number = value.number()) return number->AppendKey(out);
  AppendEscaped(BytesOf(value), out);
  *out += kEscape;
  *out += kEnd;
}

void AppendKeyPrefix(const AttributeValue& prefix, std::string* out) {
  AppendEscaped(BytesOf(prefix), out);
}

bool SkipKeyPart(AttributeType type, std::string_view* bytes) {
  if (type != AttributeType::kNumber) return IsKeyType(type) && TakeEscaped(bytes, nullptr);
  Number number;
  return Number::TakeKey(bytes, &number);
}

bool TakeKeyPart(AttributeType type, std::string_view* bytes, AttributeValue* out) {
  if (type == AttributeType::kNumber) {
    Number number;
    if (!Number::TakeKey(bytes, &number)) return false;
    *out = AttributeValue(number);
    return true;
  }
  std::string text;
  if (!IsKeyType(type) || !TakeEscaped(bytes, &text)) return false;
  if (type == AttributeType::kString)
    *out = AttributeValue(std::move(text));
  else
    *out = AttributeValue(Binary{std::move(text)});
  return true;
}

}  // namespace parley::storage
