#include "threads/model/preview.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace parley::threads {
namespace {

std::string Repeat(std::string_view what, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; i++) out += what;
  return out;
}

struct Row {
  std::string body, shown;
};

TEST(PreviewTest, removes_only_markup_and_line_ends) {
  const std::vector<Row> rows = {
      {"", ""},
      {"plain", "plain"},
      {"  a \t b\r\n\nc  ", "a b c"},
      {"**bold** _it_ __b__ `co de` ~x~ ~~gone~~", "bold it b co de ~x~ gone"},
      {"# Head\n\n- one\n+ two\n* three\n\n> > quote", "Head one two three quote"},
      {"Head\n====\nmore\n---\nend", "Head more end"},
      {"1. first\n2) second", "1. first 2) second"},
      {"#tag and -dash and >arrow", "#tag and -dash and >arrow"},
      {"a # b - c > d", "a # b - c > d"},
      {"2 * 3 * 4 = 24, a_b_c, __init__.py", "2 * 3 * 4 = 24, a_b_c, init.py"},
      {"[text](https://a.example \"title\") ![alt](https://b.example)", "text alt"},
      {"[**x**](y) [a] (b) [c]\n(d) ](e)", "x [a] (b) [c] (d) ](e)"},
      {"[open](never\nclosed)", "[open](never closed)"},
      {"a<b>c</b> <https://a.example> &amp;", "a<b>c</b> <https://a.example> &amp;"},
      {"```cc\nint a;\n```\nend", "int a; end"},
      {"\\*not bold\\* a\\b", "*not bold* a\\b"},
      {"\u3000wide\u00a0\u2028", "wide"},
      {"*", ""},
      {">", ""},
  };
  for (const Row& row : rows) EXPECT_EQ(Preview(row.body), row.shown) << row.body;
}

TEST(PreviewTest, keeps_140_code_points_and_cuts_longer_text_between_characters_with_an_ellipsis) {
  EXPECT_EQ(Preview(Repeat("a", 140)), Repeat("a", 140));
  EXPECT_EQ(Preview(Repeat("a", 140) + "  \n"), Repeat("a", 140));
  EXPECT_EQ(Preview(Repeat("a", 141)), Repeat("a", 139) + "\u2026");
  EXPECT_EQ(Preview(Repeat("\u65e5", 140)), Repeat("\u65e5", 140));
  EXPECT_EQ(Preview(Repeat("\U0001F44B", 300)), Repeat("\U0001F44B", 139) + "\u2026");
  EXPECT_EQ(Preview(Repeat("ab ", 100)), Repeat("ab ", 46) + "a\u2026");
  EXPECT_EQ(Preview(Repeat("a", 138) + " bc"), Repeat("a", 138) + "\u2026");
}

TEST(PreviewTest, does_not_separate_an_emoji_from_its_modifiers_or_a_letter_from_its_accents) {
  const std::string family = "\U0001F468\u200d\U0001F469\u200d\U0001F467";  // five code points
  EXPECT_EQ(Preview(Repeat("a", 136) + family + "b"), Repeat("a", 136) + "\u2026");
  EXPECT_EQ(Preview(Repeat("a", 138) + "\U0001F44D\U0001F3FDb"), Repeat("a", 138) + "\u2026");
  EXPECT_EQ(Preview(Repeat("a", 138) + "e\u0301b"), Repeat("a", 138) + "\u2026");
}

