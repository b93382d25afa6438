#include "ctl/hide.h"

#include <algorithm>

namespace parley::ctl {
namespace {

constexpr std::string_view kHidden = "(text)";
constexpr std::string_view kOurs[] = {
    "pk",     "sk",      "kind",       "type",     "status",   "state",       "role",  "roleContext", "event",
    "folder", "changed", "moderation", "severity", "currency", "contentType", "level", "op",          "tab"};
constexpr std::string_view kOurEndings[] = {"Id", "Ids", "At", "By", "Until"};

bool IsOurName(std::string_view name) {
  const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
  return std::find(std::begin(kOurs), std::end(kOurs), name) != std::end(kOurs) ||
         std::any_of(std::begin(kOurEndings), std::end(kOurEndings), ends);
}

void Hide(std::string_view name, protocol::Value* value) {
  if (const std::string_view* text = value->as_text()) {
    if (!text->empty() && !IsOurName(name)) *value = protocol::Value(kHidden);
  } else if (protocol::Array* all = value->as_array()) {
    for (protocol::Value& one : *all) Hide(name, &one);
  } else if (protocol::Map* members = value->as_map()) {
    for (auto& [member, one] : *members) Hide(member, &one);
  }
}

}  // namespace

void HideText(protocol::Value* value) {
  Hide({}, value);
}

}  // namespace parley::ctl
