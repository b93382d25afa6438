// Base64url, as tokens, cursors and keys are written: one text for each string of bytes. The other primitives
// are tested where they are used, with published vectors.
#include "protocol/base/crypto.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

namespace parley::protocol {
namespace {

std::optional<std::string> Decoded(std::string_view text) {
  std::string out;
  return FromBase64Url(text, &out) ? std::optional(std::move(out)) : std::nullopt;
}

TEST(Base64UrlTest, every_string_of_bytes_has_one_encoding_that_decodes_to_it) {
  std::mt19937 random(7);
  for (size_t size = 0; size < 200; size++) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    const std::string text = Base64Url(bytes);
    EXPECT_EQ(text.find_first_of("+/="), std::string::npos);
    EXPECT_EQ(Decoded(text), bytes);
  }
  EXPECT_EQ(Base64Url("\xfb\xff\xbf"), "-_-_");
}

TEST(Base64UrlTest, refuses_padding_foreign_characters_and_unused_bits) {
  for (const std::string_view text :
       {"A", "AAAAA", "QQ==", "Q Q", "QQ\n", "+A", "/A", "QR", "QUJ", "\xc3\xa9"}) {
    EXPECT_EQ(Decoded(text), std::nullopt) << text;
  }
  EXPECT_EQ(Decoded("QQ"), "A");
  EXPECT_EQ(Decoded("QUI"), "AB");
}

}  // namespace
}  // namespace parley::protocol
