// PNG: chunks that change the pixels are kept, all others are removed.
#include "tests/features/files/clean/clean_scene.h"

namespace parley::features::clean::png_test {
namespace {

constexpr std::string_view kMime = "image/png";

// CRC-32 bit by bit, as the specification defines it.
uint32_t Crc(const std::string& bytes) {
  uint32_t crc = ~0u;
  for (const char byte : bytes) {
    crc ^= static_cast<uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
  }
  return ~crc;
}

std::string Chunk(const std::string& type, const std::string& data) {
  return Big(data.size(), 4) + type + data + Big(Crc(type + data), 4);
}

const std::string kSignature = "\x89PNG\r\n\x1a\n";
const std::string kHeader = Chunk("IHDR", Big(640, 4) + Big(480, 4) + "\x08\x06\0\0\0"s);
const std::string kColours =
    Chunk("gAMA", Big(45455, 4)) + Chunk("iCCP", "name\0\0profile"s) + Chunk("sRGB", "\0"s);
const std::string kPixels = Chunk("IDAT", "deflated") + Chunk("IDAT", "pixels");
const std::string kEnd = Chunk("IEND", {});

std::string Picture(const std::string& before, const std::string& after = {}) {
  return kSignature + kHeader + kColours + before + kPixels + after + kEnd;
}

TEST(CleanPng, a_picture_without_metadata_stays) {
  ExpectUnchanged(kMime, Picture({}));
  ExpectSides(CleanBytes(kMime, Picture({})), 640, 480);
}

TEST(CleanPng, metadata_is_removed_and_all_else_stays) {
  for (const char* type : {"tEXt", "zTXt", "iTXt", "tIME", "eXIf", "prVt", "sPLT", "hIST", "caBX", "iDOT"}) {
    const std::string chunk = Chunk(type, "SECRET");
    EXPECT_EQ(ExpectCleaned(kMime, Picture(chunk)).bytes, Picture({})) << type;
    EXPECT_EQ(ExpectCleaned(kMime, Picture({}, chunk + chunk)).bytes, Picture({})) << type;
  }
  EXPECT_EQ(ExpectCleaned(kMime, Picture({}) + "SECRET").bytes, Picture({})) << "after the end";
}

TEST(CleanPng, the_orientation_stays) {
  const std::string minimal =
      Chunk("eXIf", "MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0\0\0\0\0"s);
  const Outcome out = ExpectCleaned(kMime, Picture(Chunk("eXIf", ExifWith(8, true))));
  EXPECT_EQ(out.bytes, Picture(minimal));
  ExpectSides(out, 480, 640);
  EXPECT_EQ(ExpectCleaned(kMime, Picture({}, Chunk("eXIf", ExifWith(8)))).bytes, Picture({}, minimal));
  const std::string large = Chunk("eXIf", ExifWith(8) + std::string(300'000, 'x'));
  EXPECT_EQ(ExpectCleaned(kMime, Picture(large)).bytes, Picture(minimal));
  EXPECT_EQ(ExpectCleaned(kMime, Picture(Chunk("eXIf", ExifWith(1)))).bytes, Picture({}));
}

TEST(CleanPng, animations_stay) {
  const std::string control = Chunk("acTL", Big(2, 4) + Big(0, 4)),
                    frame = Chunk("fcTL", std::string(26, '\0'));
  const std::string bytes = Picture(control + frame, frame + Chunk("fdAT", "more pixels"));
  ExpectUnchanged(kMime, bytes);
}

TEST(CleanPng, malformed_files_are_rejected) {
  EXPECT_FALSE(CleanBytes(kMime, "").ok);
  EXPECT_FALSE(CleanBytes(kMime, kSignature + kPixels + kEnd).ok) << "without a header";
  EXPECT_FALSE(CleanBytes(kMime, kSignature + kHeader + kPixels).ok) << "without an end";
  EXPECT_FALSE(CleanBytes(kMime, Picture(kHeader)).ok) << "two headers";
  EXPECT_FALSE(CleanBytes(kMime, Picture(Chunk("SecR", "SECRET"))).ok) << "an unknown critical chunk";
  EXPECT_FALSE(
      CleanBytes(kMime, kSignature + kHeader + Big(0xffffffff, 4) + "tEXtSECRET" + kPixels + kEnd).ok);
  EXPECT_FALSE(
      CleanBytes(kMime, kSignature + kHeader + Big(0x7fffffff, 4) + "tEXtSECRET" + kPixels + kEnd).ok);
  EXPECT_FALSE(CleanBytes(kMime, kSignature + kHeader + kPixels + Chunk("IEND", "SECRET")).ok);
  ExpectSafeWhenCut(kMime, Picture(Chunk("eXIf", ExifWith(6)), Chunk("tEXt", "SECRET")));
  ExpectBoundedWhenChanged(kMime, Picture(Chunk("eXIf", ExifWith(6))));
}

TEST(CleanPng, many_tiny_chunks_are_read_a_few_times) {
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += Chunk(i % 2 == 0 ? "tEXt" : "IDAT", {});
  const std::string bytes = Picture({}, many + Chunk("tEXt", "SECRET"));
  const Outcome out = CleanBytes(kMime, bytes);
  ASSERT_TRUE(out.ok && out.changed);
  EXPECT_EQ(out.bytes.size(), Picture({}).size() + size_t{12} * 100'000);
  EXPECT_LE(out.read, 4 * bytes.size());
}

}  // namespace
}  // namespace parley::features::clean::png_test
