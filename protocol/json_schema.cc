#include "protocol/json_schema.h"

namespace parley::protocol::schema_internal {

std::string QuotedJson(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// Adds null to a single type; a schema without a type becomes a choice.
std::string NullableSchema(std::string schema) {
  constexpr std::string_view kType = "{\"type\":\"";
  if (!schema.starts_with(kType)) return "{\"anyOf\":[" + schema + ",{\"type\":\"null\"}]}";
  const size_t end = schema.find('"', kType.size());
  const std::string type = schema.substr(kType.size(), end - kType.size());
  schema = "{\"type\":[\"" + type + "\",\"null\"]" + schema.substr(end + 1);
  constexpr std::string_view kEnum = "\"enum\":[";
  const size_t names = type == "string" ? schema.find(kEnum) : std::string::npos;
  if (names != std::string::npos) schema.insert(schema.find(']', names + kEnum.size()), ",null");
  return schema;
}

std::string PatternSchema(std::string_view pattern) {
  return "{\"type\":\"string\",\"pattern\":" + QuotedJson(pattern) + "}";
}

std::string ServerIdSchema(std::string_view prefix) {
  return PatternSchema("^" + std::string(prefix) + "[0-9a-hjkmnp-tv-z]{26}$");
}

std::string TenantIdSchema() {
  return PatternSchema("^[A-Za-z0-9_.:-]{1,64}$");
}

std::string EnumSchema(const std::string_view* names, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += (i == 0 ? "" : ",") + QuotedJson(names[i]);
  return "{\"type\":\"string\",\"enum\":[" + all + "]}";
}

std::string IntegerSchema(int64_t low, int64_t high) {
  return "{\"type\":\"integer\",\"minimum\":" + std::to_string(low) + ",\"maximum\":" + std::to_string(high) +
         "}";
}

std::string ListSchema(std::string items, size_t max) {
  std::string out = "{\"type\":\"array\",\"items\":" + items;
  if (max != 0) out += ",\"maxItems\":" + std::to_string(max);
  return out + "}";
}

void ObjectSchema::Add(std::string_view name, std::string schema, std::string_view about, bool required) {
  if (!about.empty()) {
    const std::string comma = schema == "{}" ? "" : ",";
    schema.insert(schema.size() - 1, comma + "\"description\":" + QuotedJson(about));
  }
  properties_ += (properties_.empty() ? "" : ",") + QuotedJson(name) + ":" + schema;
  if (required) required_ += (required_.empty() ? "" : ",") + QuotedJson(name);
}

std::string ObjectSchema::Text() const {
  std::string out =
      "{\"type\":\"object\",\"properties\":{" + properties_ + "},\"additionalProperties\":false";
  if (!required_.empty()) out += ",\"required\":[" + required_ + "]";
  return out + "}";
}

}  // namespace parley::protocol::schema_internal
