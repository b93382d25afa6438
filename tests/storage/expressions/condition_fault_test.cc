// The faults for which conditions are rejected, word by word.
#include <gtest/gtest.h>

#include "tests/storage/expressions/item_text.h"

namespace parley::storage {
namespace {

struct ConditionFaultRow {
  const char* expression;
  const char* fault;
};

// The rows give each fault without the beginning that all share.
void ExpectConditionFaults(const char* begin, const std::vector<ConditionFaultRow>& rows,
                           std::string_view values = "") {
  for (const ConditionFaultRow& row : rows) {
    EXPECT_EQ(ConditionFault(row.expression, values),
              std::string("Invalid ConditionExpression: ") + begin + row.fault)
        << row.expression;
  }
}

TEST(ConditionFault, names_the_token_and_its_neighbours) {
  ExpectConditionFaults("Syntax error; token: ", {
                                                     {" ", "\"<EOF>\", near: \"\""},
                                                     {"a", "\"<EOF>\", near: \"a\""},
                                                     {"a AND b = c", "\"AND\", near: \"a AND b\""},
                                                     {"a = ", "\"<EOF>\", near: \"=\""},
                                                     {"a = = b", "\"=\", near: \"= = b\""},
                                                     {"a-b", "\"-\", near: \"a-b\""},
                                                     {"ADD a :i", "\"ADD\", near: \"ADD a\""},
                                                     {"!!", "\"!\", near: \"!!\""},
                                                     {"a > 4", "\"4\", near: \"> 4\""},
                                                     {"attribute_type()", "\")\", near: \"()\""},
                                                     {"a[abc].b = c", "\"abc\", near: \"[abc]\""},
                                                     {"a[-1] = c", "\"-\", near: \"[-1\""},
                                                     {"#list[].a = c", "\"]\", near: \"[].\""},
                                                 });
}

TEST(ConditionFault, finds_every_way_to_write_it_wrong) {
  for (const char* expression : {"things are not ok",
                                 "attribute_exists(Pictures-RearView)",
                                 "attribute_exists(\"Pictures.RearView\")",
                                 "attribute_exists(Pictures..RearView)",
                                 "attribute_exists(Pi#ctures.RearView)",
                                 "attribute_exists(asdf[a])",
                                 "a in b, c",
                                 "a > between",
                                 "a in b",
                                 "a in (b,c,)",
                                 "a in ()",
                                 "(a)between(b.(c.d))and(c)",
                                 "(a)between(b.c.d)and((c)",
                                 "#$.b > a",
                                 "a > :things.stuff",
                                 "b[:a] > a",
                                 "b[#_] > a",
                                 "ü > a",
                                 "(a)between(b.c[4.5].#d)and(:a)",
                                 "size(a).b > a",
                                 "(size(a)).b > a",
                                 "size(a)[0] > a",
                                 "(size(a))[0] > a",
                                 "_a = b",
                                 "a = _b",
                                 "1a = b",
                                 "a = b c",
                                 "a = b)",
                                 "(a = b",
                                 "(a = b))",
                                 "NOT",
                                 "NOT a",
                                 "(NOT a)",
                                 "a = NOT b",
                                 "a = b AND",
                                 "AND a = b",
                                 "a = b OR OR c = d",
                                 "(a) AND b = c",
                                 "(a)",
                                 "((a))",
                                 ":a",
                                 "(:a)",
                                 "a = (b = c)",
                                 "(a = b) = c",
                                 "(a AND b = c)",
                                 "a BETWEEN b",
                                 "a BETWEEN b OR c",
                                 "a BETWEEN (b AND c)",
                                 "a b",
                                 "a(b",
                                 "a()",
                                 ".a = b",
                                 "a. = b",
                                 "a[1 = b",
                                 "a = #",
                                 "a = :",
                                 "# = a",
                                 "a = b;",
                                 "a == b",
                                 "a != b",
                                 "a <",
                                 "<> a",
                                 "size(a) size(b)",
                                 "set = a",
                                 "a.in = b",
                                 "a.set = b",
                                 "[0] = a",
                                 "a, b",
                                 "contains(a b)",
                                 "contains(a,)",
                                 "a = b + c",
                                 "a = b - c"}) {
    EXPECT_TRUE(ConditionFault(expression).starts_with("Invalid ConditionExpression: Syntax error; token: "))
        << expression << ": " << ConditionFault(expression);
  }
}

TEST(ConditionFault, is_the_size_before_the_syntax) {
  EXPECT_EQ(ConditionFault(""), "Invalid ConditionExpression: The expression can not be empty;");
  EXPECT_EQ(ConditionFault(std::string(4097, '(')),
            "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size; expression "
            "size: 4097");
  EXPECT_EQ(ConditionFault("a = b" + std::string(4091, ' ')), "");
}

TEST(ConditionFault, is_redundant_parentheses) {
  for (const char* expression :
       {"a=a and a > ((views))", "(a)between(((b.c)).d)and(c)", "a > whatever((:things), ((a)))",
        "a=a AND ((a=a AND a=a)) AND a=a", "a=a OR ((a=a OR a=a)) OR a=a",
        "a=a AND ((a=a AND (a=a AND a=a)))", "a=a OR ((a=a OR (a=a OR a=a)))", "((a = b))", "((a)) = b",
        "NOT ((a = b))", "((size(a))) > b", "((attribute_exists(a)))"}) {
    EXPECT_EQ(ConditionFault(expression),
              "Invalid ConditionExpression: The expression has redundant parentheses;")
        << expression;
  }
  for (const char* expression : {"(a = b)", "((a = b) AND c = d)", "((a = b) AND (c = d))", "(NOT (a = b))",
                                 "((a.b).c = d)", "((a) = (b))", "(a = b AND (c = d))", "((a).b = c)"}) {
    EXPECT_EQ(ConditionFault(expression), "") << expression;
  }
}

TEST(ConditionFault, is_an_unknown_function) {
  ExpectConditionFaults("Invalid function name; function: ",
                        {{"a=a and whatever((:things)) > a", "whatever"},
                         {"attRIbute_exIsts((views), #a)", "attRIbute_exIsts"},
                         {"SIZE(a) > b", "SIZE"},
                         {"f(f(f(a))) = b", "f"}});
  ExpectConditionFaults(
      "The function is not allowed in a condition expression; function: ",
      {{"if_not_exists(a, b) = c", "if_not_exists"}, {"list_append(a, b) = c", "list_append"}});
}

TEST(ConditionFault, is_a_misplaced_function) {
  ExpectConditionFaults("The function is not allowed to be used this way in an expression; function: ",
                        {{"a=a and attribute_exists((views), (#a)) > b", "attribute_exists"},
                         {"attribute_not_exists(things) > b", "attribute_not_exists"},
                         {"attribute_type(things, :a) > b", "attribute_type"},
                         {"begins_with(things, a) > b", "begins_with"},
                         {"contains(:things, c) > b", "contains"},
                         {"(contains(:things, c)) > b", "contains"},
                         {"size(contains(a, b)) > a", "contains"},
                         {"size(things)", "size"},
                         {"(size(things))", "size"},
                         {"NOT size(things)", "size"},
                         {"a = b AND size(things)", "size"},
                         {"size(things) OR a = b", "size"},
                         {"a between b and attribute_exists(things)", "attribute_exists"},
                         {"a in (b, attribute_exists(things))", "attribute_exists"},
                         {"contains(a, begins_with(b, c))", "begins_with"}});
}

TEST(ConditionFault, is_a_reserved_word) {
  ExpectConditionFaults("Attribute name is a reserved keyword; reserved keyword: ",
                        {{"attribute_exists(views, #a)", "views"},
                         {":a < abOrT", "abOrT"},
                         {"a.COMMENT = b", "COMMENT"},
                         {"a[0].count = b", "count"},
                         {"zone = a", "zone"},
                         {"a = b AND name = year", "name"}});
  EXPECT_EQ(ConditionFault("#c = #c2.b", "", "#c: \"COMMENT\", #c2: \"zone\""), "");
  EXPECT_EQ(ConditionFault("aborts = zones"), "");
}

TEST(ConditionFault, is_a_missing_name_or_value) {
  ExpectConditionFaults(
      "An expression attribute name used in the document path is not defined; attribute name: ",
      {{"attribute_exists(#Pictures.RearView, :a) and a=a", "#Pictures"},
       {"begins_with(Pictures.#RearView)", "#RearView"},
       {"(#P between :lo and :hi) and (#PC in (:cat1, :cat2))", "#P"},
       {"#4g > a", "#4g"},
       {"#_ > a", "#_"},
       {"(a)between(b.c[45].#d)and(:a)", "#d"}});
  ExpectConditionFaults("An expression attribute value used in expression is not defined; attribute value: ",
                        {{"begins_with(:hello, #a, #b)", ":hello"}, {":a < :b", ":a"}, {":_ > a", ":_"}});
}

TEST(ConditionFault, is_an_unused_name_or_value) {
  EXPECT_EQ(ConditionFault("a = :v", ":v: 1, :w: 2, :x: 3"),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w, :x}");
  EXPECT_EQ(ConditionFault("a = :v", ":v: 1, :w: 2", "#n: \"n\""),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}");
}

TEST(ConditionFault, is_the_number_of_operands) {
  ExpectConditionFaults("Incorrect number of operands for operator or function; operator or function: ",
                        {{"attribute_exists(things, a) and a=a", "attribute_exists, number of operands: 2"},
                         {"attribute_not_exists(things, b)", "attribute_not_exists, number of operands: 2"},
                         {"attribute_type(things)", "attribute_type, number of operands: 1"},
                         {"begins_with(things)", "begins_with, number of operands: 1"},
                         {"begins_with(things, size(a), b)", "begins_with, number of operands: 3"},
                         {"contains(things)", "contains, number of operands: 1"},
                         {"size(things, a) > b", "size, number of operands: 2"}});
}

TEST(ConditionFault, is_the_type_of_a_given_operand) {
  constexpr const char* kBegin = "Incorrect operand type for operator or function; operator or function: ";
  const std::pair<const char*, const char*> kValues[] = {
      {"1", "N"},  {"\"x\"", "S"}, {"b\"x\"", "B"},     {"true", "BOOL"}, {"null", "NULL"},
      {"[]", "L"}, {"{}", "M"},    {"ss(\"x\")", "SS"}, {"ns(1)", "NS"},  {"bs(b\"x\")", "BS"}};
  for (const auto& [value, name] : kValues) {
    const std::string values = std::string(":a: ") + value, type = name;
    const auto refused = [&](const char* expression, const std::string& function) {
      ExpectConditionFaults(kBegin, {{expression, (function + ", operand type: " + type).c_str()}}, values);
    };
    if (type != "S") refused("attribute_type(a, :a)", "attribute_type");
    if (type != "S" && type != "B") {
      refused("begins_with(a, :a)", "begins_with");
      refused("begins_with(:a, a)", "begins_with");
    }
    if (type == "N" || type == "BOOL" || type == "NULL") refused("size(:a) > a", "size");
    if (type != "S" && type != "B" && type != "N") {
      refused("a < :a", "<");
      refused(":a <= a", "<=");
      refused("a > :a", ">");
      refused(":a >= a", ">=");
      refused("a BETWEEN :a AND b", "BETWEEN");
      refused(":a BETWEEN a AND b", "BETWEEN");
    }
    for (const char* expression : {"a = :a", ":a <> a", "a IN (:a)", "contains(a, :a)", ":a = :a"})
      EXPECT_EQ(ConditionFault(expression, values), "") << expression << " of " << type;
  }
  ExpectConditionFaults(
      kBegin, {{"attribute_type(a, size(a)) and a=a", "attribute_type, operand type: N"},
               {"begins_with(a, size(a))", "begins_with, operand type: N"},
               {"size(size(a)) > b", "size, operand type: N"},
               {"attribute_type(a, b)", "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"}});
  ExpectConditionFaults(kBegin, {{"attribute_not_exists(size(:a))", "size, operand type: N"}}, ":a: 1");
}

TEST(ConditionFault, is_an_unknown_type) {
  ExpectConditionFaults("Invalid attribute type name found; type: ",
                        {{"attribute_type(a, :a)", "STRING, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"}},
                        ":a: \"STRING\"");
}

TEST(ConditionFault, is_a_value_instead_of_a_path) {
  ExpectConditionFaults("Operator or function requires a document path; operator or function: ",
                        {{"attribute_exists(:a) and a=a", "attribute_exists"},
                         {"attribute_not_exists(size(:a))", "attribute_not_exists"}},
                        ":a: \"x\"");
}

TEST(ConditionFault, is_an_operand_compared_with_itself) {
  const auto refused = [](const char* expression, const char* end) {
    EXPECT_EQ(
        ConditionFault(expression, "", "#a: \"a\""),
        std::string(
            "Invalid ConditionExpression: The first operand must be distinct from the remaining operands "
            "for this operator or function; operator: ") +
            end)
        << expression;
  };
  refused("a = a AND #a = b AND :views > a", "=, first operand: [a]");
  refused("#a <> a", "<>, first operand: [a]");
  refused("a > #a", ">, first operand: [a]");
  refused("((a=a) OR (a=a))", "=, first operand: [a]");
  refused("contains(ab.bc[1].a, ab.bc[1].#a)", "contains, first operand: [ab, bc, [1], a]");
  refused("attribute_type(ab.bc[1].#a, ab.bc[1].a)", "attribute_type, first operand: [ab, bc, [1], a]");
  refused("begins_with(ab.bc[1].a, ab.bc[1].#a)", "begins_with, first operand: [ab, bc, [1], a]");
  refused("a BETWEEN b AND #a", "BETWEEN, first operand: [a]");
  refused("a IN (b, a)", "IN, first operand: [a]");
  EXPECT_EQ(ConditionFault("a = a.b AND a[0] <> a[1] AND b IN (c, c)"), "");
  EXPECT_EQ(ConditionFault(":a >= :a", ":a: 1"), "");
}

TEST(ConditionFault, is_the_bounds_of_a_range) {
  ExpectConditionFaults(
      "The BETWEEN operator requires ",
      {{"a BETWEEN :2 AND :1",
        "upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, "
        "upper "
        "bound operand: AttributeValue: {N:1}"},
       {"a BETWEEN :z AND :y",
        "upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:z}, "
        "upper "
        "bound operand: AttributeValue: {S:y}"},
       {"a BETWEEN :bz AND :ba",
        "upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: "
        "{B:eg==}, "
        "upper bound operand: AttributeValue: {B:YWJj}"},
       {"a BETWEEN :1 AND :z",
        "same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound "
        "operand: AttributeValue: {S:z}"}},
      ":1: 1, :2: 2, :y: \"y\", :z: \"z\", :ba: b\"abc\", :bz: b\"z\"");
}

TEST(ConditionFault, is_the_first_of_the_most_important_kind) {
  const std::string kBegin = "Invalid ConditionExpression: ";
  EXPECT_EQ(ConditionFault("f(a) AND size(b) AND name = c AND ((a = #n))"),
            kBegin + "The expression has redundant parentheses;");
  EXPECT_EQ(ConditionFault("size(b) AND name = c AND f(a)"), kBegin + "Invalid function name; function: f");
  EXPECT_EQ(ConditionFault("#n = a AND name = c AND size(b)"),
            kBegin + "The function is not allowed to be used this way in an expression; function: size");
  EXPECT_EQ(ConditionFault("#n = a AND name = c"),
            kBegin + "Attribute name is a reserved keyword; reserved keyword: name");
  EXPECT_EQ(
      ConditionFault("a = a AND #n = b"),
      kBegin +
          "The first operand must be distinct from the remaining operands for this operator or function; "
          "operator: =, first operand: [a]");
  EXPECT_EQ(
      ConditionFault("contains(a) AND a = a"),
      kBegin +
          "Incorrect number of operands for operator or function; operator or function: contains, number "
          "of operands: 1");
}

}  // namespace
}  // namespace parley::storage
