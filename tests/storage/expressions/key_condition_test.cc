// Key conditions on a table with a hash key h (S) and a range key r (N or S), or only the former.
#include <gtest/gtest.h>

#include "tests/storage/expressions/item_text.h"
#include "tests/storage/expressions/key_condition_text.h"

namespace parley::storage {
namespace {

constexpr std::string_view kKeyNames = "#h: \"h\", #r: \"r\", #x: \"x\"";
constexpr std::string_view kKeyValues =
    ":h: \"H\", :g: \"G\", :1: 1, :2: 2, :a: \"a\", :b: \"b\", :bin: b\"b\", :l: [1]";

KeySchema Schema(AttributeType range) {
  return {{"h", AttributeType::kString}, KeyAttribute{"r", range}};
}
const KeySchema kNumber = Schema(AttributeType::kNumber);
const KeySchema kText = Schema(AttributeType::kString);
const KeySchema kHashOnly = {{"h", AttributeType::kString}, std::nullopt};

// Returns "H" and the condition on the range key, or the fault.
std::string Parsed(std::string_view text, const KeySchema& keys) {
  Placeholders given = Given(kKeyNames, kKeyValues);
  KeyCondition out;
  if (Fault fault = ParseKeyCondition(text, keys, &given, &out); !fault.empty()) return fault;
  static constexpr const char* kOps[] = {"", "=", "<", "<=", ">", ">=", "between", "begins"};
  Item shown{{"hash", out.hash}};
  if (out.op != KeyCondition::Op::kNone) shown.Set(kOps[static_cast<size_t>(out.op)], out.low);
  if (out.op == KeyCondition::Op::kBetween) shown.Set("high", out.high);
  if (!out.more_hash.empty()) shown.Set("more", List(out.more_hash));
  if (!out.equal.empty()) shown.Set("equal", List(out.equal));
  return TextOfItem(shown);
}

struct KeyConditionRow {
  const char* expression;
  const char* expected;
};
void ExpectParsed(const KeySchema& keys, const std::vector<KeyConditionRow>& rows) {
  for (const KeyConditionRow& row : rows)
    EXPECT_EQ(Parsed(row.expression, keys), row.expected) << row.expression;
}

TEST(KeyCondition, is_the_hash_key_and_at_most_one_condition_on_the_range_key) {
  ExpectParsed(kNumber, {{"h = :h", "hash: \"H\""},
                         {"#h = :h", "hash: \"H\""},
                         {":h = h", "hash: \"H\""},
                         {"h = :h AND r = :1", "=: 1, hash: \"H\""},
                         {"r = :1 AND h = :h", "=: 1, hash: \"H\""},
                         {"h = :h AND r < :1", "<: 1, hash: \"H\""},
                         {"h = :h AND r <= :1", "<=: 1, hash: \"H\""},
                         {"h = :h AND r > :1", ">: 1, hash: \"H\""},
                         {"h = :h AND r >= :1", ">=: 1, hash: \"H\""},
                         {"h = :h AND :1 < r", ">: 1, hash: \"H\""},
                         {"h = :h AND :1 >= r", "<=: 1, hash: \"H\""},
                         {"h = :h AND r BETWEEN :1 AND :2", "between: 1, hash: \"H\", high: 2"},
                         {"h = :h AND (r BETWEEN :1 AND :2)", "between: 1, hash: \"H\", high: 2"},
                         {"r BETWEEN :1 AND :2 AND h = :h", "between: 1, hash: \"H\", high: 2"},
                         {"(h = :h) and (#r = :1)", "=: 1, hash: \"H\""},
                         {"(h = :h AND (r = :1))", "=: 1, hash: \"H\""},
                         {"(h) = (:h)", "hash: \"H\""}});
  ExpectParsed(kText, {{"h = :h AND begins_with(r, :a)", "begins: \"a\", hash: \"H\""},
                       {"begins_with(#r, :a) AND h = :h", "begins: \"a\", hash: \"H\""}});
  ExpectParsed(kHashOnly, {{"h = :h", "hash: \"H\""}});
}

TEST(KeyCondition, is_refused_with_no_key_or_too_many) {
  ExpectParsed(
      kNumber,
      {{"r = :1", "Query condition missed key schema element: h"},
       {"x = :h", "Query condition missed key schema element: h"},
       {"x = :h AND r = :1", "Query condition missed key schema element: h"},
       {"h = :h AND x = :1", "Query condition missed key schema element: r"},
       {"h = :h AND r = :1 AND x = :2", "Conditions can be of length 1 or 2 only"},
       {"h = :h AND r > :1 AND r < :2", "KeyConditionExpressions must only contain one condition per key"},
       {"h = :h AND h = :g", "KeyConditionExpressions must only contain one condition per key"}});
  ExpectParsed(kHashOnly, {{"h = :h AND r = :1", "Query key condition not supported"}});
}

TEST(KeyCondition, is_refused_if_it_cannot_find_keys) {
  constexpr const char* kType =
      "One or more parameter values were invalid: Condition parameter type does not match schema type";
  ExpectParsed(kNumber, {{"h > :h", "Query key condition not supported"},
                         {":h > h", "Query key condition not supported"},
                         {"begins_with(h, :h)", "Query key condition not supported"},
                         {"h BETWEEN :g AND :h", "Query key condition not supported"},
                         {"h = :1", kType},
                         {"h = :h AND r = :a", kType},
                         {"h = :h AND begins_with(r, :a)", kType},
                         {"h = :h AND r = :l", kType}});
}

TEST(KeyCondition, is_refused_in_the_words_for_its_form) {
  const std::string kOperator = "Invalid operator used in KeyConditionExpression: ";
  const std::string kCondition = "Invalid condition in KeyConditionExpression: ";
  ExpectParsed(
      kNumber,
      {{"h = :h OR r = :1", (kOperator + "OR").c_str()},
       {"NOT h = :h", (kOperator + "NOT").c_str()},
       {"h <> :h", (kOperator + "<>").c_str()},
       {"h IN (:h)", (kOperator + "IN").c_str()},
       {"attribute_exists(h)", (kOperator + "attribute_exists").c_str()},
       {"contains(h.x, :h)", (kOperator + "contains").c_str()},
       {"h = :h AND attribute_not_exists(r)", (kOperator + "attribute_not_exists").c_str()},
       {"size(h) > x", "KeyConditionExpressions cannot contain nested operations"},
       {"h > size(h.x)", "KeyConditionExpressions cannot contain nested operations"},
       {"h BETWEEN size(r) AND size(x)", "KeyConditionExpressions cannot contain nested operations"},
       {"h BETWEEN r AND size(x)", (kCondition + "Multiple attribute names used in one condition").c_str()},
       {"h > r.x", (kCondition + "Multiple attribute names used in one condition").c_str()},
       {"begins_with(h, r)", (kCondition + "Multiple attribute names used in one condition").c_str()},
       {"h.x = :h", "KeyConditionExpressions cannot have conditions on nested attributes"},
       {"h[0] = :h", "KeyConditionExpressions cannot have conditions on nested attributes"},
       {":1 = :2", (kCondition + "No key attribute specified").c_str()},
       {":1 BETWEEN h AND r",
        (kCondition + "BETWEEN operator must have the key attribute as its first operand").c_str()},
       {"begins_with(:h, h)",
        (kCondition + "begins_with operator must have the key attribute as its first operand").c_str()}});
}

TEST(KeyCondition, is_refused_as_a_condition_is) {
  const std::string kInvalid = "Invalid KeyConditionExpression: ";
  ExpectParsed(
      kNumber,
      {{"", (kInvalid + "The expression can not be empty;").c_str()},
       {"h = ", (kInvalid + "Syntax error; token: \"<EOF>\", near: \"=\"").c_str()},
       {"(size(h))[0] > a", (kInvalid + "Syntax error; token: \"[\", near: \")[0\"").c_str()},
       {"h = :gone",
        (kInvalid + "An expression attribute value used in expression is not defined; attribute value: :gone")
            .c_str()},
       {"h = :h AND r BETWEEN :2 AND :1",
        (kInvalid +
         "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound "
         "operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}")
            .c_str()},
       {"h = :h AND r BETWEEN :1 AND :a",
        (kInvalid +
         "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: "
         "AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}")
            .c_str()},
       {"h = :h AND begins_with(r, :1)",
        (kInvalid + "Incorrect operand type for operator or function; operator or function: begins_with, "
                    "operand type: N")
            .c_str()}});
}

KeySchema Several() {
  KeySchema out{{"h", AttributeType::kString}, KeyAttribute{"r", AttributeType::kString}};
  out.more_hash = {{"i", AttributeType::kString}};
  out.more_range = {{"s", AttributeType::kNumber}, {"t", AttributeType::kString}};
  return out;
}

TEST(KeyCondition, of_several_attributes_names_the_whole_partition_key_and_the_sort_key_from_left_to_right) {
  ExpectParsed(Several(),
               {{"h = :h AND i = :g", R"(hash: "H", more: ["G"])"},
                {"i = :g AND h = :h", R"(hash: "H", more: ["G"])"},
                {"h = :h AND i = :g AND r = :a", R"(=: "a", hash: "H", more: ["G"])"},
                {"h = :h AND i = :g AND begins_with(r, :a)", R"(begins: "a", hash: "H", more: ["G"])"},
                {"h = :h AND i = :g AND r = :a AND s < :1", R"(<: 1, equal: ["a"], hash: "H", more: ["G"])"},
                {"s BETWEEN :1 AND :2 AND r = :a AND i = :g AND h = :h",
                 R"(between: 1, equal: ["a"], hash: "H", high: 2, more: ["G"])"},
                {"h = :h AND i = :g AND r = :a AND s = :1 AND t >= :b",
                 R"(>=: "b", equal: ["a", 1], hash: "H", more: ["G"])"},
                {"h = :h AND i = :g AND r = :a AND s = :1 AND t = :b",
                 R"(=: "b", equal: ["a", 1], hash: "H", more: ["G"])"}});
}

TEST(KeyCondition, of_several_attributes_has_no_gap_and_one_range_at_its_end) {
  ExpectParsed(
      Several(),
      {{"h = :h", "Query condition missed key schema element: i"},
       {"i = :g", "Query condition missed key schema element: h"},
       {"h = :h AND r = :a", "Query condition missed key schema element: i"},
       {"h = :h AND i > :g", "Query key condition not supported"},
       {"h = :h AND i = :1",
        "One or more parameter values were invalid: Condition parameter type does not match schema type"},
       {"h = :h AND i = :g AND s = :1", "Query condition missed key schema element: r"},
       {"h = :h AND i = :g AND r = :a AND t = :b", "Query condition missed key schema element: s"},
       {"h = :h AND i = :g AND r > :a AND s = :1", "Query key condition not supported"},
       {"h = :h AND i = :g AND r = :a AND s > :1 AND t = :b", "Query key condition not supported"},
       {"h = :h AND i = :g AND r = :a AND x = :1", "Query condition missed key schema element: s"},
       {"h = :h AND i = :g AND r = :a AND s = :1 AND t = :b AND x = :1",
        "Query key condition not supported"}});
}

TEST(KeyCondition, is_refused_in_steps_so_that_other_faults_can_come_between) {
  Placeholders given = Given("", ":h: \"H\", :1: 1");
  KeyExpression expression;
  ASSERT_EQ(expression.Parse("h <> :h AND x = :1", &given), "");
  EXPECT_EQ(given.UnusedFault(), "");
  EXPECT_EQ(expression.Compile(), "Invalid operator used in KeyConditionExpression: <>");
  ASSERT_EQ(expression.Parse("h = :h AND x = :1", &given), "");
  ASSERT_EQ(expression.Compile(), "");
  KeyCondition out;
  EXPECT_EQ(expression.Bind(kNumber, &out), "Query condition missed key schema element: r");
  EXPECT_EQ(expression.Bind(kHashOnly, &out), "Query key condition not supported");
}

}  // namespace
}  // namespace parley::storage
