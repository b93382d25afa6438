// Builds a JSON object member by member, in order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/dynamodb/attribute_json.h"
#include "protocol/base/json_text.h"

namespace parley::gateway {

class JsonObject {
 public:
  JsonObject& Add(std::string_view name, const std::string& json) {
    text_ += (text_.empty() ? "{" : ",") + protocol::JsonText(name) + ":" + json;
    return *this;
  }
  JsonObject& Text(std::string_view name, std::string_view text) {
    return Add(name, protocol::JsonText(text));
  }
  JsonObject& Int(std::string_view name, int64_t value) { return Add(name, std::to_string(value)); }
  JsonObject& Bool(std::string_view name, bool value) { return Add(name, value ? "true" : "false"); }
  std::string Done() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

inline std::string JsonList(const std::vector<std::string>& elements) {
  std::string out = "[";
  for (const std::string& element : elements) out += (out.size() > 1 ? "," : "") + element;
  return out + "]";
}

}  // namespace parley::gateway
