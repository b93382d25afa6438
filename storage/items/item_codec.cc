#include "storage/items/item_codec.h"

#include "protocol/base/varint.h"

namespace parley::storage {
namespace {

constexpr size_t kReserved = 64;  // initial room for members: more than most items have

void AppendText(std::string_view text, std::string* out) {
  protocol::AppendVarint(out, text.size());
  out->append(text);
}

struct Appender {
  std::string* out;
  void operator()(const std::string& text) const { AppendText(text, out); }
  void operator()(const Number& number) const { number.AppendKey(out); }
  void operator()(const Binary& binary) const { AppendText(binary.bytes, out); }
  void operator()(bool value) const { *out += value ? '\1' : '\0'; }
  void operator()(Null) const {}
  void operator()(const List& list) const {
    protocol::AppendVarint(out, list.size());
    for (const AttributeValue& element : list) AppendValue(element, out);
  }
  void operator()(const Item& map) const {
    protocol::AppendVarint(out, map.size());
    for (const auto& [name, value] : map) {
      AppendText(name, out);
      AppendValue(value, out);
    }
  }
  template <class T>
  void operator()(const SetOf<T>& set) const {
    protocol::AppendVarint(out, set.elements.size());
    for (const T& element : set.elements) (*this)(element);
  }
};

class Taker {
 public:
  explicit Taker(std::string_view bytes) : rest_(bytes) {}
  std::string_view rest() const { return rest_; }

  bool Value(AttributeValue* out, size_t depth);
  bool Members(Item* out, size_t depth);

 private:
  // Each element takes at least a byte, so reject a larger count than the remaining bytes before allocating.
  bool Count(uint64_t* out) { return protocol::TakeVarint(&rest_, out) && *out <= rest_.size(); }
  bool Text(std::string* out) {
    uint64_t size = 0;
    if (!Count(&size)) return false;
    out->assign(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return true;
  }
  bool Element(std::string* out) { return Text(out); }
  bool Element(Number* out) { return Number::TakeKey(&rest_, out); }
  bool Element(Binary* out) { return Text(&out->bytes); }
  template <class T>
  bool Scalar(AttributeValue* out) {
    T value;
    if (!Element(&value)) return false;
    *out = AttributeValue(std::move(value));
    return true;
  }
  template <class T>
  bool Set(AttributeValue* out) {
    uint64_t count = 0;
    if (!Count(&count)) return false;
    SetOf<T> set;
    set.elements.resize(count);
    for (T& element : set.elements) {
      if (!Element(&element)) return false;
    }
    *out = AttributeValue(std::move(set));
    return true;
  }
  bool TakeList(AttributeValue* out, size_t depth);

  std::string_view rest_;
};

bool Taker::TakeList(AttributeValue* out, size_t depth) {
  uint64_t count = 0;
  if (!Count(&count)) return false;
  List list;
  for (uint64_t i = 0; i < count; ++i) {
    if (!Value(&list.emplace_back(), depth + 1)) return false;
  }
  *out = AttributeValue(std::move(list));
  return true;
}

bool Taker::Members(Item* out, size_t depth) {
  uint64_t count = 0;
  if (!Count(&count)) return false;
  out->Reserve(std::min<size_t>(count, kReserved));
  std::string name;
  AttributeValue value;
  for (uint64_t i = 0; i < count; ++i) {
    if (!Text(&name) || !Value(&value, depth)) return false;
    out->Set(name, std::move(value));
  }
  return true;
}

bool Taker::Value(AttributeValue* out, size_t depth) {
  if (rest_.empty() || depth > kNestingMax) return false;
  const auto type = static_cast<AttributeType>(rest_.front());
  rest_.remove_prefix(1);
  switch (type) {
    case AttributeType::kString:
      return Scalar<std::string>(out);
    case AttributeType::kNumber:
      return Scalar<Number>(out);
    case AttributeType::kBinary:
      return Scalar<Binary>(out);
    case AttributeType::kBool:
      if (rest_.empty() || static_cast<unsigned char>(rest_.front()) > 1) return false;
      *out = AttributeValue::OfBool(rest_.front() == 1);
      rest_.remove_prefix(1);
      return true;
    case AttributeType::kNull:
      *out = AttributeValue();
      return true;
    case AttributeType::kList:
      return TakeList(out, depth);
    case AttributeType::kMap: {
      Item map;
      if (!Members(&map, depth + 1)) return false;
      *out = AttributeValue(std::move(map));
      return true;
    }
    case AttributeType::kStringSet:
      return Set<std::string>(out);
    case AttributeType::kNumberSet:
      return Set<Number>(out);
    case AttributeType::kBinarySet:
      return Set<Binary>(out);
  }
  return false;
}

}  // namespace

void AppendValue(const AttributeValue& value, std::string* out) {
  *out += static_cast<char>(value.type());
  std::visit(Appender{out}, value.data());
}

bool TakeValue(std::string_view* bytes, AttributeValue* out) {
  Taker taker(*bytes);
  if (!taker.Value(out, 0)) return false;
  *bytes = taker.rest();
  return true;
}

std::string EncodeItem(const Item& item) {
  std::string out;
  Appender{&out}(item);
  return out;
}

bool DecodeItem(std::string_view bytes, Item* out) {
  *out = {};
  Taker taker(bytes);
  return taker.Members(out, 0) && taker.rest().empty();
}

}  // namespace parley::storage
