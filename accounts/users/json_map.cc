#include "accounts/users/json_map.h"

#include <algorithm>

#include "protocol/writer.h"

namespace parley::accounts {

using protocol::Document;
using protocol::Error;
using protocol::ErrorCode;
using protocol::Map;
using protocol::Result;
using protocol::Value;
using protocol::Writer;

namespace {

constexpr protocol::DecodeLimits kLimits{size_t{64} * 1024, 16, 8192, false};

Value Merged(const Value& target, const Value& patch) {
  const Map* changes = patch.as_map();
  if (!changes) return patch;
  Map out;
  if (const Map* members = target.as_map()) out = *members;
  for (const auto& [name, change] : *changes) {
    const auto at = std::find_if(out.begin(), out.end(),
                                 [wanted = name](const auto& one) { return one.first == wanted; });
    if (change.is_null()) {
      if (at != out.end()) out.erase(at);
    } else if (at != out.end()) {
      at->second = Merged(at->second, change);
    } else {
      out.emplace_back(name, Merged(Value(), change));
    }
  }
  return Value(std::move(out));
}

Result<Document> UnreadableJson() {
  return Error(ErrorCode::kInternal, "a record's JSON cannot be read");
}

}  // namespace

std::string MergePatch(const Value& target, const Value& patch) {
  Writer w;
  w.Put(Merged(target, patch));
  return w.Take();
}

Result<Document> ReadStored(std::string_view json) {
  Document out;
  if (protocol::DecodeJson(std::string(json.empty() ? "{}" : json), kLimits, &out)) return UnreadableJson();
  return out;
}

Result<Document> ReadEncoded(std::string_view msgpack) {
  Document out;
  if (msgpack.empty()) return ReadStored({});
  if (protocol::DecodeMsgpack(std::string(msgpack), kLimits, &out))
    return Error::BadRequest("a map is too large or too deep");
  return out;
}

int DepthOf(const Value& value) {
  int inner = 0;
  if (const auto* items = value.as_array()) {
    for (const Value& item : *items) inner = std::max(inner, DepthOf(item));
    return inner + 1;
  }
  if (const Map* members = value.as_map()) {
    for (const auto& [name, member] : *members) inner = std::max(inner, DepthOf(member));
    return inner + 1;
  }
  return 0;
}

std::string EncodeTexts(const std::map<std::string, std::string>& texts) {
  Writer w;
  w.BeginMap(texts.size());
  for (const auto& [name, text] : texts) {
    w.Text(name);
    w.Text(text);
  }
  return w.Take();
}

std::string EncodeAttributes(const std::map<std::string, AttrValue>& attributes) {
  Writer w;
  w.BeginMap(attributes.size());
  for (const auto& [name, value] : attributes) {
    w.Text(name);
    if (const bool* truth = std::get_if<bool>(&value)) w.Bool(*truth);
    if (const int64_t* number = std::get_if<int64_t>(&value)) w.Int(*number);
    if (const std::string* text = std::get_if<std::string>(&value)) w.Text(*text);
  }
  return w.Take();
}

bool ReadTexts(const Value& value, std::map<std::string, std::string>* out) {
  const Map* members = value.as_map();
  if (!members) return false;
  for (const auto& [name, member] : *members) {
    if (!member.as_text()) return false;
    out->emplace(name, *member.as_text());
  }
  return true;
}

bool ReadAttributes(const Value& value, std::map<std::string, AttrValue>* out) {
  const Map* members = value.as_map();
  if (!members) return false;
  for (const auto& [name, member] : *members) {
    AttrValue& place = (*out)[std::string(name)];
    if (const bool* truth = member.as_bool()) {
      place = *truth;
    } else if (const int64_t* number = member.as_int()) {
      place = *number;
    } else if (const std::string_view* text = member.as_text()) {
      place = std::string(*text);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace parley::accounts
