// Random tokens: no text makes a parser crash, and expressions that parse are evaluated on random items.
#include <gtest/gtest.h>

#include <random>

#include "tests/storage/expressions/item_text.h"
#include "tests/storage/expressions/key_condition_text.h"

namespace parley::storage {
namespace {

constexpr std::string_view kItem =
    "a: 1, b: \"text\", c: [1, [2], {a: 3}], d: {a: {b: [1, 2]}, b: ss(\"x\", \"y\")}, e: ns(1, 2), f: null";

class Soup {
 public:
  explicit Soup(uint32_t seed) : random_(seed) {}

  std::string Tokens() {
    std::string out;
    for (size_t i = Below(24); i > 0; --i) out += Token() + (Below(4) == 0 ? "" : " ");
    return out;
  }
  // Well formed unless the random operands do not fit each other.
  std::string Condition(int depth = 0) {
    switch (depth > 4 ? 0 : Below(7)) {
      case 0:
        return Operand() + Pick({"=", "<>", "<", "<=", ">", ">="}) + Operand();
      case 1:
        return "(" + Condition(depth + 1) + Pick({" AND ", " OR "}) + Condition(depth + 1) + ")";
      case 2:
        return "NOT " + Condition(depth + 1);
      case 3:
        return Operand() + " BETWEEN " + Operand() + " AND " + Operand();
      case 4:
        return Operand() + " IN (" + Operand() + "," + Operand() + ")";
      case 5:
        return Pick({"attribute_exists", "attribute_not_exists"}) + "(" + Path() + ")";
      default:
        return Pick({"begins_with", "contains", "attribute_type"}) + "(" + Operand() + "," + Operand() + ")";
    }
  }
  std::string Update() {
    std::string out = "SET " + Path() + " = " + Sum();
    if (Below(2)) out += " REMOVE " + Path() + ", " + Path();
    if (Below(2)) out += " ADD " + Path() + " " + Value();
    if (Below(2)) out += " DELETE " + Path() + " " + Value();
    return out;
  }

 private:
  size_t Below(size_t end) { return random_() % end; }
  std::string Pick(std::initializer_list<const char*> from) { return from.begin()[Below(from.size())]; }
  std::string Token() {
    return Pick({"a",
                 "b",
                 "#n",
                 ":n",
                 ":s",
                 ":l",
                 ":set",
                 "(",
                 ")",
                 "[",
                 "]",
                 ".",
                 ",",
                 "=",
                 "<>",
                 "<",
                 ">=",
                 "+",
                 "-",
                 "AND",
                 "OR",
                 "NOT",
                 "BETWEEN",
                 "IN",
                 "SET",
                 "REMOVE",
                 "DELETE",
                 "ADD",
                 "size",
                 "7",
                 "list_append",
                 "contains",
                 "attribute_exists",
                 "if_not_exists",
                 "#",
                 ":",
                 "!",
                 "\xc3\xbc",
                 "\xff",
                 "name",
                 "_"});
  }
  std::string Path() {
    std::string out = Pick({"a", "b", "c", "d", "e", "f", "#n", "gone"});
    while (Below(3) == 0) out += Pick({".a", ".b", "[0]", "[1]", "[2]", "[9]"});
    return out;
  }
  std::string Value() { return Pick({":n", ":s", ":l", ":set", ":m", ":S"}); }
  std::string Operand() {
    switch (Below(5)) {
      case 0:
        return Value();
      case 1:
        return "size(" + Path() + ")";
      default:
        return Path();
    }
  }
  std::string Sum() {
    switch (Below(5)) {
      case 0:
        return Path() + Pick({"+", "-"}) + Value();
      case 1:
        return "list_append(" + Path() + ", " + Value() + ")";
      case 2:
        return "if_not_exists(" + Path() + ", " + Value() + ")";
      case 3:
        return Path();
      default:
        return Value();
    }
  }

  std::mt19937 random_;
};

Placeholders Everything() {
  return Given("#n: \"a\"", ":n: 1, :s: \"x\", :l: [1], :set: ss(\"x\"), :m: {a: 1}, :S: \"S\"");
}

TEST(TokenSoup, crashes_no_parser_and_gets_a_message_for_each_fault) {
  Soup soup(1);
  for (int i = 0; i < 6'000; ++i) {
    const std::string text = soup.Tokens();
    SCOPED_TRACE(text);
    Placeholders given = Everything();
    Condition condition;
    Update update;
    ProjectionPaths paths;
    KeyCondition key;
    const Fault faults[] = {
        ParseCondition("FilterExpression", text, &given, &condition), ParseUpdate(text, &given, &update),
        ParseProjection(text, &given, &paths),
        ParseKeyCondition(text, {{"a", AttributeType::kNumber}, std::nullopt}, &given, &key)};
    // No text is valid in two grammars, except a name alone, which is a projection.
    EXPECT_LE(std::count(std::begin(faults), std::begin(faults) + 3, ""), 1);
    if (text.find_first_not_of(' ') == std::string::npos) continue;
    for (const Fault& fault : faults) EXPECT_TRUE(fault.empty() || fault.size() > 20) << fault;
  }
}

TEST(TokenSoup, conditions_are_the_opposite_of_their_denial) {
  Soup soup(2);
  const Item item = ItemFrom(kItem);
  int parsed = 0, held = 0;
  for (int i = 0; i < 6'000; ++i) {
    const std::string text = soup.Condition();
    Placeholders given = Everything();
    Condition condition, denied;
    if (!ParseCondition("FilterExpression", text, &given, &condition).empty()) continue;
    ++parsed;
    held += condition.Holds(item) ? 1 : 0;
    if (text.starts_with("(")) continue;  // its parentheses would be redundant
    ASSERT_EQ(ParseCondition("FilterExpression", "NOT (" + text + ")", &given, &denied), "") << text;
    EXPECT_NE(condition.Holds(item), denied.Holds(item)) << text;
  }
  EXPECT_GT(parsed, 1000);
  EXPECT_GT(held, 100);
}

TEST(TokenSoup, updates_change_the_named_attributes_or_nothing) {
  Soup soup(3);
  const Item item = ItemFrom(kItem);
  int applied = 0;
  for (int i = 0; i < 6'000; ++i) {
    const std::string text = soup.Update();
    SCOPED_TRACE(text);
    Placeholders given = Everything();
    Update update;
    if (!ParseUpdate(text, &given, &update).empty()) continue;
    Item changed = item;
    if (update.Apply(&changed).empty()) {
      ++applied;
    } else {
      ASSERT_EQ(changed, item);
    }
    Item before = item;
    for (const std::string& name : update.TopNames()) {
      before.Erase(name);
      changed.Erase(name);
    }
    ASSERT_EQ(before, changed);
  }
  EXPECT_GT(applied, 100);
}

}  // namespace
}  // namespace parley::storage
