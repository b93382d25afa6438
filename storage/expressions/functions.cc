#include "storage/expressions/functions.h"

#include <algorithm>
#include <bit>

#include "storage/expressions/search.h"

namespace parley::storage {
namespace {

template <class Element>
bool HasElement(const AttributeValue& set, const Element& element) {
  const auto* elements = set.As<SetOf<Element>>();
  return elements != nullptr &&
         std::binary_search(elements->elements.begin(), elements->elements.end(), element);
}

bool IsContinuation(char c) {
  return (c & 0xc0) == 0x80;
}

struct SizeCounter {
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

// The bytes of a value that is contiguous; nullopt for other types.
std::optional<size_t> ByteCountOf(const AttributeValue& value) {
  if (const std::string* text = value.text()) return text->size();
  if (const Binary* binary = value.As<Binary>()) return binary->bytes.size();
  return std::nullopt;
}

struct Walker {
  uint64_t operator()(const std::string& text) const { return text.size(); }
  uint64_t operator()(const Binary& binary) const { return binary.bytes.size(); }
  uint64_t operator()(const Number&) const { return kStepsPerValue; }
  uint64_t operator()(bool) const { return 0; }
  uint64_t operator()(const Null&) const { return 0; }
  uint64_t operator()(const List& list) const {
    uint64_t steps = 0;
    for (const AttributeValue& element : list) steps += StepsThrough(element);
    return steps;
  }
  uint64_t operator()(const Item& map) const {
    uint64_t steps = 0;
    for (const auto& [name, value] : map) steps += name.size() + StepsThrough(value);
    return steps;
  }
  template <class T>
  uint64_t operator()(const SetOf<T>& set) const {
    uint64_t steps = 0;
    for (const T& element : set.elements) steps += kStepsPerValue + (*this)(element);
    return steps;
  }
};

// The number of a set's elements, which a binary search halves.
struct Halver {
  size_t operator()(const StringSet& set) const { return set.elements.size(); }
  size_t operator()(const NumberSet& set) const { return set.elements.size(); }
  size_t operator()(const BinarySet& set) const { return set.elements.size(); }
  template <class T>
  size_t operator()(const T&) const {
    return 0;
  }
};

}  // namespace

uint64_t StepsThrough(const AttributeValue& value) {
  return kStepsPerValue + std::visit(Walker{}, value.data());
}

uint64_t StepsOfEqual(const AttributeValue& a, const AttributeValue& b) {
  if (a.type() != b.type()) return 1;
  const auto bytes = ByteCountOf(a);
  if (bytes) return bytes == ByteCountOf(b) ? 1 + *bytes : 1;
  return SizeOf(a) == SizeOf(b) ? StepsThrough(a) : 1;
}

uint64_t StepsOfOrder(const AttributeValue& a, const AttributeValue& b) {
  return kStepsPerValue + std::min(ByteCountOf(a).value_or(0), ByteCountOf(b).value_or(0));
}

uint64_t StepsOfContains(const AttributeValue& whole, const AttributeValue& part) {
  if (whole.As<List>() != nullptr) return StepsThrough(whole);
  const size_t bytes = ByteCountOf(part).value_or(1);
  if (const auto there = ByteCountOf(whole)) return *there < bytes ? 1 : 1 + *there + bytes;
  return 1 + std::bit_width(std::visit(Halver{}, whole.data())) * (kStepsPerValue + bytes);
}

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

uint64_t StepsOfSize(const AttributeValue& value) {
  return 1 + (value.text() != nullptr ? value.text()->size() : 0);
}

std::optional<int64_t> SizeOf(const AttributeValue& value) {
  return std::visit(SizeCounter{}, value.data());
}

}  // namespace parley::storage
