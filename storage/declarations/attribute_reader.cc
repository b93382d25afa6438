#include "storage/declarations/attribute_reader.h"

namespace parley::storage {
namespace {

using protocol::Value;

const std::map<std::string_view, AttributeType> kTypes = {
    {"S", AttributeType::kString},     {"N", AttributeType::kNumber},     {"B", AttributeType::kBinary},
    {"BOOL", AttributeType::kBool},    {"L", AttributeType::kList},       {"M", AttributeType::kMap},
    {"SS", AttributeType::kStringSet}, {"NS", AttributeType::kNumberSet}, {"BS", AttributeType::kBinarySet}};
const std::map<std::string_view, AttributeRule::Format> kFormats = {{"time", AttributeRule::Format::kTime},
                                                                    {"date", AttributeRule::Format::kDate},
                                                                    {"email", AttributeRule::Format::kEmail},
                                                                    {"url", AttributeRule::Format::kUrl},
                                                                    {"uuid", AttributeRule::Format::kUuid}};

bool ToNumber(const Value& value, Number* out) {
  if (const int64_t* integer = value.as_int()) {
    *out = Number::Of(*integer);
    return true;
  }
  return value.as_text() && Number::Parse(*value.as_text(), out) == NumberFault::kNone;
}

// Converts plain JSON: an array is a list, an object a map. Returns false for a number with a fraction.
bool ToAttributeValue(const Value& value, AttributeValue* out) {
  if (value.is_null()) {
    *out = AttributeValue();
  } else if (const bool* flag = value.as_bool()) {
    *out = AttributeValue::OfBool(*flag);
  } else if (const int64_t* integer = value.as_int()) {
    *out = AttributeValue::OfInt(*integer);
  } else if (const std::string_view* text = value.as_text()) {
    *out = *text;
  } else if (const protocol::Array* array = value.as_array()) {
    List list(array->size());
    for (size_t i = 0; i < list.size(); ++i) {
      if (!ToAttributeValue((*array)[i], &list[i])) return false;
    }
    *out = std::move(list);
  } else if (const protocol::Map* map = value.as_map()) {
    Item members;
    for (const auto& [name, member] : *map) {
      if (!ToAttributeValue(member, &members.Set(name, AttributeValue()))) return false;
    }
    *out = std::move(members);
  } else {
    return false;
  }
  return true;
}

void ReadNumber(ObjectReader& reader, std::string_view name, std::optional<Number>* out) {
  const Value* value = reader.Any(name);
  if (!value) return;
  Number number;
  if (!ToNumber(*value, &number))
    return reader.Fault("\"" + std::string(name) + "\" must be an integer, or a number as text");
  *out = number;
}

void ReadDefault(ObjectReader& reader, AttributeRule* rule) {
  const Value* value = reader.Any("default");
  if (!value) return;
  AttributeValue fallback;
  Number number;
  if (rule->type == AttributeType::kNumber && ToNumber(*value, &number)) {
    fallback = number;
  } else if (!ToAttributeValue(*value, &fallback)) {
    return reader.Fault("\"default\" has a number that is not an integer: write it as text");
  }
  rule->fallback = std::move(fallback);
}

}  // namespace

std::optional<AttributeIs> ReadCondition(ObjectReader& reader, std::string_view name) {
  const Value* value = reader.Any(name);
  if (!value) return std::nullopt;
  ObjectReader condition(*value, reader.place() + ": " + std::string(name), reader.faults());
  AttributeIs is;
  condition.Text("attribute", &is.attribute);
  condition.Texts("is", &is.one_of);
  condition.Done();
  return is;
}

AttributeRule ReadAttribute(ObjectReader& reader) {
  AttributeRule rule;
  std::optional<AttributeType> type;
  std::optional<AttributeRule::Format> format = AttributeRule::Format::kAny;
  std::optional<int64_t> bytes_max;
  reader.Text("name", &rule.name);
  reader.Choice("type", kTypes, &type);
  rule.type = type.value_or(AttributeType::kString);
  reader.Flag("required", &rule.required);
  rule.required_when = ReadCondition(reader, "requiredWhen");
  ReadDefault(reader, &rule);
  reader.Texts("enum", &rule.one_of);
  ReadNumber(reader, "min", &rule.min);
  ReadNumber(reader, "max", &rule.max);
  reader.Choice("format", kFormats, &format);
  rule.format = format.value_or(AttributeRule::Format::kAny);
  reader.Flag("secret", &rule.secret);
  reader.Flag("immutable", &rule.immutable);
  reader.Flag("lowerCase", &rule.lower_case);
  reader.Integer("bytesMax", 1, static_cast<int64_t>(kItemBytesMax), &bytes_max);
  rule.bytes_max = static_cast<size_t>(bytes_max.value_or(0));
  reader.OptionalText("about", &rule.about);
  return rule;
}

}  // namespace parley::storage
