#include "gateway/dynamodb/attribute_json.h"

#include "protocol/base/encoding.h"
#include "protocol/base/json_text.h"

namespace parley::gateway {
namespace {

using protocol::Value;
using storage::AttributeType;
using storage::AttributeValue;
using storage::Binary;
using storage::Item;
using storage::Number;

DynamoError Serialization(std::string message) {
  return {DynamoErrorType::kSerialization, std::move(message)};
}
DynamoError Invalid(std::string message) {
  return {DynamoErrorType::kValidation, std::move(message)};
}
DynamoError BadParameter(std::string_view what) {
  return Invalid("One or more parameter values were invalid: " + std::string(what));
}

DynamoError NumberError(storage::NumberFault fault, std::string_view text) {
  switch (fault) {
    case storage::NumberFault::kTooManyDigits:
      return Invalid("Attempting to store more than 38 significant digits in a Number");
    case storage::NumberFault::kOverflow:
      return Invalid(
          "Number overflow. Attempting to store a number with magnitude larger than supported range");
    case storage::NumberFault::kUnderflow:
      return Invalid(
          "Number underflow. Attempting to store a number with magnitude smaller than supported range");
    default:
      break;
  }
  if (text.empty()) return Invalid("The parameter cannot be converted to a numeric value");
  return Invalid("The parameter cannot be converted to a numeric value: " + std::string(text));
}

const std::string_view* TextOf(const Value& json) {
  return json.as_text();
}

// Reads a value at some depth. The decoder bounds the number of values in a request, so the recursion needs
// only a bound on depth.
class Reader {
 public:
  DynamoResult<AttributeValue> Read(const Value& json, size_t depth) {
    const protocol::Map* map = json.as_map();
    if (!map) return Serialization("Unexpected value type in payload");
    if (map->empty())
      return Invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
    if (map->size() > 1)
      return Invalid(
          "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
          "supported datatypes");
    const auto& [name, value] = map->front();
    const auto type = storage::AttributeTypeNamed(name);
    if (!type)
      return Invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
    if (depth > storage::kNestingMax) return Invalid("Nesting Levels have exceeded supported limits");
    return ReadTyped(*type, value, depth);
  }

  DynamoResult<Item> ReadMembers(const Value& json, size_t depth) {
    const protocol::Map* map = json.as_map();
    if (!map) return Serialization("Unexpected value type in payload");
    std::vector<Item::Member> members;
    members.reserve(map->size());
    for (const auto& [name, value] : *map) {
      if (name.empty()) return BadParameter("An attribute name must not be empty");
      if (name.size() > storage::kAttributeNameBytesMax) return BadParameter("Attribute name is too large");
      auto read = Read(value, depth);
      if (!read.ok()) return std::move(read.error());
      members.emplace_back(name, std::move(*read));
    }
    return Item::Of(std::move(members));
  }

 private:
  DynamoResult<AttributeValue> ReadTyped(AttributeType type, const Value& json, size_t depth) {
    switch (type) {
      case AttributeType::kString:
        return Scalar<std::string>(json);
      case AttributeType::kNumber:
        return Scalar<Number>(json);
      case AttributeType::kBinary:
        return Scalar<Binary>(json);
      case AttributeType::kBool:
        if (!json.as_bool()) return Serialization("Unexpected token received from parser");
        return AttributeValue::OfBool(*json.as_bool());
      case AttributeType::kNull:
        if (!json.as_bool()) return Serialization("Unexpected token received from parser");
        if (!*json.as_bool()) return BadParameter("Null attribute value types must have the value of true");
        return AttributeValue();
      case AttributeType::kList:
        return ReadList(json, depth);
      case AttributeType::kMap: {
        auto members = ReadMembers(json, depth + 1);
        if (!members.ok()) return std::move(members.error());
        return AttributeValue(std::move(*members));
      }
      case AttributeType::kStringSet:
        return Set<std::string>(json, "string");
      case AttributeType::kNumberSet:
        return Set<Number>(json, "number");
      case AttributeType::kBinarySet:
        return Set<Binary>(json, "binary");
    }
    return Serialization("Unexpected value type in payload");
  }

  DynamoResult<AttributeValue> ReadList(const Value& json, size_t depth) {
    const protocol::Array* array = json.as_array();
    if (!array) return Serialization("Unexpected value type in payload");
    storage::List list;
    list.reserve(array->size());
    for (const Value& element : *array) {
      auto read = Read(element, depth + 1);
      if (!read.ok()) return std::move(read.error());
      list.push_back(std::move(*read));
    }
    return AttributeValue(std::move(list));
  }

