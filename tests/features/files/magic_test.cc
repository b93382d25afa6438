#include "features/files/magic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace parley::features {
namespace {

using namespace std::string_literals;

struct Sample {
  std::string head;
  std::vector<std::string> fits;  // media types, those of office documents as "office"
};

std::string Box(const std::string& brands) {
  return "\0\0\0"s + static_cast<char>(8 + brands.size()) + "ftyp" + brands;
}

std::vector<Sample> Samples() {
  const std::string minor(4, '\0');
  return {
      {"\xff\xd8\xff\xe0 JFIF", {"image/jpeg", "text/plain"}},
      {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"s, {"image/png"}},
      {"GIF89a\1\0\1\0"s, {"image/gif"}},
      {"GIF87a\1\0\1\0"s, {"image/gif"}},
      {"RIFF\4\0\0\0WEBPVP8 "s, {"image/webp"}},
      {"RIFF\4\0\0\0WAVEfmt "s, {}},
      {Box("heic" + minor + "mif1"), {"image/heic", "image/heif"}},
      {Box("avif" + minor + "mif1"), {"image/avif", "image/heic", "image/heif"}},
      {Box("isom" + minor + "avc1"), {"video/mp4"}},
      {Box("M4V " + minor), {"video/mp4"}},
      {Box("qt  " + minor), {"video/quicktime"}},
      {"\0\0\0\x8moov"s, {"video/quicktime"}},
      {Box("????" + minor), {}},
      {"%PDF-1.7\n", {"application/pdf", "text/plain"}},
      {"\n%PDF-1.7\n", {"text/plain"}},
      {"PK\3\4\0\0\0\0 a.txt"s, {"application/zip"}},
      {"PK\3\4\0\0\0\0 [Content_Types].xml"s, {"application/zip", "office"}},
      {"PK\5\6\0\0"s, {"application/zip"}},
      {"<html><script>alert(1)</script>", {"text/plain"}},
      {"MZ\x90\0\3"s, {}},
      {"\x7f"
       "ELF\2\1\1\0"s,
       {}},
      {"", {"text/plain"}},
  };
}

TEST(Magic, a_file_fits_the_types_that_its_first_bytes_allow) {
  const std::string office = "application/vnd.openxmlformats-officedocument.";
  const std::vector<std::string> types = {"image/jpeg",
                                          "image/png",
                                          "image/gif",
                                          "image/webp",
                                          "image/heic",
                                          "image/heif",
                                          "image/avif",
                                          "video/mp4",
                                          "video/quicktime",
                                          "application/pdf",
                                          "application/zip",
                                          "text/plain",
                                          office + "wordprocessingml.document",
                                          office + "spreadsheetml.sheet",
                                          office + "presentationml.presentation"};
  for (const Sample& sample : Samples()) {
    for (const std::string& type : types) {
      const std::string name = type.starts_with(office) ? "office" : type;
      const bool fits = std::count(sample.fits.begin(), sample.fits.end(), name) > 0;
      EXPECT_EQ(FitsType(type, sample.head), fits) << type << " '" << sample.head << "'";
    }
  }
}

TEST(Magic, no_file_fits_a_type_that_is_not_known) {
  for (const Sample& sample : Samples()) {
    for (const char* type : {"", "image/svg+xml", "text/html", "application/octet-stream", "IMAGE/PNG"})
      EXPECT_FALSE(FitsType(type, sample.head)) << type;
  }
}

TEST(Magic, every_shortened_head_is_read_within_its_bounds) {
  for (const Sample& sample : Samples()) {
    for (size_t size = 0; size < sample.head.size(); ++size) {
      const std::string head = sample.head.substr(0, size);
      for (const char* type : {"image/png", "image/webp", "image/heic", "video/mp4", "video/quicktime"})
        static_cast<void>(FitsType(type, head));
    }
  }
}

TEST(Magic, a_box_that_claims_more_than_there_is_counts_to_the_end) {
  EXPECT_TRUE(FitsType("video/mp4",
                       "\xff\xff\xff\xff"
                       "ftypisom\0\0\0\0"s));
  EXPECT_FALSE(FitsType("image/heic",
                        "\0\0\0\x10"
                        "ftypisom\0\0\0\0heic"s))
      << "a brand after the box";
}

TEST(Magic, a_nul_beyond_the_examined_bytes_does_not_matter) {
  EXPECT_TRUE(FitsType("text/plain", std::string(kMagicBytes, 'a') + '\0'));
  EXPECT_FALSE(FitsType("text/plain", std::string(kMagicBytes - 1, 'a') + '\0'));
}

}  // namespace
}  // namespace parley::features
