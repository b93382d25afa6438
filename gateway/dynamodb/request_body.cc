#include "gateway/dynamodb/request_body.h"

#include <algorithm>

#include "gateway/dynamodb/attribute_json.h"

namespace parley::gateway {
namespace {

using protocol::Value;

constexpr size_t kViolationsMax = 10;
constexpr size_t kTableNameBytesMax = 255;
constexpr size_t kTableNameShownMax = 1024;  // the part of an overlong name in a message

std::string_view KindOf(const Value& json) {
  if (json.as_text() || json.is_unusable_text()) return "STRING_VALUE";
  if (json.as_int()) return "NUMBER_VALUE";
  if (json.is_unusable_number()) return "DECIMAL_VALUE";
  if (json.as_bool()) return *json.as_bool() ? "TRUE_VALUE" : "FALSE_VALUE";
  return {};
}

DynamoError WrongType(const Value& json, std::string_view wanted) {
  const std::string_view kind = KindOf(json);
  if (kind.empty())
    return {DynamoErrorType::kSerialization, json.as_map()
                                                 ? "Start of structure or map found where not expected"
                                                 : "Start of list found where not expected"};
  return {DynamoErrorType::kSerialization,
          std::string(kind) + " cannot be converted to " + std::string(wanted)};
}

bool IsTableNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.';
}

bool IsTableName(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsTableNameChar);
}

}  // namespace

RequestBody::RequestBody(const Value& json, std::string at) : json_(json), at_(std::move(at)) {
  if (!json.as_map()) Fail({DynamoErrorType::kSerialization, "Unexpected value type in payload"});
}

const Value* RequestBody::Find(std::string_view name) const {
  const Value* value = json_.as_map() ? json_.Find(name) : nullptr;
  return value && !value->is_null() ? value : nullptr;
}

std::string RequestBody::PlaceOf(std::string_view name) const {
  std::string place(name);
  if (!place.empty() && place[0] >= 'A' && place[0] <= 'Z')
    place[0] = static_cast<char>(place[0] - 'A' + 'a');
  return at_.empty() ? place : at_ + "." + place;
}

void RequestBody::Fail(DynamoError error) {
  if (!fault_) fault_ = std::move(error);
}

// A wrong attribute value is reported after the violated constraints.
void RequestBody::FailLate(DynamoError error) {
  if (error.type == DynamoErrorType::kSerialization) return Fail(std::move(error));
  if (!value_fault_) value_fault_ = std::move(error);
}

std::optional<std::string> RequestBody::Text(std::string_view name) {
  const Value* value = Find(name);
  if (!value) return std::nullopt;
  if (value->as_text()) return std::string(*value->as_text());
  Fail(WrongType(*value, "String"));
  return std::nullopt;
}

std::optional<bool> RequestBody::Bool(std::string_view name) {
  const Value* value = Find(name);
  if (!value) return std::nullopt;
  if (value->as_bool()) return *value->as_bool();
  Fail(WrongType(*value, "Boolean"));
  return std::nullopt;
}

std::optional<int64_t> RequestBody::Int(std::string_view name) {
  const Value* value = Find(name);
  if (!value) return std::nullopt;
  if (value->as_int()) return *value->as_int();
  Fail(WrongType(*value, "Integer"));
  return std::nullopt;
}

std::optional<storage::AttributeValue> RequestBody::Attribute(std::string_view name) {
  const Value* value = Find(name);
  if (!value) return std::nullopt;
  auto read = ReadAttribute(*value);
  if (read.ok()) return std::move(*read);
  FailLate(std::move(read.error()));
  return std::nullopt;
}

std::optional<storage::Item> RequestBody::Item(std::string_view name) {
  const Value* value = Find(name);
  if (!value) return std::nullopt;
  auto read = ReadItemJson(*value);
  if (read.ok()) return std::move(*read);
  FailLate(std::move(read.error()));
  return std::nullopt;
}

const protocol::Map* RequestBody::Map(std::string_view name) {
  const Value* value = Find(name);
  if (value && !value->as_map()) Fail({DynamoErrorType::kSerialization, "Unexpected field type"});
  return value ? value->as_map() : nullptr;
}

const protocol::Array* RequestBody::List(std::string_view name) {
  const Value* value = Find(name);
  if (value && !value->as_array())
    Fail({DynamoErrorType::kSerialization,
          value->as_map() ? "Start of structure or map found where not expected" : "Unexpected field type"});
  return value ? value->as_array() : nullptr;
}

std::vector<std::string> RequestBody::Texts(std::string_view name) {
  std::vector<std::string> out;
  const protocol::Array* list = List(name);
  if (!list) return out;
  for (const Value& element : *list) {
    if (element.as_text()) {
      out.emplace_back(*element.as_text());
    } else {
      Fail(WrongType(element, "String"));
    }
  }
  return out;
}

void RequestBody::Violates(std::string_view name, const std::string& value, const std::string& constraint) {
  violations_.push_back("Value " + value + " at '" + PlaceOf(name) +
                        "' failed to satisfy constraint: " + constraint);
}

void RequestBody::RequireMember(std::string_view name) {
  if (!Has(name)) Violates(name, "null", "Member must not be null");
}

std::string RequestBody::Required(std::string_view name) {
  RequireMember(name);
  return Text(name).value_or("");
}

