// Names that users give, cleaned by one rule; with generated inputs.
#include "protocol/base/name.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "protocol/value.h"

namespace parley::protocol {
namespace {

struct Row {
  std::string given, kept;
};

TEST(Names, contain_only_visible_text) {
  const std::vector<Row> rows = {
      {"Ann Lee", "Ann Lee"},
      {"  Ann  Lee ", "Ann  Lee"},
      {"\u3000\u00a0Ann\u2003", "Ann"},
      {"Ann\nLee\tB", "Ann Lee B"},
      {"A\x01n\x7f"
       "n",
       "Ann"},
      {"\u202egnp.nna\u202c", "gnp.nna"},
      {"\u2066Ann\u2069\u200e\u200f\u061c", "Ann"},
      {"A\u200bn\ufeffn\u00ad\u2060", "Ann"},
      {"", ""},
      {"   ", ""},
      {"\u200b\u200d\u200c\u2800\u3164\u115f\uffa0\U000e0061\ufe0f", ""},
      {"e\u0301", "\u00e9"},
      {"e\u034f\u0301", "\u00e9"},
      {"\u1100\u1161\u11a8", "\uac01"},
      {"\u212b", "\u00c5"},
      {"\uffff\ufdd0x\ufff9", "x"},
  };
  for (const Row& row : rows) EXPECT_EQ(CleanName(row.given), row.kept) << row.given;
}

TEST(Names, keep_joiners_and_selectors_that_have_an_effect) {
  for (const char* kept :
       {"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  // Persian, ZWNJ within a word
        "\u0915\u094d\u200d\u0937",                          // Hindi, ZWJ within a syllable
        "\u0d28\u0d4d\u200d",                                // Malayalam, a chillu at the end
        "\u182d\u180e\u1820",                                // Mongolian
        "\u2764\ufe0f\u200d\U0001f525",                      // heart on fire
        "\U0001f469\U0001f3fd\u200d\U0001f680",              // an astronaut
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  // England
        "1\ufe0f\u20e3",                                                           // a keycap
        "\U0001f1e9\U0001f1ea", "\u845b\U000e0100"})  // a variant of an ideograph
    EXPECT_EQ(CleanName(kept), kept);
  const std::vector<Row> rows = {
      {"Ann\u200d", "Ann"},
      {"\u200cAnn", "Ann"},
      {"Ann \u200dLee", "Ann Lee"},
      {"a\u200c\u200cb", "a\u200cb"},
      {"a\u200d.", "a."},
      {"a\u200d\U0001f525", "a\U0001f525"},
      {" \ufe0fx", "x"},
      {"x\ufe0f\ufe0f", "x\ufe0f"},
      {"\U0001f3f4\U000e0067\U000e0062", "\U0001f3f4"},
      {"x\U000e0067\U000e007f", "x"},
  };
  for (const Row& row : rows) EXPECT_EQ(CleanName(row.given), row.kept) << row.given;
}

std::string Utf8(char32_t c) {
  std::string out;
  if (c < 0x80) return {static_cast<char>(c)};
  const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  constexpr int kLeads[] = {0, 0xc0, 0xe0, 0xf0};
  out += static_cast<char>(kLeads[more] | static_cast<int>(c >> (6 * more)));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | ((c >> (6 * i)) & 0x3f));
  return out;
}

bool Holds(const std::string& text, char32_t c) {
  return text.find(Utf8(c)) != std::string::npos;
}

constexpr char32_t kHidden[] = {0x61c,  0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d,
                                0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x200b, 0xfeff,
                                0x2060, 0xad,   0x34f,  0x3164, 0x2800};

// For every input the result contains nothing misleading, and cleaning it again changes nothing.
TEST(Names, generated_ones_contain_no_direction_controls_and_are_clean_after_one_pass) {
  const std::vector<char32_t> parts = {
      'a',    ' ',    '\n',    0x85,    0xa0,    0xad,    0xe9,    0x301,   0x323,   0x34f,   0x61c,
      0x645,  0x6cc,  0x915,   0x94d,   0x937,   0xd28,   0xd4d,   0x1100,  0x1161,  0x115f,  0x180e,
      0x200b, 0x200c, 0x200d,  0x200e,  0x200f,  0x2028,  0x202a,  0x202d,  0x202e,  0x2060,  0x2066,
      0x2069, 0x20e3, 0x2126,  0x2764,  0x2800,  0x3000,  0x3164,  0x958,   0xac00,  0xfe0f,  0xfeff,
      0xfffd, 0xffff, 0x1f1e9, 0x1f1ea, 0x1f3f4, 0x1f3fd, 0x1f469, 0x1f680, 0xe0067, 0xe007f, 0xe0100};
  std::mt19937 random(28);
  std::set<char32_t> left;
  for (int i = 0; i < 20'000; ++i) {
    std::string given;
    for (unsigned n = random() % 12; n > 0; --n) given += Utf8(parts[random() % parts.size()]);
    const std::string name = CleanName(given);
    ASSERT_EQ(CleanName(name), name) << given;
    ASSERT_TRUE(IsUtf8(name));
    for (const char32_t c : kHidden) ASSERT_FALSE(Holds(name, c)) << given;
    ASSERT_FALSE(name.starts_with(' ') || name.ends_with(' ')) << given;
    for (const char32_t c : parts) {
      if (Holds(name, c)) left.insert(c);
    }
  }
  for (const char32_t shown :
       {U'a', U'\u00e9', U'\u200c', U'\u200d', U'\ufe0f', U'\U0001f469', U'\U000e0067'})
    EXPECT_TRUE(left.contains(shown)) << "else this looked at nothing";
}

TEST(Names, that_are_optional_count_as_missing_if_blank) {
  EXPECT_EQ(CleanTitle(std::optional<std::string_view>(" \u200b")), std::nullopt);
  EXPECT_EQ(CleanTitle(std::optional<std::string_view>()), std::nullopt);
  EXPECT_EQ(CleanTitle(std::optional<std::string_view>(" x\u202e")), "x");
}

}  // namespace
}  // namespace parley::protocol
