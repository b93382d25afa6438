// The legacy parameters: the meaning of each comparison and action, and the faults for which they are
// rejected.
#include "storage/expressions/legacy.h"

#include <gtest/gtest.h>

#include "tests/storage/expressions/item_text.h"

namespace parley::storage {
namespace {

const std::string kInvalid = "One or more parameter values were invalid: ";

// `list`: the values as elements of a list.
LegacyComparison Comparison(std::string op, std::string_view list, std::string attribute = "a") {
  return {std::move(attribute), std::move(op), *ValueFrom(list).As<List>()};
}

std::string Result(const LegacyComparison& comparison, std::string_view item) {
  Condition condition;
  const Fault fault = ConditionOf(std::vector<LegacyComparison>{comparison}, false, &condition);
  return !fault.empty() ? fault : condition.Holds(ItemFrom(item)) ? "holds" : "does not";
}

struct LegacyRow {
  const char *op, *list, *item, *result;
};
void ExpectResults(const std::vector<LegacyRow>& rows) {
  for (const LegacyRow& row : rows)
    EXPECT_EQ(Result(Comparison(row.op, row.list), row.item), row.result)
        << row.op << row.list << " of " << row.item;
}

TEST(LegacyComparison, compares) {
  ExpectResults({{"EQ", "[1]", "a: 1.0", "holds"},
                 {"EQ", "[1]", "a: 2", "does not"},
                 {"EQ", "[1]", "", "does not"},
                 {"EQ", "[ss(\"x\", \"y\")]", "a: ss(\"y\", \"x\")", "holds"},
                 {"EQ", "[{b: 1}]", "a: {b: 1}", "holds"},
                 {"EQ", "[null]", "a: null", "holds"},
                 {"NE", "[1]", "a: 2", "holds"},
                 {"NE", "[1]", "a: \"1\"", "holds"},
                 {"NE", "[1]", "", "holds"},
                 {"NE", "[1]", "a: 1", "does not"},
                 {"LT", "[\"b\"]", "a: \"a\"", "holds"},
                 {"LT", "[1]", "a: 1", "does not"},
                 {"LT", "[1]", "a: \"0\"", "does not"},
                 {"LE", "[1]", "a: 1", "holds"},
                 {"LE", "[1]", "", "does not"},
                 {"GT", "[b\"a\"]", "a: b\"b\"", "holds"},
                 {"GT", "[1]", "a: 1", "does not"},
                 {"GE", "[1]", "a: 1", "holds"},
                 {"BETWEEN", "[1, 3]", "a: 3", "holds"},
                 {"BETWEEN", "[1, 3]", "a: 4", "does not"},
                 {"IN", "[1, 2]", "a: 2", "holds"},
                 {"IN", "[1, 2]", "a: 3", "does not"},
                 {"CONTAINS", "[\"ell\"]", "a: \"hello\"", "holds"},
                 {"CONTAINS", "[2]", "a: ns(1, 2)", "holds"},
                 {"CONTAINS", "[2]", "a: [1, 2]", "holds"},
                 {"CONTAINS", "[2]", "", "does not"},
                 {"NOT_CONTAINS", "[\"x\"]", "a: \"hello\"", "holds"},
                 {"NOT_CONTAINS", "[2]", "a: ns(1, 2)", "does not"},
                 {"NOT_CONTAINS", "[2]", "", "does not"},
                 {"BEGINS_WITH", "[\"he\"]", "a: \"hello\"", "holds"},
                 {"BEGINS_WITH", "[b\"he\"]", "a: \"hello\"", "does not"},
                 {"NULL", "[]", "", "holds"},
                 {"NULL", "[]", "a: null", "does not"},
                 {"NOT_NULL", "[]", "a: null", "holds"},
                 {"NOT_NULL", "[]", "", "does not"}});
}

TEST(LegacyComparison, is_refused_with_the_wrong_number_of_values) {
  for (const char* op :
       {"EQ", "NE", "LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", "IN", "BETWEEN"})
    EXPECT_EQ(Result(Comparison(op, "[]"), ""),
              kInvalid + "Invalid number of argument(s) for the " + op + " ComparisonOperator");
  for (const char* op :
       {"EQ", "NE", "LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", "NULL", "NOT_NULL"})
    EXPECT_EQ(Result(Comparison(op, "[\"a\", \"a\"]"), ""),
              kInvalid + "Invalid number of argument(s) for the " + op + " ComparisonOperator");
  LegacyComparison in{"a", "IN", std::vector<AttributeValue>(100, "x")};
  EXPECT_EQ(Result(in, "a: \"x\""), "holds");
  in.values.emplace_back("x");
  EXPECT_EQ(Result(in, ""), kInvalid + "Invalid number of argument(s) for the IN ComparisonOperator");
}

TEST(LegacyComparison, is_refused_with_values_of_wrong_types) {
  EXPECT_EQ(Result(Comparison("IN", "[\"a\", 1]"), ""),
            kInvalid + "AttributeValues inside AttributeValueList must be of same type");
  for (const char* op : {"LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "IN"})
    EXPECT_EQ(Result(Comparison(op, "[ss(\"a\")]"), ""),
              kInvalid + "ComparisonOperator " + op + " is not valid for SS AttributeValue type");
  EXPECT_EQ(Result(Comparison("BEGINS_WITH", "[1]"), ""),
            kInvalid + "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type");
  EXPECT_EQ(
      Result(Comparison("BETWEEN", "[2, 1]"), ""),
      "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
  EXPECT_EQ(Result(Comparison("LIKE", "[2]"), ""), kInvalid + "Unknown ComparisonOperator: LIKE");
  EXPECT_EQ(Result(Comparison("NULL", "[]", ""), ""),
            kInvalid + "An attribute name must have from 1 to 65535 bytes");
}

TEST(LegacyFilter, is_true_if_all_or_one_of_its_comparisons_are) {
  const std::vector<LegacyComparison> filter = {Comparison("EQ", "[1]", "a"), Comparison("EQ", "[2]", "b.c")};
  Condition all, any, none;
  ASSERT_EQ(ConditionOf(filter, false, &all), "");
  ASSERT_EQ(ConditionOf(filter, true, &any), "");
  ASSERT_EQ(ConditionOf(std::vector<LegacyComparison>{}, true, &none), "");
  EXPECT_FALSE(all.Holds(ItemFrom("a: 1")));
  EXPECT_TRUE(all.Holds(ItemFrom("a: 1, b.c: 2"))) << "names are not paths";
  EXPECT_TRUE(any.Holds(ItemFrom("b.c: 2")));
  EXPECT_FALSE(any.Holds(ItemFrom("b: {c: 2}")));
  EXPECT_TRUE(none.Holds({}));
  EXPECT_EQ(all.TopNames(), (std::vector<std::string>{"a", "b.c"}));
}

std::string ExpectedResult(const LegacyExpected& expected, std::string_view item) {
  Condition condition;
  const Fault fault = ConditionOf(std::vector<LegacyExpected>{expected}, false, &condition);
  return !fault.empty() ? fault : condition.Holds(ItemFrom(item)) ? "holds" : "does not";
}

TEST(LegacyExpected, is_a_value_or_existence_or_a_comparison) {
  const AttributeValue one = ValueFrom("1");
  EXPECT_EQ(ExpectedResult({"a", one, {}, {}, {}}, "a: 1"), "holds");
  EXPECT_EQ(ExpectedResult({"a", one, {}, {}, {}}, "a: 2"), "does not");
  EXPECT_EQ(ExpectedResult({"a", one, true, {}, {}}, "a: 1"), "holds");
  EXPECT_EQ(ExpectedResult({"a", {}, false, {}, {}}, ""), "holds");
  EXPECT_EQ(ExpectedResult({"a", {}, false, {}, {}}, "a: 1"), "does not");
  EXPECT_EQ(ExpectedResult({"a", one, {}, "GT", {}}, "a: 2"), "holds");
  EXPECT_EQ(ExpectedResult({"a", {}, {}, "GT", {one}}, "a: 1"), "does not");
  EXPECT_EQ(ExpectedResult({"a", {}, {}, "NOT_NULL", {}}, "a: 1"), "holds");
}

TEST(LegacyExpected, is_refused_in_other_forms) {
  const AttributeValue one = ValueFrom("1");
  const std::pair<LegacyExpected, const char*> kRows[] = {
      {{"a", one, {}, {}, {one}}, "Value and AttributeValueList cannot be used together for Attribute: a"},
      {{"a", {}, true, "EQ", {one}},
       "Exists and ComparisonOperator cannot be used together for Attribute: a"},
      {{"a", {}, {}, "LT", {}},
       "Value or AttributeValueList must be used with ComparisonOperator: LT for Attribute: a"},
      {{"a", {}, {}, "LT", {}, true}, "Invalid number of argument(s) for the LT ComparisonOperator"},
      {{"a", one, {}, "BETWEEN", {}}, "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
      {{"a", one, {}, "NULL", {}}, "Invalid number of argument(s) for the NULL ComparisonOperator"},
      {{"a", {}, {}, {}, {one}},
       "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
      {{"a", {}, {}, {}, {}}, "Value must be provided when Exists is null for Attribute: a"},
      {{"a", {}, true, {}, {}}, "Value must be provided when Exists is true for Attribute: a"},
      {{"a", one, false, {}, {}}, "Value cannot be used when Exists is false for Attribute: a"}};
  for (const auto& [expected, fault] : kRows) EXPECT_EQ(ExpectedResult(expected, ""), kInvalid + fault);
}

TEST(LegacyKeyConditions, are_those_that_keys_can_be_looked_up_by) {
  const KeySchema keys = {{"h", AttributeType::kString}, KeyAttribute{"r", AttributeType::kNumber}};
  const auto parsed = [&](std::vector<LegacyComparison> conditions) {
    KeyExpression expression;
    KeyCondition out;
    Fault fault = KeyExpressionOf(conditions, &expression);
    if (fault.empty()) fault = expression.Bind(keys, &out);
    return fault.empty() ? std::to_string(static_cast<int>(out.op)) : fault;
  };
  const LegacyComparison hash = Comparison("EQ", "[\"x\"]", "h");
  EXPECT_EQ(parsed({hash}), "0");
  EXPECT_EQ(parsed({Comparison("EQ", "[1]", "r"), hash}), "1");
  EXPECT_EQ(parsed({hash, Comparison("LT", "[1]", "r")}), "2");
  EXPECT_EQ(parsed({hash, Comparison("LE", "[1]", "r")}), "3");
  EXPECT_EQ(parsed({hash, Comparison("GT", "[1]", "r")}), "4");
  EXPECT_EQ(parsed({hash, Comparison("GE", "[1]", "r")}), "5");
  EXPECT_EQ(parsed({hash, Comparison("BETWEEN", "[1, 2]", "r")}), "6");
  EXPECT_EQ(parsed({}), "Conditions can be of length 1 or 2 only");
  EXPECT_EQ(parsed({hash, hash, hash}), "Conditions can be of length 1 or 2 only");
  EXPECT_EQ(parsed({Comparison("GT", "[\"x\"]", "h")}), "Query key condition not supported");
  EXPECT_EQ(parsed({hash, Comparison("EQ", "[1]", "x")}), "Query condition missed key schema element: r");
  EXPECT_EQ(parsed({Comparison("EQ", "[1]", "r")}), "Query condition missed key schema element: h");
  EXPECT_EQ(parsed({hash, Comparison("BEGINS_WITH", "[\"x\"]", "r")}),
            kInvalid + "Condition parameter type does not match schema type");
  for (const char* op : {"NE", "CONTAINS", "NOT_CONTAINS", "IN"})
    EXPECT_EQ(parsed({hash, Comparison(op, "[1]", "r")}),
              "Attempted conditional constraint is not an indexable operation");
  for (const char* op : {"NULL", "NOT_NULL"})
    EXPECT_EQ(parsed({hash, Comparison(op, "[]", "r")}),
              "Attempted conditional constraint is not an indexable operation");
}

std::string Updated(std::vector<LegacyUpdate> updates, std::string_view before) {
  Update update;
  Item item = ItemFrom(before);
  Fault fault = UpdateOf(updates, &update);
  if (fault.empty()) fault = update.Apply(&item);
  return fault.empty() ? TextOfItem(item) : fault;
}
LegacyUpdate Action(std::string action, std::string_view value) {
  return {"a", std::move(action),
          value.empty() ? std::optional<AttributeValue>() : std::optional(ValueFrom(value))};
}

TEST(LegacyUpdate, puts_adds_and_deletes) {
  EXPECT_EQ(Updated({Action("PUT", "{x: 1}")}, "a: 2, b: 3"), "a: {x: 1}, b: 3");
  EXPECT_EQ(Updated({{"a.b", "PUT", ValueFrom("1")}}, ""), "a.b: 1");
  EXPECT_EQ(Updated({Action("ADD", "5")}, "a: 2"), "a: 7");
  EXPECT_EQ(Updated({Action("ADD", "5")}, ""), "a: 5");
  EXPECT_EQ(Updated({Action("ADD", "ns(1)")}, "a: ns(2)"), "a: ns(1, 2)");
  EXPECT_EQ(Updated({Action("ADD", "[1, 2]")}, "a: [1]"), "a: [1, 1, 2]");
  EXPECT_EQ(Updated({Action("ADD", "[1]")}, ""), "a: [1]");
  EXPECT_EQ(Updated({Action("DELETE", "")}, "a: 2, b: 3"), "b: 3");
  EXPECT_EQ(Updated({Action("DELETE", "")}, "b: 3"), "b: 3");
  EXPECT_EQ(Updated({Action("DELETE", "ss(\"x\")")}, "a: ss(\"x\", \"y\")"), "a: ss(\"y\")");
  EXPECT_EQ(Updated({Action("DELETE", "ss(\"x\")")}, "a: ss(\"x\")"), "");
  EXPECT_EQ(Updated({Action("DELETE", "ss(\"x\")")}, ""), "");
  EXPECT_EQ(Updated({}, "a: 1"), "a: 1");
}

TEST(LegacyUpdate, is_refused_if_types_are_wrong) {
  for (const char* action : {"PUT", "ADD"})
    EXPECT_EQ(Updated({Action(action, "")}, ""),
              kInvalid + "Only DELETE action is allowed when no attribute value is specified");
  for (const char* value : {"\"x\"", "1", "b\"x\"", "null", "true", "{}", "[]"})
    EXPECT_TRUE(Updated({Action("DELETE", value)}, "")
                    .starts_with(kInvalid + "DELETE action with value is not supported for the type "))
        << value;
  for (const char* value : {"\"x\"", "b\"x\"", "null", "true", "{}"})
    EXPECT_TRUE(Updated({Action("ADD", value)}, "")
                    .starts_with(kInvalid + "ADD action is not supported for the type "))
        << value;
  EXPECT_EQ(Updated({Action("LOOK", "1")}, ""), kInvalid + "Unknown Action: LOOK");
  for (const char* before : {"a: \"x\"", "a: ns(1)", "a: [ss(\"x\")]"}) {
    EXPECT_EQ(Updated({Action("ADD", "ss(\"x\")")}, before), "Type mismatch for attribute to update");
    EXPECT_EQ(Updated({Action("DELETE", "ss(\"x\")")}, before), "Type mismatch for attribute to update");
  }
  EXPECT_EQ(Updated({Action("ADD", "1")}, "a: ns(1)"), "Type mismatch for attribute to update");
}

TEST(LegacyProjection, names_each_attribute_once) {
  ProjectionPaths paths;
  ASSERT_EQ(ProjectionOf({"b", "a.b"}, &paths), "");
  EXPECT_EQ(TextOfItem(paths.Of(ItemFrom("a: {b: 1}, a.b: 2, b: 3"))), "a.b: 2, b: 3");
  EXPECT_EQ(ProjectionOf({"a", "b", "a"}, &paths), kInvalid + "Duplicate value in attribute name: a");
}

}  // namespace
}  // namespace parley::storage
