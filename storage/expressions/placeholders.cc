#include <algorithm>

#include "storage/expressions/expressions.h"
#include "storage/expressions/lexer.h"
#include "storage/expressions/limits.h"
#include "storage/expressions/value_text.h"

namespace parley::storage {
namespace {

bool IsPlaceholder(char sign, std::string_view key) {
  return key.size() > 1 && key[0] == sign && std::all_of(key.begin() + 1, key.end(), IsWordPart);
}

Fault KeyFault(std::string_view parameter, char sign, std::string_view key) {
  const std::string begin = std::string(parameter) + " contains invalid key: ";
  if (!IsPlaceholder(sign, key)) return begin + "Syntax error; key: \"" + std::string(Shown(key)) + "\"";
  if (sign == '#' && key.size() > kPlaceholderBytesMax)
    return begin + "The expression attribute name is too long; size of key: " + std::to_string(key.size());
  return {};
}

Fault NameFault(const std::string& key, const std::string& name) {
  if (!name.empty() && name.size() <= kAttributeNameBytesMax) return {};
  return "ExpressionAttributeNames contains invalid value: Attribute name must have from 1 to " +
         std::to_string(kAttributeNameBytesMax) + " bytes; key: " + key;
}

template <class Map, class Used>
std::string UnusedKeys(const Map& given, const Used& used) {
  std::string keys;
  for (const auto& [key, value] : given) {
    if (!used.contains(key)) keys += (keys.empty() ? "" : ", ") + key;
  }
  return std::string(Shown(keys));
}

}  // namespace

Fault Placeholders::SetNames(Names names) {
  if (names.empty()) return "ExpressionAttributeNames must not be empty";
  size_t bytes = 0;
  for (const auto& [key, name] : names) {
    if (Fault fault = KeyFault("ExpressionAttributeNames", '#', key); !fault.empty()) return fault;
    if (Fault fault = NameFault(key, name); !fault.empty()) return fault;
    bytes += key.size() + name.size();
  }
  if (bytes > kSubstitutedBytesMax) return "ExpressionAttributeNames exceeds max size";
  names_ = std::move(names);
  return {};
}

Fault Placeholders::SetValues(Values values) {
  if (values.empty()) return "ExpressionAttributeValues must not be empty";
  size_t bytes = 0;
  for (const auto& [key, value] : values) {
    if (Fault fault = KeyFault("ExpressionAttributeValues", ':', key); !fault.empty()) return fault;
    bytes += key.size() + ValueSize(value);
  }
  if (bytes > kSubstitutedBytesMax) return "ExpressionAttributeValues exceeds max size";
  values_.clear();
  for (auto& [key, value] : values)
    values_.emplace(key, std::make_shared<const AttributeValue>(std::move(value)));
  return {};
}

const std::string* Placeholders::Name(std::string_view placeholder) {
  const auto found = names_.find(placeholder);
  if (found == names_.end()) return nullptr;
  used_.insert(found->first);
  return &found->second;
}

std::shared_ptr<const AttributeValue> Placeholders::SharedValue(std::string_view placeholder) {
  const auto found = values_.find(placeholder);
  if (found == values_.end()) return nullptr;
  used_.insert(found->first);
  return found->second;
}

Fault Placeholders::UnusedFault() const {
  const std::string_view begin = "Value provided in ";
  if (const std::string keys = UnusedKeys(names_, used_); !keys.empty())
    return std::string(begin) + "ExpressionAttributeNames unused in expressions: keys: {" + keys + "}";
  if (const std::string keys = UnusedKeys(values_, used_); !keys.empty())
    return std::string(begin) + "ExpressionAttributeValues unused in expressions: keys: {" + keys + "}";
  return {};
}

}  // namespace parley::storage
