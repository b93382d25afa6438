// Expressions: parsing any text never crashes and is unambiguous, and an expression that parses evaluates on
// any item. The input is an item as its bytes in a row (length first), then a line for each kind of
// expression.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "storage/expressions/expressions.h"
#include "storage/items/item_codec.h"
#include "tests/storage/expressions/key_condition_text.h"

namespace {

using namespace parley::storage;

void Expect(bool holds) {
  if (!holds) std::abort();
}

template <class T>
SetOf<T> OneOf(T element) {
  return {{std::move(element)}};
}

// Names and values of every kind: placeholders of one letter are always given.
Placeholders Everything() {
  Placeholders out;
  Placeholders::Names names;
  for (const char* name : {"a", "b", "c", "d", "e"}) names["#" + std::string(name)] = name;
  Expect(out.SetNames(std::move(names)).empty());
  Expect(out.SetValues({{":a", "text"},
                        {":b", Number::Of(7)},
                        {":c", Binary{"bytes"}},
                        {":d", AttributeValue::OfBool(true)},
                        {":e", AttributeValue()},
                        {":f", List{"x", Number::Of(1)}},
                        {":g", Item{{"a", "x"}}},
                        {":h", OneOf<std::string>("x")},
                        {":i", OneOf(Number::Of(1))},
                        {":j", OneOf(Binary{"x"})},
                        {":k", "S"}})
             .empty());
  return out;
}

std::string_view TakeLine(std::string_view* text) {
  const std::string_view line = text->substr(0, text->find('\n'));
  text->remove_prefix(std::min(line.size() + 1, text->size()));
  return line;
}

void TryCondition(std::string_view text, const Item& item) {
  Placeholders given = Everything();
  Condition condition;
  if (!ParseCondition("FilterExpression", text, &given, &condition).empty()) return;
  const std::string denied = "NOT (" + std::string(text) + ")";
  (void)condition.TopNames();
  Condition opposite;
  // If NOT still fits and its parentheses are not redundant, NOT of the condition is its opposite.
  if (ParseCondition("FilterExpression", denied, &given, &opposite).empty())
    Expect(opposite.Holds(item) != condition.Holds(item));
}

void TryUpdate(std::string_view text, const Item& item) {
  Placeholders given = Everything();
  Update update;
  if (!ParseUpdate(text, &given, &update).empty()) return;
  Item changed = item;
  if (!update.Apply(&changed).empty()) Expect(changed == item);
  Item stored;
  Expect(DecodeItem(EncodeItem(changed), &stored) && stored == changed);
  // An update changes only the attributes that it names.
  Item left = item, right = changed;
  for (const std::string& name : update.TopNames()) {
    left.Erase(name);
    right.Erase(name);
  }
  Expect(left == right);
  (void)update.Touched(changed);
}

void TryProjection(std::string_view text, const Item& item) {
  Placeholders given = Everything();
  ProjectionPaths paths;
  if (!ParseProjection(text, &given, &paths).empty()) return;
  const Item part = paths.Of(item);
  Expect(ItemSize(part) <= ItemSize(item));
  for (const auto& [name, value] : part) Expect(item.Has(name));
}

void TryKeyCondition(std::string_view text) {
  Placeholders given = Everything();
  KeyCondition out;
  const KeySchema keys = {{"a", AttributeType::kString}, KeyAttribute{"b", AttributeType::kNumber}};
  if (!ParseKeyCondition(text, keys, &given, &out).empty()) return;
  Expect(out.hash.type() == AttributeType::kString);
  Expect(out.op == KeyCondition::Op::kNone || out.low.type() == AttributeType::kNumber);
  Expect(out.more_hash.empty() && out.equal.empty());
}

// The same for a key of several attributes.
void TrySeveralKeys(std::string_view text) {
  Placeholders given = Everything();
  KeyCondition out;
  KeySchema keys = {{"a", AttributeType::kString}, KeyAttribute{"b", AttributeType::kNumber}};
  keys.more_hash = {{"c", AttributeType::kBinary}};
  keys.more_range = {{"d", AttributeType::kString}, {"e", AttributeType::kNumber}};
  if (!ParseKeyCondition(text, keys, &given, &out).empty()) return;
  Expect(out.more_hash.size() == 1 && out.more_hash[0].type() == AttributeType::kBinary);
  Expect(out.equal.size() < 3 && (out.equal.empty() || out.op != KeyCondition::Op::kNone));
  if (!out.equal.empty()) Expect(out.equal[0].type() == AttributeType::kNumber);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  if (rest.empty()) return 0;
  const std::string_view bytes = rest.substr(1, data[0]);
  rest.remove_prefix(1 + bytes.size());
  Item item;
  if (!DecodeItem(bytes, &item)) item = {{"a", "text"}, {"b", List{"x"}}, {"c", Item{{"d", Number::Of(1)}}}};
  TryCondition(TakeLine(&rest), item);
  TryUpdate(TakeLine(&rest), item);
  TryProjection(TakeLine(&rest), item);
  const std::string_view key = TakeLine(&rest);
  TryKeyCondition(key);
  TrySeveralKeys(key);
  return 0;
}