  // Lists the texts for a message: "[a, b] ", or nothing if that is long.
  static std::string Listed(const protocol::Array& texts) {
    constexpr size_t kBytesMax = 1024;
    std::string out = "[";
    for (const Value& one : texts) {
      out += out.size() > 1 ? ", " : "";
      if (one.as_text()) out += *one.as_text();
      if (out.size() > kBytesMax) return {};
    }
    return out + "] ";
  }
  static DynamoResult<std::string> Element(const Value& json, std::string*) {
    if (json.is_unusable_text()) return std::string();
    const std::string_view* text = TextOf(json);
    if (!text) return Serialization("Expected a text in a value of type S");
    return std::string(*text);
  }
  static DynamoResult<Number> Element(const Value& json, Number*) {
    const std::string_view* text = TextOf(json);
    if (!text) return Serialization("Expected a text in a value of type N");
    Number number;
    const storage::NumberFault fault = Number::Parse(*text, &number);
    if (fault != storage::NumberFault::kNone) return NumberError(fault, *text);
    return number;
  }
  static DynamoResult<Binary> Element(const Value& json, Binary*) {
    const std::string_view* text = TextOf(json);
    Binary binary;
    if (!text || !protocol::FromBase64(*text, &binary.bytes)) return Serialization("Invalid Base64 encoding");
    return binary;
  }
  template <class T>
  static DynamoResult<AttributeValue> Scalar(const Value& json) {
    auto element = Element(json, static_cast<T*>(nullptr));
    if (!element.ok()) return std::move(element.error());
    return AttributeValue(std::move(*element));
  }
  template <class T>
  static DynamoResult<AttributeValue> Set(const Value& json, std::string_view kind) {
    const protocol::Array* array = json.as_array();
    if (!array) return Serialization("Unexpected value type in payload");
    if (array->empty())
      return BadParameter(kind == "binary" ? "Binary sets should not be empty"
                                           : "An " + std::string(kind) + " set  may not be empty");
    std::vector<T> elements;
    for (const Value& value : *array) {
      auto element = Element(value, static_cast<T*>(nullptr));
      if (!element.ok()) return std::move(element.error());
      elements.push_back(std::move(*element));
    }
    storage::SetOf<T> set;
    if (!storage::MakeSet(std::move(elements), &set)) {
      if (kind == "number") return Invalid("Input collection contains duplicates");
      return BadParameter("Input collection " + (kind == "string" ? Listed(*array) : "") +
                          "contains duplicates" + (kind == "string" ? "." : ""));
    }
    return AttributeValue(std::move(set));
  }
};

struct Appender {
  std::string* out;

  void operator()(const std::string& text) const { protocol::AppendJsonText(text, out); }
  void operator()(const Number& number) const { *out += '"' + number.ToText() + '"'; }
  void operator()(const Binary& binary) const {
    *out += '"';
    protocol::AppendBase64(binary.bytes, out);
    *out += '"';
  }
  void operator()(bool value) const { *out += value ? "true" : "false"; }
  void operator()(storage::Null) const { *out += "true"; }
  void operator()(const storage::List& list) const {
    char before = '[';
    for (const AttributeValue& element : list) {
      *out += before;
      AppendAttribute(element, out);
      before = ',';
    }
    *out += list.empty() ? "[]" : "]";
  }
  void operator()(const Item& map) const { AppendItem(map, out); }
  template <class T>
  void operator()(const storage::SetOf<T>& set) const {
    char before = '[';
    for (const T& element : set.elements) {
      *out += before;
      (*this)(element);
      before = ',';
    }
    *out += ']';
  }
};

}  // namespace

DynamoResult<AttributeValue> ReadAttribute(const Value& json) {
  return Reader().Read(json, 0);
}

DynamoResult<Item> ReadItemJson(const Value& json) {
  return Reader().ReadMembers(json, 0);
}

void AppendAttribute(const AttributeValue& value, std::string* out) {
  *out += "{\"";
  *out += storage::NameOf(value.type());
  *out += "\":";
  std::visit(Appender{out}, value.data());
  *out += '}';
}

void AppendItem(const Item& item, std::string* out) {
  char before = '{';
  for (const auto& [name, value] : item) {
    *out += before;
    protocol::AppendJsonText(name, out);
    *out += ':';
    AppendAttribute(value, out);
    before = ',';
  }
  *out += item.empty() ? "{}" : "}";
}

std::string ItemJson(const Item& item) {
  std::string out;
  AppendItem(item, &out);
  return out;
}

}  // namespace parley::gateway
