// The limits of expressions: each is accepted at its number and rejected beyond it.
#include "storage/expressions/limits.h"

#include <gtest/gtest.h>

#include <functional>

#include "storage/expressions/reserved_words.h"
#include "tests/storage/expressions/item_text.h"

namespace parley::storage {
namespace {

std::string Repeated(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

constexpr const char* kOperators =
    "Invalid ConditionExpression: The expression contains too many operators; operator count: 301";

TEST(ExpressionLimits, operators_are_at_most_300) {
  // Each further comparison adds two operators.
  EXPECT_EQ(ConditionFault("a<b" + Repeated(" OR a<b", 149)), "");
  EXPECT_EQ(ConditionFault("NOT a<b" + Repeated(" OR a<b", 149)), "");
  EXPECT_EQ(ConditionFault("a<b" + Repeated(" OR a<b", 150)), kOperators);
  EXPECT_EQ(ConditionFault("a<b" + Repeated(" or (a<b", 149) + Repeated(")", 149)), "");
  EXPECT_EQ(ConditionFault("a<b" + Repeated(" or (a<b", 152) + Repeated(")", 152)), kOperators);
  EXPECT_EQ(ConditionFault(Repeated("not ", 299) + "a<b"), "");
  EXPECT_EQ(ConditionFault(Repeated("not ", 300) + "a<b"), kOperators);
  EXPECT_EQ(ConditionFault("a IN (b" + Repeated(",b", 99) + ")" + Repeated(" OR a<b", 149)), "");
}

TEST(ExpressionLimits, operators_of_updates_are_at_most_300) {
  const auto sums = [](int count) {
    std::string out = "SET ";
    for (int i = 0; i < count; ++i) out += (i == 0 ? "" : ",") + ("a" + std::to_string(i)) + "=a+b";
    return out;
  };
  EXPECT_EQ(UpdateFault(sums(300)), "");
  EXPECT_EQ(UpdateFault(sums(301)),
            "Invalid UpdateExpression: The expression contains too many operators; operator count: 301");
}

TEST(ExpressionLimits, nesting_is_bounded_whatever_nests) {
  const std::string kDeep = "Invalid ConditionExpression: The expression is nested too deeply;";
  EXPECT_EQ(ConditionFault(std::string(4096, '(')), kDeep);
  EXPECT_EQ(ConditionFault(Repeated("(", 2000) + "a<b" + Repeated(")", 2000)), kDeep);
  EXPECT_EQ(ConditionFault(Repeated("not ", 1000) + "a<b"), kDeep);
  EXPECT_EQ(ConditionFault("a < " + Repeated("f(", 1355) + "b" + Repeated(")", 1355)), kDeep);
  EXPECT_EQ(ConditionFault("a < " + Repeated("size(", 680) + "b" + Repeated(")", 680)), kDeep);
  EXPECT_EQ(UpdateFault("SET a = " + Repeated("(", 2000) + "b" + Repeated(")", 2000)),
            "Invalid UpdateExpression: The expression is nested too deeply;");
  EXPECT_EQ(UpdateFault("SET a = " + Repeated("if_not_exists(b,", 200) + "c" + Repeated(")", 200)), "");
}

TEST(ExpressionLimits, lists_of_values_have_at_most_100) {
  EXPECT_EQ(ConditionFault("a IN (b" + Repeated(",c", 99) + ")"), "");
  EXPECT_EQ(ConditionFault("a IN (b" + Repeated(",c", 100) + ")"),
            "Invalid ConditionExpression: The IN operator is provided with too many operands; number of "
            "operands: 101");
}

TEST(ExpressionLimits, paths_have_at_most_32_steps) {
  EXPECT_EQ(ProjectionFault("a" + Repeated(".b", 31)), "");
  EXPECT_EQ(
      ProjectionFault("a" + Repeated(".b", 32)),
      "Invalid ProjectionExpression: The document path has too many nesting levels; nesting levels: 33");
  EXPECT_EQ(ConditionFault("a" + Repeated("[0]", 40) + " = c"),
            "Invalid ConditionExpression: The document path has too many nesting levels; nesting levels: 41");
  EXPECT_EQ(ConditionFault("(a" + Repeated("[0]", 20) + ")" + Repeated("[0]", 20) + " = c"),
            "Invalid ConditionExpression: The document path has too many nesting levels; nesting levels: 41");
}

TEST(ExpressionLimits, positions_are_those_of_a_list_that_can_be) {
  EXPECT_EQ(ProjectionFault("a[2147483647]"), "");
  for (const char* position : {"2147483648", "99999999999999999999999"}) {
    EXPECT_EQ(
        ProjectionFault(std::string("a[") + position + "]"),
        std::string("Invalid ProjectionExpression: List index is not within the allowable range; index: [") +
            position + "]");
  }
  EXPECT_EQ(ProjectionFault("a[007], a[8]"), "");
}

TEST(ExpressionLimits, placeholders_have_their_form_and_length) {
  const auto name_fault = [](const std::string& key, const std::string& name) {
    return Placeholders().SetNames({{key, name}});
  };
  EXPECT_EQ(name_fault("#" + std::string(254, 'n'), "n"), "");
  EXPECT_EQ(name_fault("#" + std::string(255, 'n'), "n"),
            "ExpressionAttributeNames contains invalid key: The expression attribute name is too long; size "
            "of key: 256");
  EXPECT_EQ(name_fault("#1_a", std::string(65535, 'n')), "");
  EXPECT_NE(name_fault("#n", std::string(65536, 'n')), "");
  EXPECT_NE(name_fault("#n", ""), "");
  for (const char* key : {"n", "", "#", "#a-b", ":n", "##", "# a", "#ü"}) {
    EXPECT_EQ(
        name_fault(key, "n"),
        std::string("ExpressionAttributeNames contains invalid key: Syntax error; key: \"") + key + "\"");
  }
  for (const char* key : {"v", "", ":", ":a-b", "#v", "::", ": a"}) {
    EXPECT_EQ(
        Placeholders().SetValues({{key, "v"}}),
        std::string("ExpressionAttributeValues contains invalid key: Syntax error; key: \"") + key + "\"");
  }
  EXPECT_EQ(Placeholders().SetValues({{":" + std::string(300, 'v'), "v"}}), "");
  EXPECT_EQ(Placeholders().SetNames({}), "ExpressionAttributeNames must not be empty");
  EXPECT_EQ(Placeholders().SetValues({}), "ExpressionAttributeValues must not be empty");
}

TEST(ExpressionLimits, substituted_text_is_bounded) {
  EXPECT_EQ(Placeholders().SetValues({{":v", std::string(kSubstitutedBytesMax - 2, 'x')}}), "");
  EXPECT_EQ(Placeholders().SetValues({{":v", std::string(kSubstitutedBytesMax - 1, 'x')}}),
            "ExpressionAttributeValues exceeds max size");
  Placeholders::Names names;
  for (int i = 0; i < 33; ++i) names["#" + std::to_string(i)] = std::string(65535, 'n');
  EXPECT_EQ(Placeholders().SetNames(names), "ExpressionAttributeNames exceeds max size");
  // A long name that is used often is kept in memory once.
  Placeholders given;
  ASSERT_EQ(given.SetNames({{"#n", std::string(65535, 'n')}}), "");
  Condition condition;
  EXPECT_EQ(ParseCondition("ConditionExpression", "a IN (#n" + Repeated(",#n", 40) + ")", &given, &condition),
            "Invalid ConditionExpression: Expression size has exceeded the maximum allowed size");
}

TEST(ExpressionLimits, large_names_are_cut_in_messages) {
  Placeholders given;
  ASSERT_EQ(given.SetNames({{"#n", std::string(60'000, 'n')}, {"#m", "m"}}), "");
  ASSERT_EQ(given.SetValues({{":" + std::string(60'000, 'v'), "v"}}), "");
  ProjectionPaths paths;
  const Fault overlap = ParseProjection("#n.#m, #n", &given, &paths);
  EXPECT_LT(overlap.size(), 3000u);
  EXPECT_TRUE(overlap.ends_with("nnn]")) << overlap;
  const Fault unused = given.UnusedFault();
  EXPECT_LT(unused.size(), 3000u);
  EXPECT_TRUE(unused.ends_with("vvv}")) << unused;
}

TEST(ExpressionLimits, large_values_are_cut_in_messages) {
  const std::string text = Repeated("ü", 100'000);
  Placeholders given;
  ASSERT_EQ(given.SetValues({{":low", "z" + text}, {":high", "a" + text}}), "");
  Condition condition;
  const Fault fault = ParseCondition("ConditionExpression", "a BETWEEN :low AND :high", &given, &condition);
  EXPECT_LT(fault.size(), 3000u);
  EXPECT_TRUE(fault.ends_with("ü}")) << fault.substr(fault.size() - 10);
}

TEST(ReservedWords, are_found_in_any_case_and_nothing_else_is) {
  for (const char* word : {"ABORT", "abort", "aBoRt", "zone", "BETWEEN", "SERIALIZABLE", "AUTHORIZATION",
                           "localtimestamp", "by", "name", "status", "ttl", "user"})
    EXPECT_TRUE(IsReservedWord(word)) << word;
  for (const char* word :
       {"", "a", "aborts", "abor", "zones", "localtimestamps", "userid", "na_me", "id", "begins_with"})
    EXPECT_FALSE(IsReservedWord(word)) << word;
}

}  // namespace
}  // namespace parley::storage
