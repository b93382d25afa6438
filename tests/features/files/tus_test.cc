#include "features/files/tus.h"

#include <gtest/gtest.h>

#include "protocol/base/encoding.h"

namespace parley::features {
namespace {

std::string Metadata(std::string_view header) {
  const auto parsed = ParseTusMetadata(header);
  if (!parsed.ok()) return "BAD";
  std::string out;
  for (const auto& [key, value] : *parsed) out += (out.empty() ? "" : " ") + key + "=" + value;
  return out;
}

TEST(TusByteCount, is_digits_up_to_two_to_the_53) {
  const std::pair<std::string_view, std::optional<int64_t>> rows[] = {
      {"0", 0},
      {"007", 7},
      {"9007199254740992", int64_t{1} << 53},
      {"9007199254740993", std::nullopt},
      {"99999999999999999999999", std::nullopt},
      {"", std::nullopt},
      {"-1", std::nullopt},
      {"-0", std::nullopt},
      {"+1", std::nullopt},
      {" 1", std::nullopt},
      {"1 ", std::nullopt},
      {"0x10", std::nullopt},
      {"1e3", std::nullopt},
  };
  for (const auto& [text, value] : rows) EXPECT_EQ(ParseByteCount(text), value) << text;
}

TEST(TusMetadataHeader, is_a_list_of_keys_with_values_in_base64) {
  EXPECT_EQ(Metadata(""), "");
  EXPECT_EQ(Metadata("name Y2F0LnBuZw=="), "name=cat.png");
  EXPECT_EQ(Metadata("name Y2F0LnBuZw==,type aW1hZ2UvcG5n"), "name=cat.png type=image/png");
  EXPECT_EQ(Metadata("name Y2F0LnBuZw== , type aW1hZ2UvcG5n"), "name=cat.png type=image/png");
  EXPECT_EQ(Metadata("is_confidential"), "is_confidential=");
  EXPECT_EQ(Metadata("is_confidential ,name YQ=="), "is_confidential= name=a");
}

TEST(TusMetadataHeader, is_rejected_whole_if_one_part_is_bad) {
  for (const char* bad :
       {",", "name YQ==,,type YQ==", "name !!!", "name YQ== YQ==", "name YQ==,name YQ==", "n\xc3\xa4me YQ=="})
    EXPECT_EQ(Metadata(bad), "BAD") << bad;
}

TEST(TusMetadataHeader, is_bounded) {
  std::string many = "k0";
  for (size_t i = 1; i < kTusMetadataMax; ++i) many += ",k" + std::to_string(i);
  EXPECT_NE(Metadata(many), "BAD");
  EXPECT_EQ(Metadata(many + ",more"), "BAD");
  EXPECT_NE(Metadata(std::string(64, 'k')), "BAD");
  EXPECT_EQ(Metadata(std::string(65, 'k')), "BAD");
  EXPECT_NE(Metadata("k " + std::string(kTusMetadataBytesMax - 4, 'A')), "BAD");
  EXPECT_EQ(Metadata("k " + std::string(kTusMetadataBytesMax, 'A')), "BAD");
}

TEST(TusChecksumHeader, names_sha1_or_sha256_and_a_digest_of_its_size) {
  const std::string sha1 = protocol::Base64(std::string(20, 'x'));
  const std::string sha256 = protocol::Base64(std::string(32, 'x'));
  const auto first = ParseTusChecksum("sha1 " + sha1);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->algorithm, TusChecksum::Algorithm::kSha1);
  EXPECT_EQ(first->digest, std::string(20, 'x'));
  const auto second = ParseTusChecksum("sha256 " + sha256);
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second->algorithm, TusChecksum::Algorithm::kSha256);
  EXPECT_EQ(second->digest, std::string(32, 'x'));
  for (const std::string& bad : {std::string(), std::string("sha1"), "sha1 " + sha256, "sha256 " + sha1,
                                 "md5 " + sha1, "SHA1 " + sha1, sha1, std::string("sha1 ???")})
    EXPECT_FALSE(ParseTusChecksum(bad).ok()) << bad;
}

TEST(TusAnswers, name_the_version_and_the_extensions) {
  EXPECT_EQ(*protocol::FindHeader(TusHeaders(), "tus-resumable"), "1.0.0");
  const protocol::HttpHeaders options = TusOptions(100);
  EXPECT_EQ(*protocol::FindHeader(options, "Tus-Version"), "1.0.0");
  EXPECT_EQ(*protocol::FindHeader(options, "Tus-Extension"), "creation,expiration,checksum,termination");
  EXPECT_EQ(*protocol::FindHeader(options, "Tus-Max-Size"), "100");
  EXPECT_EQ(protocol::FindHeader(TusOptions(0), "Tus-Max-Size"), nullptr);
}

}  // namespace
}  // namespace parley::features
