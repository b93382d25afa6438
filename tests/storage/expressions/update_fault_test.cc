// The faults for which updates and projections are rejected before they see an item, word by word.
#include <gtest/gtest.h>

#include "tests/storage/expressions/item_text.h"

namespace parley::storage {
namespace {

struct UpdateFaultRow {
  const char* expression;
  const char* fault;
};

constexpr std::string_view kFaultValues =
    ":a: \"a\", :b: 1, :c: b\"a\", :d: true, :e: null, :f: ss(\"a\"), :g: ns(1), :h: bs(b\"a\"), :i: {}, :j: "
    "[1]";
constexpr std::string_view kFaultNames = "#a: \"a\", #b: \"b\", #c: \"c\", #3: \"[3]\"";

void ExpectUpdateFaults(const char* begin, const std::vector<UpdateFaultRow>& rows) {
  for (const UpdateFaultRow& row : rows) {
    EXPECT_EQ(UpdateFault(row.expression, kFaultValues, kFaultNames),
              std::string("Invalid UpdateExpression: ") + begin + row.fault)
        << row.expression;
  }
}

TEST(UpdateFault, names_the_token_and_its_neighbours) {
  ExpectUpdateFaults("Syntax error; token: ",
                     {{"INVALID SYNTAX HERE", "\"INVALID\", near: \"INVALID SYNTAX\""},
                      {"SET a = :a +", "\"<EOF>\", near: \"+\""},
                      {"SET n = n * :a", "\"*\", near: \"n * :a\""},
                      {"ADD n", "\"<EOF>\", near: \"n\""},
                      {"ADD n 1", "\"1\", near: \"n 1\""},
                      {"DELETE n a", "\"a\", near: \"n a\""},
                      {"ADD hits : incr", "\":\", near: \"hits : incr\""},
                      {"REMOVE a, #, b", "\"#\", near: \", #,\""},
                      {"SET l[0.a = :a", "\".\", near: \"0.a\""},
                      {"SET _123 = :a", "\"_\", near: \"SET _123\""}});
}

TEST(UpdateFault, finds_every_way_to_write_it_wrong) {
  for (const char* expression : {"whatever",
                                 "set",
                                 "set a",
                                 "add a",
                                 "delete a",
                                 "set a=set",
                                 "remove a = b",
                                 "add a = b",
                                 "delete a = b",
                                 "delete a b",
                                 "delete a if_not_exist(b)",
                                 "add abort b",
                                 "add a if_not_exist(b)",
                                 "remove a b",
                                 "set a b",
                                 "set :a = b",
                                 "add :a b",
                                 "delete :a b",
                                 "remove :a",
                                 "set a = b / c",
                                 "set a = b * c",
                                 "set a[1] = \"eight\"",
                                 "set a[1] = 1",
                                 "SET a = if_not_exist(a, 100)",
                                 "SET if_not_exist(a, b) = a",
                                 "set (a = (b + c))",
                                 "set a = (b.c).d + e",
                                 "set a = (b.c)[0] + e",
                                 "set a = b + c + d",
                                 "set a = (b + c) + d",
                                 "set a = b,",
                                 "remove a,",
                                 "set a = b, remove c",
                                 "set a = b; remove c",
                                 "remove",
                                 "set a = if_not_exists(a, b + c)",
                                 "set a = b = c",
                                 "set a = b AND c = d",
                                 "set (a) = b",
                                 "remove (a)",
                                 "add a (:v)",
                                 "set a = list_append()",
                                 "set a = (b",
                                 "set a = b)",
                                 "set a = + b",
                                 "set a = -b",
                                 "add a :v + :v",
                                 "set a.b. = c",
                                 "remove a[0",
                                 "set a ="}) {
    EXPECT_TRUE(UpdateFault(expression).starts_with("Invalid UpdateExpression: Syntax error; token: "))
        << expression << ": " << UpdateFault(expression);
  }
}

TEST(UpdateFault, is_the_size_before_the_syntax) {
  EXPECT_EQ(UpdateFault(""), "Invalid UpdateExpression: The expression can not be empty;");
  EXPECT_EQ(UpdateFault(std::string(5000, 'a')),
            "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size; expression "
            "size: 5000");
}

TEST(UpdateFault, is_a_word_or_a_function_or_a_section) {
  ExpectUpdateFaults("Attribute name is a reserved keyword; reserved keyword: ",
                     {{" set #x = :x set abOrt = true ", "abOrt"},
                      {" remove Absolute ", "Absolute"},
                      {"set a = f(status)", "status"}});
  ExpectUpdateFaults("Invalid function name; function: ",
                     {{"set #x = if_not_exist(:x) set c = d", "if_not_exist"},
                      {"set a = LIST_APPEND(:j, :j)", "LIST_APPEND"}});
  ExpectUpdateFaults("The function is not allowed in an update expression; function: ",
                     {{"SET a = contains(s, :a)", "contains"}, {"SET a = size(s)", "size"}});
  ExpectUpdateFaults("The function is not allowed to be used this way in an expression; function: ",
                     {{"SET a = list_append(list_append(:j, :j), :j)", "list_append"}});
  ExpectUpdateFaults(
      "The \"",
      {{"set a = #x set c = :x", "SET\" section can only be used once in an update expression;"},
       {"remove #x set a = b remove e", "REMOVE\" section can only be used once in an update expression;"},
       {"add #x :x set a = b add e :f", "ADD\" section can only be used once in an update expression;"},
       {"delete #x :x set a = b delete #x :f",
        "DELETE\" section can only be used once in an update expression;"}});
}

TEST(UpdateFault, is_a_missing_name_or_value) {
  ExpectUpdateFaults(
      "An expression attribute name used in the document path is not defined; attribute name: ",
      {{"SET #x = if_not_exists(:x)", "#x"}, {"SET a = :x, b.#y = :b", "#y"}});
  ExpectUpdateFaults("An expression attribute value used in expression is not defined; attribute value: ",
                     {{"SET #a = if_not_exists(:x)", ":x"}, {"SET b = :b, a = if_not_exists(:x, :y)", ":x"}});
}

TEST(UpdateFault, is_two_paths_with_one_leading_through_the_other) {
  constexpr const char* kOverlap =
      "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ";
  ExpectUpdateFaults(
      kOverlap, {{"set d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)", "[c, [1], a], path two: [c]"},
                 {"set #c[3].#3 = a, #c[3] = a", "[c, [3], [3]], path two: [c, [3]]"},
                 {"SET a = :b REMOVE a", "[a], path two: [a]"},
                 {"SET a = :a, a = :b", "[a], path two: [a]"},
                 {"SET a = :a, #a = :b", "[a], path two: [a]"},
                 {"SET m = :i, m.num = :b", "[m], path two: [m, num]"},
                 {"SET l[0] = :a, l[0].ok = :b", "[l, [0]], path two: [l, [0], ok]"},
                 {"SET a[1] = :a, b = :b, a = :a", "[a, [1]], path two: [a]"},
                 {"SET a.b = :a, a.c = :b, a = :a", "[a, b], path two: [a]"},
                 {"SET a.b.c.d.e = :a, a.b = :b", "[a, b, c, d, e], path two: [a, b]"}});
  for (const char* expression : {"SET a.b = b REMOVE a.c", "SET a = b, b = a", "SET l[0] = l[1], l[1] = l[0]",
                                 "SET ab = b, a = b", "REMOVE a[1], a[11]", "SET a = a"})
    EXPECT_EQ(UpdateFault(expression), "") << expression;
}

TEST(UpdateFault, is_two_paths_that_take_a_value_for_a_list_and_for_a_map) {
  constexpr const char* kConflict =
      "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: ";
  ExpectUpdateFaults(
      kConflict, {{"set #c[3].#3 = a, #c.#3[3] = if_not_exists(a)", "[c, [3], [3]], path two: [c, [3], [3]]"},
                  {"remove a.#c set a[1] = #3", "[a, c], path two: [a, [1]]"},
                  {"SET a.b.c = :a, a.b[2] = :b", "[a, b, c], path two: [a, b, [2]]"}});
}

TEST(UpdateFault, is_the_type_of_a_given_value) {
  const auto refused = [](const char* word, const char* value, const char* type) {
    const std::string expression =
        std::string("set b = list_append(:a, a), c = if_not_exists(a) ") + word + " a.b " + value;
    ExpectUpdateFaults("Incorrect operand type for operator or function; operator: ",
                       {{expression.c_str(), (std::string(word) + ", operand type: " + type +
                                              ", typeSet: ALLOWED_FOR_" + word + "_OPERAND")
                                                 .c_str()}});
  };
  for (const char* word : {"ADD", "DELETE"}) {
    refused(word, ":a", "STRING");
    refused(word, ":c", "BINARY");
    refused(word, ":d", "BOOLEAN");
    refused(word, ":e", "NULL");
    refused(word, ":i", "MAP");
    refused(word, ":j", "LIST");
  }
  refused("DELETE", ":b", "NUMBER");
}

TEST(UpdateFault, is_a_wrong_argument_of_a_function) {
  ExpectUpdateFaults("Incorrect number of operands for operator or function; operator or function: ",
                     {{"set a = if_not_exists(c)", "if_not_exists, number of operands: 1"},
                      {"set a = list_append(c)", "list_append, number of operands: 1"},
                      {"set a = list_append(:j, :j, :j)", "list_append, number of operands: 3"}});
  ExpectUpdateFaults("Operator or function requires a document path; operator or function: ",
                     {{"set a = if_not_exists(:a, c)", "if_not_exists"},
                      {"set a = if_not_exists(if_not_exists(a, b), c)", "if_not_exists"}});
  constexpr const char* kType = "Incorrect operand type for operator or function; operator or function: ";
  const std::pair<const char*, const char*> kTyped[] = {
      {":a", "S"},  {":b", "N"},  {":c", "B"},  {":d", "BOOL"}, {":e", "NULL"},
      {":f", "SS"}, {":g", "NS"}, {":h", "BS"}, {":i", "M"},    {":j", "L"}};
  for (const auto& [value, type] : kTyped) {
    const auto refused = [&, type = type](const std::string& expression, const std::string& function) {
      ExpectUpdateFaults(kType, {{expression.c_str(), (function + ", operand type: " + type).c_str()}});
    };
    if (std::string_view(type) != "L") {
      refused(std::string("set a = list_append(a, ") + value + ")", "list_append");
      refused(std::string("set a = list_append(") + value + ", a)", "list_append");
    }
    if (std::string_view(type) != "N") {
      refused(std::string("set a = a + ") + value, "+");
      refused(std::string("set a = ") + value + " - a", "-");
    }
  }
}

TEST(UpdateFault, is_the_first_of_the_most_important_kind) {
  ExpectUpdateFaults(
      "", {{"set a = f(:x), name = b", "Attribute name is a reserved keyword; reserved keyword: name"},
           {"set a = f(:x) set #x = :y", "Invalid function name; function: f"},
           {"set a = :x set #x = :y", "The \"SET\" section can only be used once in an update expression;"},
           {"set a = :x, #x = :y",
            "An expression attribute name used in the document path is not defined; attribute name: #x"},
           {"set a = :x, a = :b",
            "An expression attribute value used in expression is not defined; attribute value: :x"}});
}

TEST(ProjectionFault, is_reported_word_by_word) {
  const std::pair<const char*, const char*> kRows[] = {
      {"", "The expression can not be empty;"},
      {"a,", "Syntax error; token: \"<EOF>\", near: \",\""},
      {"!!", "Syntax error; token: \"!\", near: \"!!\""},
      {"a b", "Syntax error; token: \"b\", near: \"a b\""},
      {"l[a]", "Syntax error; token: \"a\", near: \"[a]\""},
      {"l[]", "Syntax error; token: \"]\", near: \"[]\""},
      {":v", "Syntax error; token: \":v\", near: \":v\""},
      {"(a)", "Syntax error; token: \"(\", near: \"(a\""},
      {"size(a)", "Syntax error; token: \"(\", near: \"size(a\""},
      {"ADD", "Attribute name is a reserved keyword; reserved keyword: ADD"},
      {"a.in.b", "Attribute name is a reserved keyword; reserved keyword: in"},
      {"list[0].COMMENT", "Attribute name is a reserved keyword; reserved keyword: list"},
      {"#x", "An expression attribute name used in the document path is not defined; attribute name: #x"},
      {"a, b, a",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: "
       "[a], path "
       "two: [a]"},
      {"a.b[1], a.b",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, "
       "b, [1]], "
       "path two: [a, b]"},
      {"a.b, a[0]",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: "
       "[a, b], path "
       "two: [a, [0]]"}};
  for (const auto& [expression, fault] : kRows)
    EXPECT_EQ(ProjectionFault(expression), std::string("Invalid ProjectionExpression: ") + fault)
        << expression;
  EXPECT_EQ(ProjectionFault("a", "#x: \"x\""),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}");
}

}  // namespace
}  // namespace parley::storage
