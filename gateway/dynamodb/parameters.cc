#include "gateway/dynamodb/parameters.h"

#include <algorithm>

#include "gateway/dynamodb/attribute_json.h"

namespace parley::gateway {
namespace {

std::string Listed(const RequestBody& body, const std::vector<std::string_view>& names) {
  std::string out;
  for (const std::string_view name : names) {
    if (body.Has(name)) out += (out.empty() ? "" : ", ") + std::string(name);
  }
  return out;
}

}  // namespace

CapacityDetail ReadCapacityDetail(RequestBody& body) {
  const std::string asked = body.OneOf("ReturnConsumedCapacity", {"INDEXES", "TOTAL", "NONE"}, "NONE");
  return asked == "TOTAL"     ? CapacityDetail::kTotal
         : asked == "INDEXES" ? CapacityDetail::kIndexes
                              : CapacityDetail::kNone;
}

bool WantsCollectionMetrics(RequestBody& body) {
  return body.OneOf("ReturnItemCollectionMetrics", {"SIZE", "NONE"}, "NONE") == "SIZE";
}

bool ReturnsItemOnFailure(RequestBody& body) {
  return body.OneOf("ReturnValuesOnConditionCheckFailure", {"ALL_OLD", "NONE"}, "NONE") == "ALL_OLD";
}

Expressions::Expressions(RequestBody& body, std::vector<std::string_view> expressions,
                         std::vector<std::string_view> legacy)
    : body_(body), expressions_(std::move(expressions)) {
  const std::string modern = Listed(body, expressions_), old = Listed(body, legacy);
  if (!modern.empty() && !old.empty()) {
    body_.FailLate(
        ValidationError("Can not use both expression and non-expression parameters in the same request: "
                        "Non-expression parameters: {" +
                        old + "} Expression parameters: {" + modern + "}"));
  }
  ReadPlaceholders();
}

bool Expressions::Any() const {
  return std::any_of(expressions_.begin(), expressions_.end(), [&](auto name) { return body_.Has(name); });
}

void Expressions::Note(const storage::Fault& fault) {
  if (!fault.empty()) body_.FailLate(ValidationError(fault));
}

// Lists the expressions that take values; a projection takes none.
std::string Expressions::MissingExpressions() const {
  std::string out;
  size_t count = 0;
  for (const std::string_view name : expressions_) {
    if (name == "ProjectionExpression") continue;
    out += (count++ == 0 ? "" : " and ") + std::string(name);
  }
  return out + (count == 1 ? " is null" : " are null");
}

void Expressions::ReadPlaceholders() {
  const protocol::Map* names = body_.Map("ExpressionAttributeNames");
  const protocol::Map* values = body_.Map("ExpressionAttributeValues");
  if (!names && !values) return;
  if (!Any())
    return Note(names ? std::string("ExpressionAttributeNames can only be specified when using expressions")
                      : "ExpressionAttributeValues can only be specified when using expressions: " +
                            MissingExpressions());
  if (names && names->empty()) return Note("ExpressionAttributeNames must not be empty");
  if (values && values->empty()) return Note("ExpressionAttributeValues must not be empty");
  storage::Placeholders::Names given_names;
  static const protocol::Map kNone;
  for (const auto& [name, value] : names ? *names : kNone) {
    if (!value.as_text())
      return body_.Fail(
          {DynamoErrorType::kSerialization, "Unexpected value type in ExpressionAttributeNames"});
    given_names.emplace(name, *value.as_text());
  }
  storage::Placeholders::Values given_values;
  for (const auto& [name, value] : values ? *values : kNone) {
    auto read = ReadAttribute(value);
    if (!read.ok()) {
      if (read.error().type == DynamoErrorType::kSerialization) return body_.Fail(std::move(read.error()));
      return Note("ExpressionAttributeValues contains invalid value: " + read.error().message + " for key " +
                  std::string(name));
    }
    given_values.emplace(name, std::move(*read));
  }
  if (names) Note(placeholders_.SetNames(std::move(given_names)));
  if (values) Note(placeholders_.SetValues(std::move(given_values)));
}

storage::Condition Expressions::ConditionOf(std::string_view name) {
  storage::Condition condition;
  if (const auto text = body_.Text(name))
    Note(storage::ParseCondition(name, *text, &placeholders_, &condition));
  return condition;
}

namespace {

std::vector<storage::AttributeValue> ValuesOf(RequestBody& member) {
  std::vector<storage::AttributeValue> out;
  const protocol::Array* list = member.List("AttributeValueList");
  for (const protocol::Value& value : list ? *list : protocol::Array{}) {
    auto read = ReadAttribute(value);
    if (!read.ok()) {
      member.Fail(std::move(read.error()));
      return out;
    }
    out.push_back(std::move(*read));
  }
  return out;
}

storage::LegacyComparison ComparisonOf(const std::string& attribute, RequestBody& member) {
  member.RequireMember("ComparisonOperator");
  return {attribute, member.Text("ComparisonOperator").value_or(""), ValuesOf(member)};
}

storage::LegacyExpected ExpectedOf(const std::string& attribute, RequestBody& member) {
  storage::LegacyExpected out;
  out.attribute = attribute;
  out.value = member.Attribute("Value");
  out.exists = member.Bool("Exists");
  out.op = member.Text("ComparisonOperator");
  out.has_list = member.Has("AttributeValueList");
  out.values = ValuesOf(member);
  return out;
}

}  // namespace

storage::Condition Expressions::LegacyConditionOf(std::string_view name, bool expected) {
  const bool any = body_.OneOf("ConditionalOperator", {"OR", "AND"}, "AND") == "OR";
  storage::Condition condition;
  const protocol::Map* members = body_.Map(name);
  if (!members) return condition;
  std::vector<storage::LegacyExpected> all_expected;
  std::vector<storage::LegacyComparison> filter;
  for (const auto& [attribute, value] : *members) {
    RequestBody member(value, std::string(name));
    if (expected) {
      all_expected.push_back(ExpectedOf(std::string(attribute), member));
    } else {
      filter.push_back(ComparisonOf(std::string(attribute), member));
    }
    if (auto fault = member.Check()) body_.FailLate(std::move(*fault));
  }
  Note(expected ? storage::ConditionOf(all_expected, any, &condition)
                : storage::ConditionOf(filter, any, &condition));
  return condition;
}

storage::KeyExpression Expressions::KeyCondition() {
  storage::KeyExpression key;
  if (const auto text = body_.Text("KeyConditionExpression")) {
    Note(key.Parse(*text, &placeholders_));
    return key;
  }
  const protocol::Map* members = body_.Map("KeyConditions");
  if (!members) {
    Note("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
    return key;
  }
  std::vector<storage::LegacyComparison> comparisons;
  for (const auto& [attribute, value] : *members) {
    RequestBody member(value, "keyConditions");
    comparisons.push_back(ComparisonOf(std::string(attribute), member));
    if (auto fault = member.Check()) body_.FailLate(std::move(*fault));
  }
  Note(storage::KeyExpressionOf(comparisons, &key));
  return key;
}

storage::Update Expressions::Update() {
  storage::Update update;
  if (const auto text = body_.Text("UpdateExpression")) {
    Note(storage::ParseUpdate(*text, &placeholders_, &update));
    return update;
  }
  const protocol::Map* members = body_.Map("AttributeUpdates");
  if (!members) return update;
  std::vector<storage::LegacyUpdate> updates;
  for (const auto& [attribute, value] : *members) {
    RequestBody member(value, "attributeUpdates");
    storage::LegacyUpdate& one = updates.emplace_back();
    one.attribute = attribute;
    one.action = member.OneOf("Action", {"ADD", "PUT", "DELETE"}, "PUT");
    one.value = member.Attribute("Value");
    if (auto fault = member.Check()) body_.FailLate(std::move(*fault));
  }
  Note(storage::UpdateOf(updates, &update));
  return update;
}

std::optional<storage::ProjectionPaths> Expressions::Projection() {
  storage::ProjectionPaths paths;
  if (const auto text = body_.Text("ProjectionExpression")) {
    Note(storage::ParseProjection(*text, &placeholders_, &paths));
    return paths;
  }
  if (!body_.Has("AttributesToGet")) return std::nullopt;
  const std::vector<std::string> names = body_.Texts("AttributesToGet");
  if (names.empty())
    body_.Violates("attributesToGet", "[]", "Member must have length greater than or equal to 1");
  Note(storage::ProjectionOf(names, &paths));
  return paths;
}

void Expressions::CheckUnused() {
  Note(placeholders_.UnusedFault());
}

std::string CollectionMetricsJson(const storage::TableDef& def, const storage::Item& item) {
  const bool has_local =
      std::any_of(def.indexes.begin(), def.indexes.end(),
                  [](const storage::IndexDef& index) { return index.kind == storage::IndexKind::kLocal; });
  const storage::AttributeValue* hash = item.Find(def.keys.hash.name);
  if (!has_local || !hash) return {};
  return "{\"ItemCollectionKey\":" + ItemJson({{def.keys.hash.name, *hash}}) +
         ",\"SizeEstimateRangeGB\":[0.0,1.0]}";
}

}  // namespace parley::gateway
