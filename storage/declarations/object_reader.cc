#include "storage/declarations/object_reader.h"

namespace parley::storage {

ObjectReader::ObjectReader(const protocol::Value& value, std::string place, Faults* faults)
    : value_(value), place_(std::move(place)), faults_(faults) {
  if (!value_.as_map()) Fault("must be an object");
}

const protocol::Value* ObjectReader::Any(std::string_view name) {
  asked_.emplace(name);
  return value_.as_map() ? value_.Find(name) : nullptr;
}

void ObjectReader::Text(std::string_view name, std::string* out) {
  if (value_.as_map() && !value_.Find(name)) Fault("no member \"" + std::string(name) + "\"");
  OptionalText(name, out);
}

void ObjectReader::OptionalText(std::string_view name, std::string* out) {
  const protocol::Value* value = Any(name);
  if (!value) return;
  const std::string_view* text = value->as_text();
  if (!text || text->empty()) return Fault("\"" + std::string(name) + "\" must be text, and not empty");
  *out = *text;
}

void ObjectReader::Flag(std::string_view name, bool* out) {
  const protocol::Value* value = Any(name);
  if (!value) return;
  const bool* flag = value->as_bool();
  if (!flag) return Fault("\"" + std::string(name) + "\" must be true or false");
  *out = *flag;
}

void ObjectReader::Integer(std::string_view name, int64_t min, int64_t max, std::optional<int64_t>* out) {
  const protocol::Value* value = Any(name);
  if (!value) return;
  const int64_t* number = value->as_int();
  if (!number || *number < min || *number > max)
    return Fault("\"" + std::string(name) + "\" must be an integer from " + std::to_string(min) + " to " +
                 std::to_string(max));
  *out = *number;
}

void ObjectReader::Texts(std::string_view name, std::vector<std::string>* out) {
  const protocol::Value* value = Any(name);
  if (!value) return;
  const protocol::Array* array = value->as_array();
  if (!array || array->empty()) return Fault("\"" + std::string(name) + "\" must be an array of texts");
  std::set<std::string_view> seen;
  for (const protocol::Value& one : *array) {
    const std::string_view* text = one.as_text();
    if (!text || text->empty()) return Fault("\"" + std::string(name) + "\" must be an array of texts");
    if (!seen.insert(*text).second)
      return Fault("\"" + std::string(name) + "\" has \"" + std::string(*text) + "\" twice");
    out->emplace_back(*text);
  }
}

void ObjectReader::Done() {
  if (!value_.as_map()) return;
  for (const auto& [name, value] : *value_.as_map()) {
    if (!asked_.contains(name)) Fault("unknown member \"" + std::string(name) + "\"");
  }
}

}  // namespace parley::storage
