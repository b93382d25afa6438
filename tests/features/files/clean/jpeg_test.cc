// JPEG: segments with metadata are removed, those for decoding are kept.
#include "tests/features/files/clean/clean_scene.h"

namespace parley::features::clean::jpeg_test {
namespace {

constexpr std::string_view kMime = "image/jpeg";

std::string Segment(int code, const std::string& payload) {
  return "\xff"s + static_cast<char>(code) + Big(payload.size() + 2, 2) + payload;
}

const std::string kStart = "\xff\xd8", kEnd = "\xff\xd9";
const std::string kJfif = Segment(0xe0, "JFIF\0\x01\x02\0\0\x48\0\x48\0\0"s);
const std::string kProfile = Segment(0xe2, "ICC_PROFILE\0\x01\x01 colours"s);
const std::string kAdobe = Segment(0xee, "Adobe\0\x64\0\0\0\0\x01"s);
const std::string kTables = Segment(0xdb, std::string(65, '\x10')) + Segment(0xc4, std::string(20, '\x01'));
const std::string kFrame = Segment(0xc2, "\x08\x01\x00\x02\x00\x01\x01\x11\x00"s);  // 512 x 256
const std::string kScan =
    Segment(0xda, "\x01\x01\0\0\x3f\0"s) + "pixels \xff\0 more \xff\xd0 and \xff\xff\xd7 last"s;
const std::string kExif = Segment(0xe1, "Exif\0\0"s + ExifWith(6));
const std::string kUpright = Segment(0xe1, "Exif\0\0"s + ExifWith(1));

std::string Picture(const std::string& metadata, const std::string& after = {}) {
  return kStart + kJfif + metadata + kProfile + kAdobe + kTables + kFrame + kScan + kScan + kEnd + after;
}

TEST(CleanJpeg, a_picture_without_metadata_stays) {
  ExpectUnchanged(kMime, Picture({}));
  ExpectSides(CleanBytes(kMime, Picture({})), 512, 256);
}

TEST(CleanJpeg, metadata_is_removed_and_all_else_stays) {
  const std::string xmp = Segment(0xe1, "http://ns.adobe.com/xap/1.0/\0<SECRET/>"s);
  const std::string extended = Segment(0xe1, "http://ns.adobe.com/xmp/extension/\0SECRET"s);
  const std::string iptc = Segment(0xed, "Photoshop 3.0\0SECRET"s);
  const std::string mpf = Segment(0xe2, "MPF\0SECRET"s);
  const std::string comment = Segment(0xfe, "SECRET");
  const std::string thumbnail = Segment(0xe0, "JFXX\0\x10SECRET"s);
  for (const std::string& metadata :
       {kUpright, xmp, extended, iptc, mpf, comment, thumbnail, Segment(0xe5, "SECRET"),
        Segment(0xeb, "SECRET"), Segment(0xee, "SECRET not of Adobe"), kUpright + xmp + comment})
    EXPECT_EQ(ExpectCleaned(kMime, Picture(metadata)).bytes, Picture({}));
}

TEST(CleanJpeg, metadata_between_scans_is_removed) {
  const std::string comment = Segment(0xfe, "SECRET");
  const std::string bytes = kStart + kTables + kFrame + kScan + comment + kScan + comment + kEnd;
  EXPECT_EQ(ExpectCleaned(kMime, bytes).bytes, kStart + kTables + kFrame + kScan + kScan + kEnd);
}

TEST(CleanJpeg, the_orientation_stays) {
  const Outcome out = ExpectCleaned(kMime, Picture(kExif));
  const std::string minimal =
      Segment(0xe1, "Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"s);
  EXPECT_EQ(out.bytes, Picture(minimal));
  ExpectSides(out, 256, 512);
  const std::string little = Segment(0xe1, "Exif\0\0"s + ExifWith(6, true));
  EXPECT_EQ(ExpectCleaned(kMime, Picture(little)).bytes, Picture(minimal)) << "in either byte order";
  EXPECT_EQ(ExpectCleaned(kMime, Picture(kExif + kUpright)).bytes, Picture(minimal)) << "the first counts";
  EXPECT_EQ(ExpectCleaned(kMime, Picture(Segment(0xe1, "Exif\0\0"s + ExifWith(9)))).bytes, Picture({}));
}

TEST(CleanJpeg, a_thumbnail_in_a_kept_segment_is_removed) {
  const std::string jfif = Segment(0xe0, "JFIF\0\x01\x02\0\0\x48\0\x48\x01\x02SECRET"s);
  const std::string adobe = Segment(0xee, "Adobe\0\x64\0\0\0\0\x01SECRET"s);
  const std::string rest = kTables + kFrame + kScan + kEnd;
  EXPECT_EQ(ExpectCleaned(kMime, kStart + jfif + adobe + rest).bytes, kStart + kJfif + kAdobe + rest);
}

TEST(CleanJpeg, bytes_that_decoders_skip_are_removed) {
  EXPECT_EQ(ExpectCleaned(kMime, Picture({}, "SECRET")).bytes, Picture({}));
  EXPECT_EQ(ExpectCleaned(kMime, Picture({}, Picture(kExif))).bytes, Picture({})) << "a second picture";
  EXPECT_EQ(ExpectCleaned(kMime, Picture("SECRET \xff\0 SECRET"s)).bytes, Picture({})) << "between segments";
  EXPECT_EQ(ExpectCleaned(kMime, Picture("\xff\xff" + Segment(0xfe, "SECRET"))).bytes, Picture({}));
}

TEST(CleanJpeg, a_picture_that_ends_early_is_cleaned_and_one_without_pixels_is_rejected) {
  const std::string head = kStart + kTables + kFrame;
  EXPECT_EQ(ExpectCleaned(kMime, kStart + kExif + kTables + kFrame + kScan).facts.w, 256);
  EXPECT_FALSE(CleanBytes(kMime, head).ok);
  EXPECT_FALSE(CleanBytes(kMime, head + kEnd).ok);
  EXPECT_FALSE(CleanBytes(kMime, "").ok);
  ExpectSafeWhenCut(kMime, Picture(kExif + Segment(0xfe, "SECRET")));
}

TEST(CleanJpeg, malformed_segments_are_rejected) {
  const std::string rest = kTables + kFrame + kScan + kEnd;
  EXPECT_FALSE(CleanBytes(kMime, kStart + "\xff\xe1\0\0"s + rest).ok) << "a length of 0";
  EXPECT_FALSE(CleanBytes(kMime, kStart + "\xff\xe1\0\x01"s + rest).ok);
  EXPECT_FALSE(CleanBytes(kMime, kStart + "\xff\xe1\xff\xff"s + rest).ok) << "longer than the file";
  EXPECT_FALSE(CleanBytes(kMime, kStart + Segment(0xf0, "SECRET") + rest).ok) << "a reserved marker";
  EXPECT_FALSE(CleanBytes(kMime, kStart + kStart + rest).ok) << "a picture in the picture";
  ExpectBoundedWhenChanged(kMime, Picture(kExif));
}

TEST(CleanJpeg, malformed_exif_is_removed_whole) {
  const std::string tiff = ExifWith(6);
  for (size_t size = 0; size < tiff.size(); ++size) {
    const Outcome out = CleanBytes(kMime, Picture(Segment(0xe1, "Exif\0\0"s + tiff.substr(0, size))));
    EXPECT_TRUE(out.ok && out.changed && !Contains(out.bytes, "SECRET"));
  }
  for (const std::string& number : {"\xff\xff\xff\xff"s, "\0\0\0\0"s, "\xff\xff\xff\xfe"s}) {
    for (size_t at = 0; at + 4 <= tiff.size(); ++at) {
      std::string changed = tiff;
      changed.replace(at, 4, number);
      const Outcome out = CleanBytes(kMime, Picture(Segment(0xe1, "Exif\0\0"s + changed)));
      EXPECT_TRUE(out.ok && out.changed && !Contains(out.bytes, "SECRET"));
    }
  }
}

TEST(CleanJpeg, a_million_tiny_segments_are_read_a_few_times) {
  std::string many;
  for (int i = 0; i < 1'000'000; ++i) many += i % 2 == 0 ? Segment(0xfe, {}) : Segment(0xdd, {});
  const std::string bytes = Picture(many + Segment(0xfe, "SECRET"));
  const Outcome out = CleanBytes(kMime, bytes);
  ASSERT_TRUE(out.ok && out.changed);
  EXPECT_EQ(out.bytes.size(), Picture({}).size() + size_t{4} * 500'000);
  EXPECT_LE(out.read, 4 * bytes.size());
}

}  // namespace
}  // namespace parley::features::clean::jpeg_test
