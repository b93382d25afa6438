#include "threads/text_blocks.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace parley::threads {
namespace {

// The lines that are code, each followed by '/'.
std::string Code(std::string_view text) {
  std::string out;
  for (const Range& line : FindBlocks(text).code) {
    out.append(text.substr(line.begin, line.end - line.begin)).push_back('/');
  }
  return out;
}

std::string ConfusingBlanks(std::string_view text) {
  std::string out;
  for (const Range& blanks : FindBlocks(text).confusing_blanks) {
    out.append(text.substr(blanks.begin, blanks.end - blanks.begin)).push_back('/');
  }
  return out;
}

TEST(TextBlocksTest, a_fence_opens_code_that_ends_with_a_fence_of_its_kind_and_length) {
  EXPECT_EQ(Code("```\na\n```\nb"), "```/a/```/");
  EXPECT_EQ(Code("~~~ cc\na\n```\n~~\n~~~~ \nb"), "~~~ cc/a/```/~~/~~~~ /");
  EXPECT_EQ(Code("a\n```\nb\n"), "```/b/");
  EXPECT_EQ(Code("   ```\nb\n    ```\n   ```\nc"), "```/b/    ```/   ```/");
  EXPECT_EQ(Code("``\na\n``"), "");
  EXPECT_EQ(Code("``` `a\nb"), "");
  EXPECT_EQ(Code("~~~ `a\nb"), "~~~ `a/b/");
  EXPECT_EQ(Code("a\r\n```\r\nb\r```\rc"), "```/b/```/");
}

TEST(TextBlocksTest, code_ends_with_its_container) {
  EXPECT_EQ(Code("> ```\n> a\nb"), "```/a/");
  EXPECT_EQ(Code(">~~~\n~~~\na\n~~~\nb"), "~~~/~~~/a/~~~/");
  EXPECT_EQ(Code("- ```\n  a\n\n  b\nc"), "```/a//b/");
  EXPECT_EQ(Code("1. \n   ```\n```\na"), "```/```/a/");
  EXPECT_EQ(Code("> - ```\n>   a\n> b"), "```/a/");
}

TEST(TextBlocksTest, four_columns_make_code_unless_they_go_on_with_a_paragraph) {
  EXPECT_EQ(Code("    a\n\tb\n\n    c\nd"), "    a/\tb/    c/");
  EXPECT_EQ(Code("a\n    b\n\n    c"), "    c/");
  EXPECT_EQ(Code("a\n    ```\nb"), "");
  EXPECT_EQ(Code("# a\n    b"), "    b/");
  EXPECT_EQ(Code("a\n===\n    b"), "    b/");
  EXPECT_EQ(Code("***\n    b"), "    b/");
  EXPECT_EQ(Code("[a]: b\n===\n    c"), "");
  EXPECT_EQ(Code("> a\n    b"), "");
  EXPECT_EQ(Code(">     a\n>\tb"), "    a/");
}

TEST(TextBlocksTest, list_items_take_their_indentation) {
  EXPECT_EQ(Code("- a\n\n      b"), "    b/");
  EXPECT_EQ(Code("- a\n\n    b"), "");
  EXPECT_EQ(Code("10) a\n\n    ```\n    b\n    ```"), "```/b/```/");
  EXPECT_EQ(Code("-      a\n"), "     a/");
  EXPECT_EQ(Code("- a\n  - b\n    ```\n    c\n    ```\n"), "```/c/```/");
  EXPECT_EQ(Code("a\n2. b\n\n       c"), "       c/");
  EXPECT_EQ(Code("a\n1. b\n\n       c"), "    c/");
  EXPECT_EQ(Code("-\n\n      b"), "      b/");
  EXPECT_EQ(Code("- - a\n\n        b"), "    b/");
  EXPECT_EQ(Code("- - -\n    a"), "    a/");
}

TEST(TextBlocksTest, names_the_blanks_that_parsers_trip_over) {
  EXPECT_EQ(ConfusingBlanks("```\na\n``` \t\nb"), " \t/");
  EXPECT_EQ(ConfusingBlanks("```\na\n```  \nb"), "");
  EXPECT_EQ(ConfusingBlanks("a\n* \nb"), " /");
  EXPECT_EQ(ConfusingBlanks("a\n1.  \nb"), "  /");
  EXPECT_EQ(ConfusingBlanks("- \nb"), "");
  EXPECT_EQ(ConfusingBlanks("-\n   \nb"), "   /");
}

}  // namespace
}  // namespace parley::threads
