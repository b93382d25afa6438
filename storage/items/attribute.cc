#include "storage/items/attribute.h"

#include <algorithm>

namespace parley::storage {
namespace {

constexpr std::string_view kNames[] = {"S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"};

bool IsBefore(const Item::Member& member, std::string_view name) {
  return member.first < name;
}
template <class Members>
auto PlaceOf(Members& members, std::string_view name) {
  return std::lower_bound(members.begin(), members.end(), name, IsBefore);
}

size_t NumberSize(const Number& number) {
  return static_cast<size_t>(number.digit_count() + 1) / 2 + 1;
}

constexpr size_t kContainerBytes = 3;

struct ValueSizer {
  size_t operator()(const std::string& text) const { return text.size(); }
  size_t operator()(const Number& number) const { return NumberSize(number); }
  size_t operator()(const Binary& binary) const { return binary.bytes.size(); }
  size_t operator()(bool) const { return 1; }
  size_t operator()(Null) const { return 1; }
  size_t operator()(const List& list) const {
    size_t size = kContainerBytes;
    for (const AttributeValue& element : list) size += 1 + ValueSize(element);
    return size;
  }
  size_t operator()(const Item& map) const { return kContainerBytes + map.size() + ItemSize(map); }
  template <class T>
  size_t operator()(const SetOf<T>& set) const {
    size_t size = 0;
    for (const T& element : set.elements) size += (*this)(element);
    return size;
  }
};

}  // namespace

std::string_view NameOf(AttributeType type) {
  return kNames[static_cast<size_t>(type) - 1];
}

std::optional<AttributeType> AttributeTypeNamed(std::string_view name) {
  const auto* const found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) return std::nullopt;
  return static_cast<AttributeType>(found - std::begin(kNames) + 1);
}

Item::Item(std::initializer_list<Member> members) {
  for (const Member& member : members) Set(member.first, member.second);
}
Item Item::Of(std::vector<Member> members) {
  std::stable_sort(members.begin(), members.end(),
                   [](const Member& a, const Member& b) { return a.first < b.first; });
  Item item;
  for (Member& member : members) {
    if (!item.members_.empty() && item.members_.back().first == member.first) {
      item.members_.back().second = std::move(member.second);
    } else {
      item.members_.push_back(std::move(member));
    }
  }
  return item;
}
const AttributeValue* Item::Find(std::string_view name) const {
  const auto place = PlaceOf(members_, name);
  return place != members_.end() && place->first == name ? &place->second : nullptr;
}
AttributeValue* Item::Find(std::string_view name) {
  return const_cast<AttributeValue*>(std::as_const(*this).Find(name));
}
AttributeValue& Item::Set(std::string_view name, AttributeValue value) {
  // Most come in order, because rows are read in order.
  const auto place =
      members_.empty() || members_.back().first < name ? members_.end() : PlaceOf(members_, name);
  if (place != members_.end() && place->first == name) {
    place->second = std::move(value);
    return place->second;
  }
  return members_.emplace(place, name, std::move(value))->second;
}
bool Item::Erase(std::string_view name) {
  const auto place = PlaceOf(members_, name);
  if (place == members_.end() || place->first != name) return false;
  members_.erase(place);
  return true;
}
std::vector<Item::Member>::const_iterator Item::begin() const {
  return members_.begin();
}
std::vector<Item::Member>::const_iterator Item::end() const {
  return members_.end();
}
std::vector<Item::Member>::iterator Item::begin() {
  return members_.begin();
}
std::vector<Item::Member>::iterator Item::end() {
  return members_.end();
}
bool operator==(const Item& a, const Item& b) {
  return a.members_ == b.members_;
}

AttributeValue AttributeValue::OfBool(bool value) {
  AttributeValue out;
  out.data_ = value;
  return out;
}

std::partial_ordering Compare(const AttributeValue& a, const AttributeValue& b) {
  if (a.type() != b.type()) return std::partial_ordering::unordered;
  switch (a.type()) {
    case AttributeType::kString:
      return *a.text() <=> *b.text();
    case AttributeType::kNumber:
      return *a.number() <=> *b.number();
    case AttributeType::kBinary:
      return *a.As<Binary>() <=> *b.As<Binary>();
    default:
      return std::partial_ordering::unordered;
  }
}

template <class T>
bool MakeSet(std::vector<T> elements, SetOf<T>* out) {
  std::sort(elements.begin(), elements.end());
  if (std::adjacent_find(elements.begin(), elements.end()) != elements.end()) return false;
  out->elements = std::move(elements);
  return true;
}
template bool MakeSet(std::vector<std::string> elements, StringSet* out);
template bool MakeSet(std::vector<Number> elements, NumberSet* out);
template bool MakeSet(std::vector<Binary> elements, BinarySet* out);

size_t ValueSize(const AttributeValue& value) {
  return std::visit(ValueSizer{}, value.data());
}

size_t ItemSize(const Item& item) {
  size_t size = 0;
  for (const auto& [name, value] : item) size += name.size() + ValueSize(value);
  return size;
}

size_t NestingOf(const AttributeValue& value) {
  size_t deepest = 0;
  if (const List* list = value.As<List>()) {
    for (const AttributeValue& element : *list) deepest = std::max(deepest, NestingOf(element));
  } else if (const Item* map = value.As<Item>()) {
    for (const auto& [name, element] : *map) deepest = std::max(deepest, NestingOf(element));
  } else {
    return 0;
  }
  return deepest + 1;
}

}  // namespace parley::storage