TEST(PreviewTest, never_cuts_a_cluster_of_any_script) {
  const std::vector<std::string> clusters = {"\U0001F1E9\U0001F1EA",  // a flag
                                             "\u0928\u093f",          // Devanagari
                                             "\u0e01\u0e33",          // Thai
                                             "\u05e9\u05c1\u05b8",    // Hebrew
                                             "\u0628\u064e\u0651",    // Arabic
                                             "\u1112\u1161\u11ab",    // Hangul, decomposed
                                             "\u2764\ufe0f\u200d\U0001F525"};
  for (const std::string& cluster : clusters) {
    for (size_t before = 130; before < 142; ++before) {
      const std::string line = Preview(Repeat("a", before) + Repeat(cluster, 20));
      const std::string tail = line.substr(std::min(before, line.size()));
      ASSERT_TRUE(line.ends_with("\u2026")) << cluster;
      const std::string kept = tail.empty() ? "" : tail.substr(0, tail.size() - std::string("\u2026").size());
      if (before < 140) {
        EXPECT_EQ(kept, Repeat(cluster, kept.size() / cluster.size())) << cluster << before;
      }
    }
    const std::string long_line = Repeat(" ", kPreviewScanBytes - 2) + Repeat(cluster, 3);
    EXPECT_EQ(Preview(long_line), "\u2026") << "nor where it is no longer looked at: " << cluster;
  }
}

TEST(PreviewTest, text_after_the_beginning_is_not_read) {
  const std::string blank(kPreviewScanBytes, ' ');
  EXPECT_EQ(Preview(blank + "x"), "\u2026");
  EXPECT_EQ(Preview("x" + blank + "y"), "x\u2026");
  EXPECT_EQ(Preview(std::string(kPreviewScanBytes - 1, ' ') + "\u65e5"), "\u2026") << "no half characters";
}

// The most expensive bodies; each byte is examined a bounded number of times, equally for 4 KiB and 256 KiB.
TEST(PreviewTest, cost_per_byte_is_the_same_for_every_body) {
  const std::vector<std::string> marks = {
      "[",  "](", "[](", "[a](", "![", "*",  "* ",    "*a_",   "_a",  "`",   "``a", "~~",     "> ",  ">",
      "# ", "- ", "-",   "=\n",  "\\", "\n", "[\n](", "```\n", "(((", ")](", "a*b", "\u0301", "\xff"};
  for (const std::string& mark : marks) {
    size_t steps = 0, steps_longer = 0;
    (void)Preview(Repeat(mark, 4096 / mark.size()), &steps);
    (void)Preview(Repeat(mark, 262144 / mark.size()), &steps_longer);
    EXPECT_LE(steps, 10 * kPreviewScanBytes) << mark;
    EXPECT_LE(steps_longer, 10 * kPreviewScanBytes) << mark;
  }
}

TEST(PreviewTest, quotes_contain_nothing_that_a_renderer_takes_for_markup) {
  EXPECT_EQ(Quotable("**a** [b](https://c.example) <d> `e` \\f"), "a b (https: c.example) d e f");
  EXPECT_EQ(Quotable(Repeat("x", 81)), Repeat("x", 79) + "\u2026");
}

TEST(PreviewTest, a_message_without_a_body_has_a_word_for_its_files_and_never_their_names) {
  const auto preview = [](const std::string& body, const std::vector<const char*>& types) {
    protocol::Message message;
    message.body = body;
    for (const char* type : types) {
      protocol::Attachment file;
      file.name.value = protocol::Text<255>{"private.jpg"};
      if (*type) file.mime = protocol::Text<127>{type};
      message.attachments.items.push_back(file);
    }
    return PreviewOf(message);
  };
  EXPECT_EQ(preview("", {}), "");
  EXPECT_EQ(preview("", {"image/png"}), "Photo");
  EXPECT_EQ(preview("", {"image/png", "image/heic"}), "Photos");
  EXPECT_EQ(preview("", {"video/mp4"}), "Video");
  EXPECT_EQ(preview("", {"video/mp4", "video/quicktime"}), "Videos");
  EXPECT_EQ(preview("", {"application/pdf"}), "File");
  EXPECT_EQ(preview("", {"image/png", "video/mp4"}), "Files");
  EXPECT_EQ(preview("", {""}), "File") << "of no known type";
  EXPECT_EQ(preview("*see*", {"image/png"}), "see");
}

}  // namespace
}  // namespace parley::threads
