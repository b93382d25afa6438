#include "features/events/payload.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "protocol/base/json_text.h"
#include "protocol/base/reason.h"

namespace parley::features {

using protocol::Error;
using storage::AttributeValue;
using storage::Item;

namespace {

// Builds the map from the parser's events. A finished container is added to its parent.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return Add(AttributeValue()); }
  bool boolean(bool value) override { return Add(AttributeValue::OfBool(value)); }
  bool number_integer(number_integer_t value) override { return Add(AttributeValue::OfInt(value)); }
  bool number_unsigned(number_unsigned_t value) override { return AddNumber(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { return AddNumber(text); }
  bool string(string_t& value) override { return Add(AttributeValue(std::move(value))); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return Open(true); }
  bool start_array(size_t) override { return !open_.empty() && Open(false); }
  bool key(string_t& name) override {
    open_.back().name = std::move(name);
    return true;
  }
  bool end_object() override {
    Item map = Item::Of(std::move(open_.back().members));
    open_.pop_back();
    if (!open_.empty()) return Add(AttributeValue(std::move(map)));
    root_ = std::move(map);
    return true;
  }
  bool end_array() override {
    storage::List list = std::move(open_.back().elements);
    open_.pop_back();
    return Add(AttributeValue(std::move(list)));
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

  std::optional<Item>& root() { return root_; }
  const std::string& why() const { return why_; }

 private:
  struct Level {
    bool is_map;
    std::string name;
    std::vector<Item::Member> members;
    storage::List elements;
  };

  bool Open(bool is_map) {
    if (open_.size() == storage::kNestingMax) return Refuse("is nested too deeply");
    open_.push_back({is_map, {}, {}, {}});
    return true;
  }
  bool AddNumber(const std::string& text) {
    storage::Number number;
    if (storage::Number::Parse(text, &number) != storage::NumberFault::kNone)
      return Refuse("holds a number of more than 38 digits, or beyond 1E126");
    return Add(number);
  }
  bool Add(AttributeValue value) {
    if (open_.empty()) return false;
    Level& level = open_.back();
    if (level.is_map) {
      level.members.emplace_back(std::move(level.name), std::move(value));
    } else {
      level.elements.push_back(std::move(value));
    }
    return true;
  }
  bool Refuse(std::string why) {
    why_ = std::move(why);
    return false;
  }

  std::vector<Level> open_;
  std::optional<Item> root_;
  std::string why_;
};

template <class Members, class Append>
void AppendJoined(char begin, char end, const Members& members, std::string* out, const Append& append) {
  *out += begin;
  bool first = true;
  for (const auto& member : members) {
    if (!first) *out += ',';
    first = false;
    append(member);
  }
  *out += end;
}

}  // namespace

bool IsJsonObject(std::string_view json) {
  const size_t first = json.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && json[first] == '{' && nlohmann::json::accept(json);
}

protocol::Result<Item> PayloadFromJson(std::string_view json) {
  if (json.size() > kPayloadBytesMax)
    return ErrorFor(protocol::Reason::kRequestTooLarge, "an event has at most 262144 bytes");
  Builder builder;
  const bool is_sound = nlohmann::json::sax_parse(json, &builder);
  if (auto& root = builder.root(); is_sound && root) return *std::move(root);
  return Error::BadRequest(builder.why().empty() ? "an event is a JSON object"
                                                 : "the event " + builder.why());
}

void AppendJson(const Item& map, std::string* out) {
  AppendJoined('{', '}', map, out, [out](const Item::Member& member) {
    protocol::AppendJsonText(member.first, out);
    *out += ':';
    AppendJson(member.second, out);
  });
}

void AppendJson(const AttributeValue& value, std::string* out) {
  if (const std::string* text = value.text()) return protocol::AppendJsonText(*text, out);
  if (const storage::Number* number = value.number()) {
    *out += number->ToText();
  } else if (const bool* flag = value.As<bool>()) {
    *out += *flag ? "true" : "false";
  } else if (const Item* map = value.As<Item>()) {
    AppendJson(*map, out);
  } else if (const storage::List* list = value.As<storage::List>()) {
    AppendJoined('[', ']', *list, out, [out](const AttributeValue& element) { AppendJson(element, out); });
  } else {
    *out += "null";
  }
}

}  // namespace parley::features
