#include "storage/items/item_key.h"

namespace parley::storage {
namespace {

// 00 within a value becomes 00 ff, and the value ends in 00 01: below every byte that could go on.
constexpr char kEscape = '\0', kEscaped = '\xff', kEnd = '\1';

void AppendEscaped(std::string_view bytes, std::string* out) {
  for (const char byte : bytes) {
    *out += byte;
    if (byte == kEscape) *out += kEscaped;
  }
}

bool TakeEscaped(std::string_view* bytes, std::string* out) {
  for (size_t at = 0; at + 1 < bytes->size(); ++at) {
    const char byte = (*bytes)[at];
    if (byte != kEscape) {
      *out += byte;
      continue;
    }
    const char next = (*bytes)[++at];
    if (next == kEnd) {
      bytes->remove_prefix(at + 1);
      return true;
    }
    if (next != kEscaped) return false;
    *out += kEscape;
  }
  return false;
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
