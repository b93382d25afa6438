// Base64url for tokens, cursors and keys: one text for each string of bytes. Tests of their users cover the
// other primitives, with published vectors.
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

namespace parley::protocol {
namespace {

std::optional<std::string> DecodedBase64(std::string_view text) {
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
    EXPECT_EQ(DecodedBase64(text), bytes);
  }
  EXPECT_EQ(Base64Url("\xfb\xff\xbf"), "-_-_");
}

TEST(Base64UrlTest, refuses_padding_foreign_characters_and_unused_bits) {
  for (const std::string_view text :
       {"A", "AAAAA", "QQ==", "Q Q", "QQ\n", "+A", "/A", "QR", "QUJ", "\xc3\xa9"}) {
    EXPECT_EQ(DecodedBase64(text), std::nullopt) << text;
  }
  EXPECT_EQ(DecodedBase64("QQ"), "A");
  EXPECT_EQ(DecodedBase64("QUI"), "AB");
}

std::string FromHex(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i += 2)
    out += static_cast<char>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16));
  return out;
}

// RFC 5869, A.1 and A.3: the first 32 bytes.
TEST(HkdfTest, derives_the_vectors_of_the_rfc) {
  const std::string key(22, '\x0b');
  EXPECT_EQ(Hex(HkdfSha256(key, FromHex("000102030405060708090a0b0c"), FromHex("f0f1f2f3f4f5f6f7f8f9"))),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf");
  EXPECT_EQ(Hex(HkdfSha256(key, {}, {})), "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d");
}

TEST(SealBytesTest, bytes_sealed_for_a_place_open_only_there) {
  const std::string key(32, 'k');
  const std::string sealed = SealBytes(key, "text", "here");
  EXPECT_EQ(OpenBytes(key, sealed, "here"), "text");
  EXPECT_EQ(OpenBytes(key, sealed, "there"), std::nullopt);
  EXPECT_EQ(OpenBytes(key, sealed), std::nullopt);
  EXPECT_EQ(OpenBytes(std::string(32, 'o'), sealed, "here"), std::nullopt);
  EXPECT_EQ(SealBytes(key, "text", "here"), sealed);
  EXPECT_NE(SealBytes(key, "text", "there").substr(0, 12), sealed.substr(0, 12)) << "no nonce twice";
  EXPECT_EQ(sealed.find("here"), std::string::npos);
}

}  // namespace
}  // namespace parley::protocol
