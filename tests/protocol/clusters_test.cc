// Cutting text between grapheme clusters, which readers see as characters.
#include "protocol/base/clusters.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "protocol/value.h"

namespace parley::protocol {
namespace {

const std::vector<std::string> kClusters = {
    "a",
    "e\u0301\u0323",
    "\U0001f1e9\U0001f1ea",                                        // a flag
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",  // a family
    "\U0001f44d\U0001f3fd",
    "\u2764\ufe0f",
    "1\ufe0f\u20e3",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  // England
    "\u0928\u093f",                                                            // Devanagari, ni
    "\u0e01\u0e33",                                                            // Thai, kam
    "\u05e9\u05c1\u05b8",                                                      // Hebrew, with points
    "\u0628\u064e\u0651",                                                      // Arabic, with marks
    "\u1112\u1161\u11ab",                                                      // Hangul, decomposed
    "\r\n",
};

size_t CodePointsOf(const std::string& text) {
  size_t out = 0;
  for (const char c : text) out += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return out;
}

TEST(Clusters, are_never_cut) {
  for (const std::string& cluster : kClusters) {
    const std::string text = "xx" + cluster + "y";
    for (size_t bytes = 2; bytes < 2 + cluster.size(); ++bytes)
      EXPECT_EQ(FirstBytes(text, bytes), "xx") << cluster << " at " << bytes;
    EXPECT_EQ(FirstBytes(text, 2 + cluster.size()), "xx" + cluster);
    for (size_t points = 2; points < 2 + CodePointsOf(cluster); ++points)
      EXPECT_EQ(FirstCodePoints(text, points), "xx") << cluster << " at " << points;
    EXPECT_EQ(FirstCodePoints(text, 2 + CodePointsOf(cluster)), "xx" + cluster);
  }
}

// A text may be cut only between the clusters that it was built from.
TEST(Clusters, of_generated_texts_stay_whole_at_every_cut) {
  std::mt19937 random(6);
  for (int i = 0; i < 500; ++i) {
    std::string text;
    std::vector<size_t> ends = {0};
    for (unsigned n = 1 + random() % 20; n > 0; --n) {
      text += kClusters[random() % kClusters.size()];
      ends.push_back(text.size());
    }
    for (size_t bytes = ends[1]; bytes <= text.size() + 1; ++bytes) {
      size_t last = 0;
      for (const size_t end : ends) last = end <= bytes ? end : last;
      ASSERT_EQ(FirstBytes(text, bytes).size(), last) << text << " at " << bytes;
      ASSERT_EQ(FirstCodePoints(text, CodePointsOf(text.substr(0, last))).size(), last) << text;
    }
  }
}

TEST(Clusters, longer_than_the_requested_length_are_cut_between_code_points_or_omitted) {
  std::string tall = "a";
  for (int i = 0; i < 5'000; ++i) tall += "\u0301";
  EXPECT_EQ(FirstBytes(tall, 100).size(), 99u);
  EXPECT_EQ(FirstCodePoints(tall, 100), "");
  EXPECT_EQ(FirstBytes("\u65e5", 2), "");
  EXPECT_EQ(FirstBytes("abc", 0), "");
  EXPECT_EQ(FirstCodePoints("abc", 0), "");
  EXPECT_EQ(FirstBytes("abc", 3), "abc");
}

TEST(Clusters, of_invalid_utf8_have_an_end) {
  std::mt19937 random(7);
  for (int i = 0; i < 2'000; ++i) {
    std::string text;
    for (unsigned n = random() % 40; n > 0; --n) text += static_cast<char>(random());
    for (size_t most = 0; most < 42; ++most) {
      ASSERT_LE(FirstBytes(text, most).size(), most);
      ASSERT_TRUE(text.starts_with(FirstCodePoints(text, most)));
    }
  }
}

}  // namespace
}  // namespace parley::protocol
