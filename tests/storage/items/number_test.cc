#include "storage/items/number.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace parley::storage {
namespace {

std::string Canonical(std::string_view text) {
  Number number;
  const NumberFault fault = Number::Parse(text, &number);
  switch (fault) {
    case NumberFault::kNone:
      return number.ToText();
    case NumberFault::kNotANumber:
      return "not a number";
    case NumberFault::kTooManyDigits:
      return "too many digits";
    case NumberFault::kOverflow:
      return "overflow";
    case NumberFault::kUnderflow:
      return "underflow";
  }
  return "?";
}

TEST(Number, is_written_in_one_form) {
  const std::pair<const char*, const char*> cases[] = {{"0", "0"},
                                                       {"-0", "0"},
                                                       {"0.000", "0"},
                                                       {"000", "0"},
                                                       {"1", "1"},
                                                       {"+1", "1"},
                                                       {"-1", "-1"},
                                                       {"0010", "10"},
                                                       {"10.50", "10.5"},
                                                       {"-12.5e3", "-12500"},
                                                       {"1E-3", "0.001"},
                                                       {"1.e2", "100"},
                                                       {".5", "0.5"},
                                                       {"-.5e-1", "-0.05"},
                                                       {"1e37", "10000000000000000000000000000000000000"},
                                                       {"12e", "not a number"},
                                                       {"", "not a number"},
                                                       {".", "not a number"},
                                                       {"-", "not a number"},
                                                       {"1 ", "not a number"},
                                                       {"0x1", "not a number"},
                                                       {"NaN", "not a number"},
                                                       {"1.2.3", "not a number"},
                                                       {"1e1.5", "not a number"}};
  for (const auto& [text, wanted] : cases) EXPECT_EQ(Canonical(text), wanted) << text;
}

TEST(Number, has_38_digits_and_the_documented_range) {
  const std::string digits38(38, '9');
  EXPECT_EQ(Canonical(digits38), digits38);
  EXPECT_EQ(Canonical(digits38 + "000"), digits38 + "000");
  EXPECT_EQ(Canonical(digits38 + "1"), "too many digits");
  EXPECT_EQ(Canonical("0." + std::string(20, '0') + digits38 + "1"), "too many digits");
  EXPECT_EQ(Canonical("9.9e125"), "99" + std::string(124, '0'));
  EXPECT_EQ(Canonical("1e126"), "overflow");
  EXPECT_EQ(Canonical("-1e126"), "overflow");
  EXPECT_EQ(Canonical("1e999999999999999999"), "overflow");
  EXPECT_EQ(Canonical("1e-130"), "0." + std::string(129, '0') + "1");
  EXPECT_EQ(Canonical("1e-131"), "underflow");
  EXPECT_EQ(Canonical("0e-99"), "0");
}

std::string Sum(std::string_view a, std::string_view b) {
  Number sum;
  return Number::Add(Number::Must(a), Number::Must(b), &sum) == NumberFault::kNone ? sum.ToText() : "fault";
}

TEST(Number, adds_exactly) {
  EXPECT_EQ(Sum("0.1", "0.2"), "0.3");
  EXPECT_EQ(Sum("99", "1"), "100");
  EXPECT_EQ(Sum("1", "-1"), "0");
  EXPECT_EQ(Sum("-1.5", "1"), "-0.5");
  EXPECT_EQ(Sum("1e20", "-1"), "99999999999999999999");
  EXPECT_EQ(Sum("1e37", "0.1"), "fault");  // 39 digits: rejected, not rounded
  EXPECT_EQ(Sum("9e125", "9e125"), "fault");
  EXPECT_EQ(Sum("1e-130", "-1e-130"), "0");
}

TEST(Number, turns_into_an_integer_only_if_it_is_one) {
  EXPECT_EQ(Number::Must("9223372036854775807").ToInt64(), INT64_MAX);
  EXPECT_EQ(Number::Must("-9223372036854775808").ToInt64(), INT64_MIN);
  EXPECT_EQ(Number::Must("9223372036854775808").ToInt64(), std::nullopt);
  EXPECT_EQ(Number::Must("1.5").ToInt64(), std::nullopt);
  EXPECT_EQ(Number::Must("1e3").ToInt64(), 1000);
}

TEST(Number, a_zero_is_judged_by_its_exponent) {
  for (const char* text : {"0e125", "0e-130", "-0e3", "0.00e-128", "0e+0"})
    EXPECT_EQ(Canonical(text), "0") << text;
  for (const char* text : {"0e126", "0.0e127", "-0e99999", "0e9223372036854775807"})
    EXPECT_EQ(Canonical(text), "overflow") << text;
  for (const char* text : {"0e-131", "0.0e-130", "0e-99999999999"})
    EXPECT_EQ(Canonical(text), "underflow") << text;
}

TEST(Number, an_exponent_beyond_64_bits_is_none) {
  EXPECT_EQ(Canonical("1e9223372036854775807"), "overflow");
  EXPECT_EQ(Canonical("1e-9223372036854775807"), "underflow");
  EXPECT_EQ(Canonical("1e0000000000000000000000000000003"), "1000");
  for (const char* text :
       {"1e9223372036854775808", "1e-9223372036854775808", "0e99999999999999999999", "1e", "1e+", "1e1.0"})
    EXPECT_EQ(Canonical(text), "not a number") << text;
}

Number Random(std::mt19937& random) {
  std::string text = random() % 2 ? "-" : "";
  const size_t digits = 1 + random() % 20;
  for (size_t i = 0; i < digits; ++i) text += static_cast<char>('0' + random() % 10);
  text += "e" + std::to_string(static_cast<int>(random() % 200) - 120);
  Number number;
  return Number::Parse(text, &number) == NumberFault::kNone ? number : Number();
}

TEST(Number, has_key_bytes_in_order_of_value) {
  std::mt19937 random(20261122);
  for (int i = 0; i < 20'000; ++i) {
    const Number a = Random(random);
    const Number b = random() % 8 ? Random(random) : a;
    std::string left, right;
    a.AppendKey(&left);
    b.AppendKey(&right);
    ASSERT_EQ(a <=> b, left <=> right) << a.ToText() << " " << b.ToText();
    std::string_view rest = left += "tail";
    Number back;
    ASSERT_TRUE(Number::TakeKey(&rest, &back));
    ASSERT_EQ(back, a);
    ASSERT_EQ(rest, "tail");
  }
}

TEST(Number, is_not_read_from_damaged_key_bytes) {
  std::string key;
  Number::Must("-123.456").AppendKey(&key);
  for (size_t size = 0; size < key.size(); ++size) {
    std::string_view part = std::string_view(key).substr(0, size);
    Number number;
    EXPECT_FALSE(Number::TakeKey(&part, &number)) << size;
  }
}

}  // namespace
}  // namespace parley::storage
