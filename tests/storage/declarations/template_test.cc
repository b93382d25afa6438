#include "storage/declarations/template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/storage/declarations/shown.h"

namespace parley::storage {
namespace {

using ::testing::ElementsAre;

// The text, or "attribute: why".
std::string Filled(std::string_view text, const Item& from) {
  const Template::Filled filled = Template::Must(text).Fill(from);
  return filled.value ? Shown(*filled.value) : filled.attribute + ": " + filled.why;
}
std::string Matched(std::string_view text, std::string_view key) {
  const std::optional<Item> parts = Template::Must(text).Match(key);
  return parts ? Shown(*parts) : "no";
}

TEST(Template, is_filled_from_attributes) {
  EXPECT_EQ(Filled("META", {}), "\"META\"");
  EXPECT_EQ(Filled("TENANT#{id}", {{"id", "a"}}), "\"TENANT#a\"");
  EXPECT_EQ(Filled("agents/{ws}/{id}", {{"id", "a"}, {"ws", "w"}}), "\"agents/w/a\"");
  EXPECT_EQ(Filled("{status}#{at}", {{"status", "open"}, {"at", Number::Of(12)}}), "\"open#12\"");
  EXPECT_EQ(Filled("{config.sms.number}", {{"config", Item{{"sms", Item{{"number", "+44"}}}}}}), "\"+44\"");
}

TEST(Template, names_the_missing_attribute) {
  EXPECT_EQ(Filled("{a}#{b}", {{"a", "x"}}), "b: ");
  EXPECT_EQ(Filled("{a}#{b}", {{"a", "x"}, {"b", ""}}), "b: ");
  EXPECT_EQ(Filled("{a}#{b}", {{"a", AttributeValue()}, {"b", "y"}}), "a: ");
  EXPECT_EQ(Filled("{config.sms.number}", {{"config", Item{{"sms", "none"}}}}), "config: ");
}

TEST(Template, pads_numbers_so_that_their_texts_are_in_order) {
  EXPECT_EQ(Filled("{s}#{at:13}", {{"s", "u"}, {"at", Number::Must("1732140249123")}}),
            "\"u#1732140249123\"");
  EXPECT_EQ(Filled("{s}#{at:13}", {{"s", "u"}, {"at", Number::Of(999)}}), "\"u#0000000000999\"");
  const std::string why = "at: must be a whole number of at most 3 digits";
  EXPECT_EQ(Filled("{at:3}", {{"at", Number::Of(1000)}}), why);
  EXPECT_EQ(Filled("{at:3}", {{"at", Number::Of(-1)}}), why);
  EXPECT_EQ(Filled("{at:3}", {{"at", Number::Must("1.5")}}), why);
}

TEST(Template, refuses_a_value_with_a_separator) {
  EXPECT_EQ(Filled("USER#{id}", {{"id", "a#b"}}), "id: must not contain #");
  EXPECT_EQ(Filled("users/{id}", {{"id", "a/b"}}), "id: must not contain /");
  EXPECT_EQ(Filled("{type}#{at}", {{"type", "a#1"}, {"at", Number::Of(1)}}), "type: must not contain #");
  EXPECT_EQ(Filled("users/{id}", {{"id", "a#b"}}), "\"users/a#b\"") << "not a separator of this template";
  EXPECT_EQ(Filled("{id}", {{"id", "a#b/c"}}), "\"a#b/c\"") << "there is nothing to confuse it with";
  EXPECT_EQ(Filled("USER#{id}", {{"id", AttributeValue::OfBool(true)}}),
            "id: must be S or N, as part of a key");
}

TEST(Template, takes_a_value_of_any_type_as_the_only_one) {
  EXPECT_EQ(Filled("{hour}", {{"hour", Number::Of(7)}}), "7");
}

TEST(Template, takes_keys_apart) {
  EXPECT_EQ(Matched("META", "META"), "");
  EXPECT_EQ(Matched("META", "METAL"), "no");
  EXPECT_EQ(Matched("USER#{id}", "USER#ab"), "id=\"ab\"");
  EXPECT_EQ(Matched("USER#{id}", "USER#"), "no");
  EXPECT_EQ(Matched("USER#{id}", "USER#a#b"), "no");
  EXPECT_EQ(Matched("MSG#{ts}#{id}", "MSG#2025-11-05T14:12:07.123Z#msg_1"),
            "id=\"msg_1\" ts=\"2025-11-05T14:12:07.123Z\"");
  EXPECT_EQ(Matched("MSG#{ts}#{id}", "MSG#2025"), "no");
  EXPECT_EQ(Matched("{a}/x/{b}", "1/x/2"), "a=\"1\" b=\"2\"");
  EXPECT_EQ(Matched("{a}/x/{b}", "1/y/2"), "no");
  EXPECT_EQ(Matched("{id}", "a#b"), "id=\"a#b\"");
}

TEST(Template, has_separators_between_its_placeholders) {
  Template made;
  for (const char* text : {"{a}#{b}", "{a}", "x", "", "a{b}", "{a}#x"})
    EXPECT_TRUE(Template::Parse(text, &made)) << text;
  for (const char* text : {"{a}{b}", "{a}x", "{a}-{b}", "{", "}", "{}", "{a", "a}", "{{a}}", "{a:}", "{a:x}",
                           "{a:0}", "{a:39}", "{a.}", "{.a}"})
    EXPECT_FALSE(Template::Parse(text, &made)) << text;
}

TEST(Template, knows_its_names_and_its_shape) {
  const Template made = Template::Must("{status}#{at:13}/{status}");
  EXPECT_THAT(made.Names(), ElementsAre("status", "at"));
  EXPECT_EQ(made.Shape(), "{}#{}/{}");
  EXPECT_EQ(made.literal_size(), 2u);
}

}  // namespace
}  // namespace parley::storage
