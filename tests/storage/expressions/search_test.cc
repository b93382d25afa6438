// The search for a text within another finds the right place, and no text makes it slow.
#include "storage/expressions/search.h"

#include <gtest/gtest.h>

#include <random>

namespace parley::storage {
namespace {

std::vector<std::string> TextsOf(size_t most, std::string_view letters) {
  std::vector<std::string> out = {""};
  for (size_t from = 0, size = 1; size <= most; ++size) {
    const size_t end = out.size();
    for (; from < end; ++from) {
      for (const char letter : letters) out.push_back(out[from] + letter);
    }
  }
  return out;
}

TEST(Search, finds_the_same_as_string_find) {
  const auto parts = TextsOf(6, "ab");
  for (const std::string& whole : TextsOf(11, "ab")) {
    for (const std::string& part : parts)
      ASSERT_EQ(ContainsBytes(whole, part), whole.find(part) != std::string::npos) << whole << " " << part;
  }
}

TEST(Search, finds_long_texts_among_bytes_of_any_kind) {
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    const unsigned letters = 1 + random() % 4;
    std::string whole(random() % 200, 0);
    for (char& c : whole) c = static_cast<char>(0xfe + random() % letters);
    std::string part = whole.empty() ? "" : whole.substr(random() % whole.size(), random() % 80);
    if (!part.empty() && random() % 2 == 0) part[random() % part.size()] ^= 1;
    ASSERT_EQ(ContainsBytes(whole, part), whole.find(part) != std::string::npos);
  }
}

std::string FilledUpTo(std::string_view text, size_t bytes) {
  std::string out;
  while (out.size() < bytes) out += text;
  out.resize(bytes);
  return out;
}

std::string Fibonacci(size_t bytes) {
  std::string a = "a", b = "ab";
  while (b.size() < bytes) std::swap(a, b), b = a + b;
  b.resize(bytes);
  return b;
}

// The worst inputs known for searches: periods, periods with a flaw at either end or in the middle, Fibonacci
// words, of every length from those that fit in a hash to half of the text.
TEST(Search, takes_time_linear_in_the_text_whatever_it_is) {
  constexpr size_t kWhole = 100'000;
  const std::vector<std::string> wholes = {FilledUpTo("a", kWhole), FilledUpTo("ab", kWhole),
                                           FilledUpTo("aab", kWhole), Fibonacci(kWhole),
                                           FilledUpTo(std::string(255, 'a') + "b", kWhole)};
  for (const std::string& whole : wholes) {
    for (const size_t size : {2, 17, 64, 128, 255, 256, 257, 1000, 33'333, 50'000}) {
      std::vector<std::string> parts = {FilledUpTo("a", size), FilledUpTo("ab", size),
                                        FilledUpTo("aab", size), Fibonacci(size)};
      for (size_t i = 0; i < 4; ++i) {
        for (const size_t at : {size_t{0}, size / 2, size - 1}) {
          parts.push_back(parts[i]);
          parts.back()[at] = 'c';
          parts.push_back(parts[i]);
          parts.back()[at] = parts.back()[at] == 'a' ? 'b' : 'a';
        }
      }
      for (const std::string& part : parts) {
        size_t compared = 0;
        ContainsBytes(whole, part, &compared);
        ASSERT_LE(compared, kComparedPerByte * (whole.size() + part.size())) << size;
      }
    }
  }
}

}  // namespace
}  // namespace parley::storage
