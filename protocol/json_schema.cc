#include "protocol/json_schema.h"

#include <cctype>

#include "protocol/base/json_text.h"

namespace parley::protocol {

std::string NamedSchemas::Refer(const std::string& name, Make make) {
  std::string unique = name;
  for (int next = 2;; unique = name + std::to_string(next++)) {
    const auto [at, added] = all_.try_emplace(unique, Named{make, {}});
    if (added) {
      std::string text = make(this);
      all_.at(unique).text = std::move(text);
    } else if (at->second.make != make && at->second.text != make(this)) {
      continue;  // another type of this name
    }
    return R"({"$ref":"#/components/schemas/)" + unique + R"("})";
  }
}

std::string NamedSchemas::AllText() const {
  std::string out;
  for (const auto& [name, one] : all_) out += (out.empty() ? "" : ",") + JsonText(name) + ":" + one.text;
  return "{" + out + "}";
}

namespace schema_internal {

// Adds null to the type; a reference, which has no type of its own, becomes a choice.
std::string NullableSchema(std::string schema) {
  constexpr std::string_view kType = "{\"type\":\"";
  if (!schema.starts_with(kType)) return "{\"anyOf\":[" + schema + ",{\"type\":\"null\"}]}";
  const size_t end = schema.find('"', kType.size());
  const std::string type = schema.substr(kType.size(), end - kType.size());
  return "{\"type\":[\"" + type + "\",\"null\"]" + schema.substr(end + 1);
}

std::string PatternSchema(std::string_view pattern) {
  return "{\"type\":\"string\",\"pattern\":" + JsonText(pattern) + "}";
}

std::string ServerIdSchema(std::string_view prefix) {
  return PatternSchema("^" + std::string(prefix) + "[0-9a-hjkmnp-tv-z]{26}$");
}

std::string TenantIdSchema() {
  return PatternSchema("^[A-Za-z0-9_.:-]{1,64}$");
}

std::string EnumSchema(const std::string_view* names, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += (i == 0 ? "" : ",") + JsonText(names[i]);
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
    schema.insert(schema.size() - 1, comma + "\"description\":" + JsonText(about));
  }
  properties_ += (properties_.empty() ? "" : ",") + JsonText(name) + ":" + schema;
  if (required) required_ += (required_.empty() ? "" : ",") + JsonText(name);
}

std::string ObjectSchema::Text() const {
  std::string out =
      "{\"type\":\"object\",\"properties\":{" + properties_ + "},\"additionalProperties\":false";
  if (!required_.empty()) out += ",\"required\":[" + required_ + "]";
  return out + "}";
}

// Both compilers write "… [T = NAME]" or "… [with T = NAME; …]". Namespaces are in lower case, types are not.
// The arguments of a template come before its own name.
std::string NameOfType(std::string_view function) {
  constexpr std::string_view kParameter = "T = ";
  const size_t begin = function.find(kParameter) + kParameter.size();
  std::string own, inner;
  bool inside = false, word = false, kept = false;
  for (const char c : function.substr(begin, function.find_first_of(";]", begin) - begin)) {
    const auto byte = static_cast<unsigned char>(c);
    inside |= c == '<';
    const bool starts = !word;
    word = std::isalnum(byte) != 0 || c == '_';
    if (word && starts) kept = std::isupper(byte) != 0;
    if (word && kept) (inside ? inner : own) += c;
  }
  return inner + own;
}

}  // namespace schema_internal

}  // namespace parley::protocol
