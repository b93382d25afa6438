// Attribute values and items, as DynamoDB defines them: named, typed values (Amazon DynamoDB API Reference,
// AttributeValue).
//
// Thread-safe as values. Code that makes values limits their nesting (kNestingMax), so recursion over a value
// is bounded too.
#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "storage/items/number.h"

namespace parley::storage {

inline constexpr size_t kNestingMax = 32;            // lists and maps within an attribute
inline constexpr size_t kItemBytesMax = 400 * 1024;  // by ItemSize
inline constexpr size_t kHashKeyBytesMax = 2048;     // a partition key's value
inline constexpr size_t kRangeKeyBytesMax = 1024;    // a sort key's value
inline constexpr size_t kAttributeNameBytesMax = 65'535;

// WARNING: on disk (item_codec.cc); never renumber.
enum class AttributeType : uint8_t {
  kString = 1,
  kNumber = 2,
  kBinary = 3,
  kBool = 4,
  kNull = 5,
  kList = 6,
  kMap = 7,
  kStringSet = 8,
  kNumberSet = 9,
  kBinarySet = 10,
};
// The names on the wire and in expressions: "S", "N", …
std::string_view NameOf(AttributeType type);
std::optional<AttributeType> AttributeTypeNamed(std::string_view name);

class AttributeValue;
// Names in ascending order of their bytes, each once.
class Item {
 public:
  using Member = std::pair<std::string, AttributeValue>;
  Item() = default;
  Item(std::initializer_list<Member> members);
  // Makes an item of members in any order; of equal names the last wins. Many calls of Set would take
  // quadratic time.
  static Item Of(std::vector<Member> members);

  const AttributeValue* Find(std::string_view name) const;  // nullptr if missing
  AttributeValue* Find(std::string_view name);
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  AttributeValue& Set(std::string_view name, AttributeValue value);  // adds or replaces
  void Reserve(size_t members);                                      // the expected number of members
  bool Erase(std::string_view name);
  bool empty() const;
  size_t size() const;
  std::vector<Member>::const_iterator begin() const;
  std::vector<Member>::const_iterator end() const;
  std::vector<Member>::iterator begin();
  std::vector<Member>::iterator end();
  friend bool operator==(const Item& a, const Item& b);

 private:
  std::vector<Member> members_;
};

struct Binary {
  std::string bytes;
  friend auto operator<=>(const Binary&, const Binary&) = default;
};
struct Null {
  friend bool operator==(const Null&, const Null&) = default;
};
using List = std::vector<AttributeValue>;
// Sets: ascending, each element once, never empty when stored.
template <class T>
struct SetOf {
  std::vector<T> elements;
  friend bool operator==(const SetOf&, const SetOf&) = default;
};
using StringSet = SetOf<std::string>;
using NumberSet = SetOf<Number>;
using BinarySet = SetOf<Binary>;

class AttributeValue {
 public:
  // In order of AttributeType.
  using Data =
      std::variant<std::string, Number, Binary, bool, Null, List, Item, StringSet, NumberSet, BinarySet>;

  AttributeValue() : data_(Null{}) {}
  AttributeValue(std::string text) : data_(std::move(text)) {}         // NOLINT: implicit by design
  AttributeValue(std::string_view text) : data_(std::string(text)) {}  // NOLINT
  AttributeValue(const char* text) : data_(std::string(text)) {}       // NOLINT
  AttributeValue(Number number) : data_(number) {}                     // NOLINT
  AttributeValue(Binary bytes) : data_(std::move(bytes)) {}            // NOLINT
  AttributeValue(List list) : data_(std::move(list)) {}                // NOLINT
  AttributeValue(Item map) : data_(std::move(map)) {}                  // NOLINT
  AttributeValue(StringSet set) : data_(std::move(set)) {}             // NOLINT
  AttributeValue(NumberSet set) : data_(std::move(set)) {}             // NOLINT
  AttributeValue(BinarySet set) : data_(std::move(set)) {}             // NOLINT
  static AttributeValue OfBool(bool value);
  static AttributeValue OfInt(int64_t value) { return Number::Of(value); }

  AttributeType type() const { return static_cast<AttributeType>(data_.index() + 1); }
  const Data& data() const { return data_; }
  template <class T>
  const T* As() const {
    return std::get_if<T>(&data_);
  }
  template <class T>
  T* As() {
    return std::get_if<T>(&data_);
  }
  const std::string* text() const { return As<std::string>(); }
  const Number* number() const { return As<Number>(); }

  // Same type and same value; sets as sets, numbers by value.
  friend bool operator==(const AttributeValue& a, const AttributeValue& b) { return a.data_ == b.data_; }

 private:
  Data data_;
};

// Defined here, because a vector of items needs the complete type.
inline bool Item::empty() const {
  return members_.empty();
}
inline void Item::Reserve(size_t members) {
  members_.reserve(members);
}
inline size_t Item::size() const {
  return members_.size();
}

// Orders S and B by bytes, N by value; unordered for two types or any other type.
std::partial_ordering Compare(const AttributeValue& a, const AttributeValue& b);

// Sorts; returns false if an element occurs twice.
template <class T>
bool MakeSet(std::vector<T> elements, SetOf<T>* out);

// The size by DynamoDB's rules: names and values in bytes of UTF-8, numbers by their digits, one byte per
// element and three per container.
size_t ItemSize(const Item& item);
size_t ValueSize(const AttributeValue& value);
// The depth of lists and maps: 0 for a scalar or a set.
size_t NestingOf(const AttributeValue& value);

}  // namespace parley::storage
