// GIF: images, their timing and the loop count are kept; comments, texts and other extensions are removed.
#include "tests/features/files/clean/clean_scene.h"

namespace parley::features::clean::gif_test {
namespace {

constexpr std::string_view kMime = "image/gif";

std::string SubBlock(const std::string& bytes) {
  return Big(bytes.size(), 1) + bytes;
}

std::string Extension(int label, const std::string& sub_blocks) {
  return "\x21"s + static_cast<char>(label) + sub_blocks + "\0"s;
}

const std::string kHeader = "GIF89a" + Little(64, 2) + Little(48, 2) + "\x80\0\0"s + "abcdef";
const std::string kImage = "\x2c" + std::string(8, '\0') + "\x81"s + std::string(12, 'c') + "\x02" +
                           SubBlock("pixels") + SubBlock(std::string(255, ';')) + "\0"s;
const std::string kLoop = Extension(0xff, SubBlock("NETSCAPE2.0") + SubBlock("\x01\0\0"s));
const std::string kControl = Extension(0xf9, SubBlock("\x04\x0a\0\0"s));
const std::string kComment = Extension(0xfe, SubBlock("SECRET") + SubBlock("SECRET"));
const std::string kText = Extension(0x01, SubBlock(std::string(12, 't')) + SubBlock("SECRET"));

TEST(CleanGif, pictures_without_metadata_stay) {
  const std::string bytes = kHeader + kLoop + kControl + kImage + kControl + kImage + ";";
  ExpectUnchanged(kMime, bytes);
  ExpectSides(CleanBytes(kMime, bytes), 64, 48);
  const std::string other = Extension(0xff, SubBlock("ANIMEXTS1.0") + SubBlock("\x01\0\0"s));
  ExpectUnchanged(kMime, kHeader + other + kImage + ";");
}

TEST(CleanGif, metadata_is_removed_and_all_else_stays) {
  // XMP is not in sub-blocks; a trailer of 258 bytes leads any reader of sub-blocks to its end.
  std::string trailer = "\x01";
  for (int i = 255; i >= 0; --i) trailer += static_cast<char>(i);
  const std::string xmp = Extension(0xff, SubBlock("XMP DataXMP") + "<x:xmpmeta SECRET/>" + trailer);
  const std::string other = Extension(0xff, SubBlock("ICCRGBG1012") + SubBlock("SECRET"));
  const std::string kept = kHeader + kLoop + kControl + kImage + kImage + ";";
  for (const std::string& metadata :
       {kComment, kText, xmp, other, Extension(0x77, SubBlock("SECRET")), kComment + xmp}) {
    EXPECT_EQ(ExpectCleaned(kMime, kHeader + kLoop + metadata + kControl + kImage + kImage + ";").bytes,
              kept);
    EXPECT_EQ(
        ExpectCleaned(kMime, kHeader + kLoop + kControl + kImage + metadata + kImage + metadata + ";").bytes,
        kept);
  }
  EXPECT_EQ(ExpectCleaned(kMime, kept + "SECRET").bytes, kept) << "after the end";
}

TEST(CleanGif, a_text_is_removed_with_its_timing) {
  EXPECT_EQ(ExpectCleaned(kMime, kHeader + kControl + kText + kImage + ";").bytes, kHeader + kImage + ";");
}

TEST(CleanGif, kept_extensions_hide_nothing) {
  const std::string loop =
      Extension(0xff, SubBlock("NETSCAPE2.0") + SubBlock("\x01\0\0"s) + SubBlock("SECRET"));
  const std::string control = Extension(0xf9, SubBlock("\x04\x0a\0\0"s) + SubBlock("SECRET"));
  EXPECT_EQ(ExpectCleaned(kMime, kHeader + loop + control + kImage + ";").bytes,
            kHeader + kLoop + kControl + kImage + ";");
}

TEST(CleanGif, a_timing_without_a_picture_stays) {
  ExpectUnchanged(kMime, kHeader + kImage + kControl + ";");
  EXPECT_EQ(ExpectCleaned(kMime, kHeader + kImage + kControl + kComment + ";").bytes,
            kHeader + kImage + kControl + ";");
}

TEST(CleanGif, a_missing_trailer_is_written) {
  const Outcome out = CleanBytes(kMime, kHeader + kImage);
  EXPECT_TRUE(out.ok);
  EXPECT_EQ(out.bytes, kHeader + kImage + ";");
}

TEST(CleanGif, malformed_files_are_rejected) {
  EXPECT_FALSE(CleanBytes(kMime, "").ok);
  EXPECT_FALSE(CleanBytes(kMime, kHeader + ";").ok) << "without a picture";
  EXPECT_FALSE(CleanBytes(kMime, kHeader + kImage + "SECRET;").ok) << "no block begins so";
  ExpectSafeWhenCut(kMime, kHeader + kComment + kImage + kComment + kText + kImage + ";");
  ExpectBoundedWhenChanged(kMime, kHeader + kComment + kControl + kImage + ";");
}

TEST(CleanGif, many_tiny_blocks_are_read_a_few_times) {
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += i % 2 == 0 ? Extension(0xfe, {}) : kControl;
  std::string blocks;
  for (int i = 0; i < 500'000; ++i) blocks += SubBlock("x");
  const std::string bytes = kHeader + many + Extension(0xfe, blocks) + kImage + ";";
  const Outcome out = CleanBytes(kMime, bytes);
  ASSERT_TRUE(out.ok && out.changed);
  EXPECT_EQ(out.bytes.size(), kHeader.size() + 100'000 * kControl.size() + kImage.size() + 1);
  EXPECT_LE(out.read, 4 * bytes.size());
}

}  // namespace
}  // namespace parley::features::clean::gif_test
