#include "tests/protocol/filled_support.h"

#include <nlohmann/json.hpp>

#include "protocol/writer.h"

namespace parley::tests {
namespace {

using nlohmann::json;
using protocol::Value;
using protocol::Writer;

const json& Rules() {
  static const json rules = json::parse(CompactRulesText());
  return rules;
}

json TreeOf(const Value& value) {
  Writer w;
  w.Put(value);
  return json::parse(protocol::MsgpackToJson(w.bytes()));
}

// `frame`: the event that contains the item, or null.
void Fill(json* item, const std::string& name, const json& frame) {
  for (const auto& [field, rule] : Rules()["items"][name].items()) {
    const bool reported = rule.contains("frame") && frame.is_object();
    if (!item->contains(field)) {
      if (reported && frame.contains(field)) {
        (*item)[field] = frame[field];
      } else if (rule.contains("default")) {
        (*item)[field] = rule["default"];
      }
    }
    if (!rule.contains("of") || !item->contains(field)) continue;
    json& within = (*item)[field];
    if (within.is_object()) Fill(&within, rule["of"], nullptr);
    if (!within.is_array()) continue;
    for (json& one : within) Fill(&one, rule["of"], nullptr);
  }
}

std::string NameOfKind(const std::string& kind) {
  for (const auto& [event, reported] : Rules()["events"].items()) {
    if (event.starts_with(kind + ".") && reported.contains("item")) return reported["item"];
  }
  return kind;
}

void FillEvent(json* event) {
  const std::string ev = (*event)["ev"];
  if (!Rules()["events"].contains(ev)) return;
  for (const auto& [place, name] : Rules()["events"][ev].items()) {
    if (event->contains(place)) Fill(&(*event)[place], name, *event);
  }
  if (ev == "message.created" && !event->contains("at")) (*event)["at"] = (*event)["item"]["createdAt"];
}

void FillReply(json* ok, const std::string& op) {
  if (!Rules()["replies"].contains(op)) return;
  for (const auto& [list, name] : Rules()["replies"][op].items()) {
    if (!ok->contains(list)) continue;
    for (json& one : (*ok)[list]) {
      if (name == "Change") {
        Fill(&one["item"], NameOfKind(one["kind"]), nullptr);
      } else {
        Fill(&one, name, nullptr);
      }
    }
  }
}

std::string MsgpackOf(const json& tree) {
  protocol::Document document;
  protocol::DecodeLimits limits;
  limits.max_bytes = size_t{64} << 20;
  limits.max_values = size_t{1} << 24;
  if (protocol::DecodeJson(tree.dump(), limits, &document)) return {};
  Writer w;
  w.Put(document.root);
  return w.Take();
}

}  // namespace

std::string Filled(const Value& frame, std::string_view op) {
  json tree = TreeOf(frame);
  if (tree.contains("ev")) FillEvent(&tree);
  if (tree.contains("ok")) FillReply(&tree["ok"], std::string(op));
  return MsgpackOf(tree);
}

std::string FilledItem(const Value& item, std::string_view name) {
  json tree = TreeOf(item);
  Fill(&tree, std::string(name), nullptr);
  return MsgpackOf(tree);
}

std::string Sorted(const Value& value) {
  return TreeOf(value).dump();
}

}  // namespace parley::tests
