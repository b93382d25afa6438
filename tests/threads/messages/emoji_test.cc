#include "threads/messages/emoji.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::threads {
namespace {

TEST(EmojiTest, accepts_one_emoji_of_every_kind) {
  const std::string_view emoji[] = {
      "\U0001F44D",                                                              // thumbs up
      "\U0001F44D\U0001F3FD",                                                    // with a medium skin tone
      "\u2764\uFE0F",                                                            // a heart, shown as an emoji
      "\u2705",                                                                  // needs no selector
      "\U0001F1E9\U0001F1EA",                                                    // a flag
      "\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F",  // a subdivision's flag
      "\U0001F3F3\uFE0F\u200D\U0001F308",                                        // a joined flag
      "1\uFE0F\u20E3",                                                           // a keycap
      "\U0001F469\U0001F3FD\u200D\U0001F680",                        // an astronaut with a skin tone
      "\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466",  // a family
      "\U0001F9D1\U0001F3FB\u200D\u2764\uFE0F\u200D\U0001F48B\u200D\U0001F9D1\U0001F3FF"};
  for (const std::string_view one : emoji) EXPECT_TRUE(IsOneEmoji(one)) << one;
}

TEST(EmojiTest, rejects_everything_else) {
  const std::string others[] = {
      "",
      "a",
      "ok",
      "1",
      "#",
      ":+1:",
      " ",
      "\u00e9",
      "\U0001F44D\U0001F44D",        // two
      "\U0001F44D ",                 // with a blank
      "\U0001F44Dx",                 // with a letter
      "\U0001F44D\u200D",            // joined to nothing
      "\u200D",                      // a joiner alone
      "\uFE0F",                      // a variation selector alone
      "\U0001F1E9",                  // half a flag
      "\U0001F1E9\U0001F1E9",        // not a country
      "\U0001F44D\u0301",            // with an accent
      "\U0001F468\u200D\U0001F44D",  // a sequence that does not exist
      "<script>",
      std::string(64, '1'),
      std::string("\xf0\x9f\x91", 3),  // cut short
      std::string("\xff"),
  };
  for (const std::string& one : others) EXPECT_FALSE(IsOneEmoji(one)) << one;
}

}  // namespace
}  // namespace parley::threads
