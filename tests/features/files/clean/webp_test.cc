// WebP: chunks with metadata are removed, and the sizes and flags at the beginning follow.
#include "tests/features/files/clean/clean_scene.h"

namespace parley::features::clean::webp_test {
namespace {

constexpr std::string_view kMime = "image/webp";
constexpr int kProfileFlag = 0x20, kExifFlag = 0x08, kXmpFlag = 0x04, kAnimationFlag = 0x02;

std::string Chunk(const std::string& type, const std::string& data) {
  return type + Little(data.size(), 4) + data + (data.size() % 2 != 0 ? "\0"s : ""s);
}

std::string Webp(const std::string& chunks) {
  return "RIFF" + Little(chunks.size() + 4, 4) + "WEBP" + chunks;
}

// 640 x 480
std::string Extended(int flags) {
  return Chunk("VP8X", Little(flags, 4) + Little(639, 3) + Little(479, 3));
}

const std::string kLossy = Chunk("VP8 ", "\x10\0\0\x9d\x01\x2a\x80\x02\xe0\x01 pixels."s);
const std::string kLossless = Chunk("VP8L", "\x2f" + Little(639 | 479 << 14, 4) + "pixels");
const std::string kProfile = Chunk("ICCP", "colours");

std::string Frame(const std::string& chunks) {
  return Chunk("ANMF", std::string(16, '\x01') + chunks);
}

TEST(CleanWebp, pictures_without_metadata_stay) {
  for (const std::string& chunks :
       {kLossy, kLossless, Extended(kProfileFlag) + kProfile + Chunk("ALPH", "alpha") + kLossy,
        Extended(kAnimationFlag) + Chunk("ANIM", "\0\0\0\0\0\0"s) + Frame(kLossy) + Frame(kLossless)}) {
    ExpectUnchanged(kMime, Webp(chunks));
    ExpectSides(CleanBytes(kMime, Webp(chunks)), 640, 480);
  }
}

TEST(CleanWebp, metadata_and_its_flags_are_removed) {
  const std::string exif = Chunk("EXIF", ExifWith(1)), xmp = Chunk("XMP ", "<SECRET/>");
  const std::string kept = Webp(Extended(kProfileFlag) + kProfile + kLossy);
  EXPECT_EQ(ExpectCleaned(
                kMime, Webp(Extended(kProfileFlag | kExifFlag | kXmpFlag) + kProfile + kLossy + exif + xmp))
                .bytes,
            kept);
  EXPECT_EQ(
      ExpectCleaned(kMime, Webp(Extended(kProfileFlag) + kProfile + kLossy + Chunk("priv", "SECRET"))).bytes,
      kept);
  EXPECT_EQ(ExpectCleaned(kMime, kept + "SECRET").bytes, kept) << "after the end";
  EXPECT_EQ(ExpectCleaned(kMime, Webp(kLossless + xmp)).bytes, Webp(kLossless)) << "in a simple file";
}

TEST(CleanWebp, the_orientation_stays) {
  const std::string minimal =
      Chunk("EXIF", "MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"s);
  const std::string kept = Webp(Extended(kExifFlag) + kLossy + minimal);
  for (const std::string& tiff : {ExifWith(6), ExifWith(6, true), "Exif\0\0"s + ExifWith(6)}) {
    const Outcome out = ExpectCleaned(kMime, Webp(Extended(kExifFlag) + kLossy + Chunk("EXIF", tiff)));
    EXPECT_EQ(out.bytes, kept);
    ExpectSides(out, 480, 640);
  }
}

TEST(CleanWebp, metadata_in_frames_is_removed) {
  const std::string head = Extended(kAnimationFlag) + Chunk("ANIM", "\0\0\0\0\0\0"s);
  const std::string bytes =
      Webp(head + Frame(kLossy + Chunk("EXIF", "SECRET")) + Frame(Chunk("priv", "SECRET!") + kLossless));
  EXPECT_EQ(ExpectCleaned(kMime, bytes).bytes, Webp(head + Frame(kLossy) + Frame(kLossless)));
}

TEST(CleanWebp, malformed_files_are_rejected) {
  EXPECT_FALSE(CleanBytes(kMime, "").ok);
  EXPECT_FALSE(CleanBytes(kMime, Webp({})).ok);
  EXPECT_FALSE(CleanBytes(kMime, Webp(kProfile + kLossy)).ok) << "no picture at the beginning";
  EXPECT_FALSE(CleanBytes(kMime, Webp(kLossy + "XMP " + Little(0xffffffff, 4) + "SECRET")).ok);
  EXPECT_FALSE(CleanBytes(kMime, Webp(kLossy + "XMP " + Little(7, 4) + "SECRET")).ok);
  EXPECT_FALSE(CleanBytes(kMime, "RIFF" + Little(0xfffffffe, 4) + "WEBP" + kLossy).ok);
  EXPECT_FALSE(CleanBytes(kMime, Webp(Extended(0) + Extended(0) + kLossy)).ok);
  EXPECT_FALSE(
      CleanBytes(kMime, Webp(Extended(kAnimationFlag) + Frame("VP8 " + Little(200, 4) + "SECRET"))).ok)
      << "a chunk that is longer than its frame";
  const std::string all = Webp(Extended(kExifFlag) + kLossy + Chunk("EXIF", ExifWith(6)) +
                               Frame(kLossy + Chunk("priv", "SECRET")));
  ExpectSafeWhenCut(kMime, all);
  ExpectBoundedWhenChanged(kMime, all);
}

TEST(CleanWebp, many_tiny_chunks_are_read_a_few_times) {
  std::string many, frames;
  for (int i = 0; i < 100'000; ++i) many += Chunk(i % 2 == 0 ? "priv" : "ALPH", {});
  for (int i = 0; i < 10'000; ++i) frames += Frame(Chunk("priv", {}) + Chunk("ALPH", {}));
  const std::string bytes = Webp(Extended(0) + kLossy + many + frames + Frame(many));
  const Outcome out = CleanBytes(kMime, bytes);
  ASSERT_TRUE(out.ok && out.changed);
  EXPECT_LE(out.read, 8 * bytes.size());
}

}  // namespace
}  // namespace parley::features::clean::webp_test
