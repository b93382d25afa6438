#include "storage/expressions/functions.h"

#include <string.h>

#include <algorithm>

namespace parley::storage {
namespace {

// In linear time, which std::string::find does not promise.
bool ContainsBytes(std::string_view whole, std::string_view part) {
  return memmem(whole.data(), whole.size(), part.data(), part.size()) != nullptr;
}

template <class Element>
bool HasElement(const AttributeValue& set, const Element& element) {
  const auto* elements = set.As<SetOf<Element>>();
  return elements != nullptr &&
         std::binary_search(elements->elements.begin(), elements->elements.end(), element);
}

bool IsContinuation(char c) {
  return (c & 0xc0) == 0x80;
}

struct Sizer {
  using Size = std::optional<int64_t>;
  template <class Sized>
  static Size Count(const Sized& sized) {
    return static_cast<int64_t>(sized.size());
  }
  Size operator()(const std::string& text) const {
    return std::count_if(text.begin(), text.end(), [](char c) { return !IsContinuation(c); });
  }
  Size operator()(const Binary& binary) const { return Count(binary.bytes); }
  Size operator()(const List& list) const { return Count(list); }
  Size operator()(const Item& map) const { return Count(map); }
  template <class T>
  Size operator()(const SetOf<T>& set) const {
    return Count(set.elements);
  }
  Size operator()(const Number&) const { return std::nullopt; }
  Size operator()(bool) const { return std::nullopt; }
  Size operator()(const Null&) const { return std::nullopt; }
};

}  // namespace

bool Contains(const AttributeValue& whole, const AttributeValue& part) {
  if (const List* list = whole.As<List>()) return std::find(list->begin(), list->end(), part) != list->end();
  if (const std::string* text = part.text()) {
    return whole.text() != nullptr ? ContainsBytes(*whole.text(), *text) : HasElement(whole, *text);
  }
  if (const Binary* binary = part.As<Binary>()) {
    const Binary* within = whole.As<Binary>();
    return within != nullptr ? ContainsBytes(within->bytes, binary->bytes) : HasElement(whole, *binary);
  }
  return part.number() != nullptr && HasElement(whole, *part.number());
}

bool BeginsWith(const AttributeValue& whole, const AttributeValue& prefix) {
  if (whole.type() != prefix.type()) return false;
  if (const std::string* text = whole.text()) return text->starts_with(*prefix.text());
  const Binary* binary = whole.As<Binary>();
  return binary != nullptr && binary->bytes.starts_with(prefix.As<Binary>()->bytes);
}

std::optional<int64_t> SizeOf(const AttributeValue& value) {
  return std::visit(Sizer{}, value.data());
}

}  // namespace parley::storage
