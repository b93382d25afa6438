// Conditions cost steps, and evaluation stops when no steps are left.
#include "storage/expressions/effort.h"

#include <gtest/gtest.h>

#include "tests/storage/expressions/item_text.h"

namespace parley::storage {
namespace {

Condition Parsed(std::string_view text, std::string_view values) {
  Placeholders placeholders = Given("", values);
  Condition condition;
  EXPECT_EQ(ParseCondition("FilterExpression", text, &placeholders, &condition), "");
  return condition;
}
uint64_t StepsOf(std::string_view text, const Item& item, std::string_view values) {
  Effort effort;
  Parsed(text, values).Holds(item, &effort);
  return effort.spent();
}

constexpr uint64_t kFew = 100;

TEST(Effort, a_step_is_one_byte_read) {
  const std::string large(10'000, 'x');
  const Item item{{"a", large}, {"b", large}, {"l", List{large, large}}, {"k", List{large, large}}};
  const std::vector<std::pair<const char*, uint64_t>> rows = {
      {"contains(a, :v)", 10'000}, {"contains(l, :v)", 20'000}, {"size(a) = :v", 10'000},
      {"a = b", 10'000},           {"a < b", 10'000},           {"begins_with(a, b)", 10'000},
      {"l = k", 20'000},           {"a IN (b, b)", 10'000},     {"a BETWEEN b AND b", 20'000},
      {"NOT a = b", 10'000},       {"a = b AND a = b", 20'000}, {"a = :v OR a = b", 10'000}};
  for (const auto& [text, steps] : rows) {
    const uint64_t spent =
        StepsOf(text, item, std::string_view(text).find(":v") != std::string_view::npos ? ":v: \"y\"" : "");
    EXPECT_GE(spent, steps) << text;
    EXPECT_LE(spent, steps + kFew) << text;
  }
}

TEST(Effort, comparing_values_of_different_sizes_or_types_is_cheap) {
  const std::string large(10'000, 'x');
  const Item item{{"a", large}, {"b", large + "x"}, {"n", Number::Of(1)}, {"l", List{large}}};
  for (const char* text : {"a = b", "a = n", "l = a", "contains(n, a)", "a <> b", "attribute_exists(a)",
                           "size(l) = n", "contains(a, b)", "begins_with(n, a)"})
    EXPECT_LE(StepsOf(text, item, ""), kFew) << text;
}

TEST(Effort, values_within_values_count_more_than_their_bytes) {
  List list;
  for (int i = 0; i < 1000; ++i) list.push_back("x");
  const Item item{{"l", list}, {"k", list}};
  EXPECT_GE(StepsOf("contains(l, :v)", item, ":v: \"y\""), 1000 * (1 + kStepsPerValue));
  EXPECT_GE(StepsOf("l = k", item, ""), 1000 * (1 + kStepsPerValue));
}

TEST(Effort, a_name_counts_by_its_bytes) {
  const std::string name(60'000, 'n');
  EXPECT_GE(StepsOf(name.substr(0, 255) + " = :v", {}, ":v: 1"), 255u);
  ProjectionPaths projection{{{{name}}, {{"m"}, {"x"}, {"", 3}}}};
  EXPECT_GE(projection.Steps(), name.size() + 4 * kStepsPerValue);
  EXPECT_LE(projection.Steps(), name.size() + 4 * kStepsPerValue + 2);
}

TEST(Effort, evaluation_stops_when_no_steps_are_left) {
  std::string text = "contains(a, :v)";
  for (int i = 0; i < 100; ++i) text += " OR contains(a, :v)";
  const Item item{{"a", std::string(10'000, 'x')}};
  Effort effort(25'000);
  Parsed(text, ":v: \"y\"").Holds(item, &effort);
  EXPECT_TRUE(effort.exhausted());
  EXPECT_LE(effort.spent(), 32'000u) << "the third is not begun, and none after it";
  EXPECT_EQ(effort.left(), 0u);
}

}  // namespace
}  // namespace parley::storage