std::string RequestBody::NameOf(std::string_view name) {
  RequireMember(name);
  const auto text = Text(name);
  if (!text) return {};
  CheckForm(name, *text);
  if (text->size() < 3)
    Violates(name, "'" + *text + "'", "Member must have length greater than or equal to 3");
  if (text->size() > 255)
    Violates(name, "'" + *text + "'", "Member must have length less than or equal to 255");
  return *text;
}

void RequestBody::CheckForm(std::string_view name, const std::string& text) {
  if (!IsTableName(text))
    Violates(name, "'" + text + "'", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
}

// Operations on items report a bad name alone; operations on tables report it with all other violations.
void RequestBody::FailName(NamedFor named_for, const std::string& value, const std::string& constraint) {
  if (named_for == NamedFor::kTable) return Violates("TableName", value, constraint);
  name_fault_ = ValidationError("1 validation error detected: Value " + value + " at '" +
                                PlaceOf("TableName") + "' failed to satisfy constraint: " + constraint);
}

std::string RequestBody::TableName(NamedFor named_for) {
  const auto text = Text("TableName");
  if (!text && named_for == NamedFor::kTable && at_.empty()) {
    name_fault_ = ValidationError("The parameter 'TableName' is required but was not present in the request");
    return {};
  }
  if (!text) {
    FailName(named_for, "null", "Member must not be null");
    return {};
  }
  if (text->starts_with("arn:")) {
    auto name = TableNameInArn(*text);
    if (!name) name_fault_ = ValidationError("Invalid TableArn: Invalid ResourceArn provided as input");
    return name.value_or("");
  }
  const size_t least = named_for == NamedFor::kItem ? 1 : 3;
  if (text->size() < least)
    FailName(named_for, "'" + *text + "'",
             "Member must have length greater than or equal to " + std::to_string(least));
  else if (text->size() > kTableNameBytesMax)
    FailName(named_for, "'" + text->substr(0, kTableNameShownMax) + "'",
             "Member must have length less than or equal to 255");
  else if (!IsTableName(*text))
    FailName(named_for, "'" + *text + "'", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  return *text;
}

std::optional<std::string> TableNameInArn(std::string_view arn) {
  constexpr std::string_view kTable = "table/";
  for (const std::string_view part : {"arn", "aws", "dynamodb", "", ""}) {  // region and account: any
    const size_t end = arn.find(':');
    if (end == std::string_view::npos || (!part.empty() && arn.substr(0, end) != part)) return std::nullopt;
    arn.remove_prefix(end + 1);
  }
  if (!arn.starts_with(kTable)) return std::nullopt;
  arn.remove_prefix(kTable.size());
  if (arn.size() < 3 || arn.size() > kTableNameBytesMax || !IsTableName(arn)) return std::nullopt;
  return std::string(arn);
}

std::string RequestBody::OneOf(std::string_view name, std::vector<std::string_view> choices,
                               std::string_view fallback) {
  const auto text = Text(name);
  if (!text) return std::string(fallback);
  if (std::find(choices.begin(), choices.end(), *text) == choices.end()) {
    std::string all;
    for (const std::string_view choice : choices) all += (all.empty() ? "" : ", ") + std::string(choice);
    Violates(name, "'" + *text + "'", "Member must satisfy enum value set: [" + all + "]");
  }
  return *text;
}

std::optional<int64_t> RequestBody::IntWithin(std::string_view name, int64_t least, int64_t most) {
  const auto value = Int(name);
  if (!value) return value;
  if (*value < least)
    Violates(name, "'" + std::to_string(*value) + "'",
             "Member must have value greater than or equal to " + std::to_string(least));
  if (*value > most)
    Violates(name, "'" + std::to_string(*value) + "'",
             "Member must have value less than or equal to " + std::to_string(most));
  return value;
}

std::string RequestBody::TextWithin(std::string_view name, size_t least, size_t most) {
  RequireMember(name);
  const auto text = Text(name);
  if (!text) return {};
  if (text->size() < least)
    Violates(name, "'" + *text + "'",
             "Member must have length greater than or equal to " + std::to_string(least));
  if (text->size() > most)
    Violates(name, "'" + text->substr(0, most) + "…'",
             "Member must have length less than or equal to " + std::to_string(most));
  return *text;
}

const protocol::Array& RequestBody::ListWithin(std::string_view name, size_t least, size_t most) {
  static const protocol::Array kNone;
  const protocol::Array* list = List(name);
  if (!list) return kNone;
  if (list->size() < least)
    Violates(name, "'[]'", "Member must have length greater than or equal to " + std::to_string(least));
  if (list->size() <= most) return *list;
  Violates(name, "'[…]'", "Member must have length less than or equal to " + std::to_string(most));
  return kNone;
}

void RequestBody::Take(const RequestBody& part) {
  if (part.fault_) Fail(*part.fault_);
  if (part.value_fault_) FailLate(*part.value_fault_);
  violations_.insert(violations_.end(), part.violations_.begin(), part.violations_.end());
}

std::optional<DynamoError> RequestBody::Check() {
  if (fault_) return fault_;
  if (name_fault_) return name_fault_;
  if (violations_.empty()) return value_fault_;
  const size_t count = std::min(violations_.size(), kViolationsMax);
  std::string message = std::to_string(count) + " validation error" + (count == 1 ? "" : "s") + " detected: ";
  for (size_t i = 0; i < count; ++i) message += (i == 0 ? "" : "; ") + violations_[i];
  return ValidationError(std::move(message));
}

}  // namespace parley::gateway
