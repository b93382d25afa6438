// MP4 and QuickTime: metadata becomes free space of the same size, so that all offsets stay right.
#include <functional>

#include "tests/features/files/clean/box_scene.h"

namespace parley::features::clean::movie_test {
namespace {

constexpr std::string_view kMime = "video/mp4";
const std::string kTimes = "\xde\xad\xbe\xef\xde\xad\xbe\xef";
const std::string kMedia = MakeBox("mdat", "frames and sounds");

std::string Track(const std::string& more = {}, const std::string& times = "\0\0\0\0\0\0\0\0"s) {
  return MakeBox("trak", TrackHead(false, times) + Media("vide", SampleTable({28}, 3, 4)) + more);
}

std::string Movie(const std::string& moov, const std::string& more = {}) {
  return kFileType + kMedia + MakeBox("moov", MovieHead() + moov) + more;
}

// The result, by the parts of the movie in which `metadata` was planted.
void ExpectFreed(const std::function<std::string(const std::string&)>& movie, const std::string& metadata) {
  EXPECT_EQ(ExpectCleaned(kMime, movie(metadata)).bytes, movie(FreeBox(metadata.size())));
}

TEST(CleanMovie, a_video_without_metadata_stays) {
  ExpectUnchanged(kMime, Movie(Track()));
  ExpectUnchanged(kMime, Movie(Track() + FreeBox(100), FreeBox(8) + FreeBox(1000)));
  const Outcome out = CleanBytes(kMime, Movie(Track()));
  ExpectSides(out, 1920, 1080);
  EXPECT_EQ(out.facts.duration_ms, 12500);
}

TEST(CleanMovie, a_turned_video_has_the_sides_as_shown) {
  const std::string track = MakeBox("trak", TrackHead(true) + Media("vide", SampleTable({28}, 3, 4)));
  ExpectSides(CleanBytes(kMime, Movie(track)), 1080, 1920);
}

TEST(CleanMovie, metadata_becomes_free_space) {
  const std::string place = MakeBox("udta", MakeBox("\xa9xyz", "+52.52+013.40/SECRET"));
  const std::string keys =
      MakeBox("meta", Handler("mdta") + MakeBox("keys", "SECRET") + MakeBox("ilst", "SECRET"));
  const std::string xmp =
      MakeBox("uuid", "\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac<SECRET/>");
  for (const std::string& metadata :
       {place, keys, xmp, MakeBox("gps ", "SECRET"), MakeBox("free", "SECRET"), MakeBox("skip", "SECRET")}) {
    ExpectFreed([](const std::string& part) { return Movie(Track() + part); }, metadata);
    ExpectFreed([](const std::string& part) { return Movie(part + Track()); }, metadata);
    ExpectFreed([](const std::string& part) { return Movie(Track(part)); }, metadata);
    ExpectFreed([](const std::string& part) { return Movie(Track(), part); }, metadata);
    ExpectFreed(
        [](const std::string& part) {
          return kFileType + part + kMedia + MakeBox("moov", MovieHead() + Track());
        },
        metadata);
    ExpectFreed(
        [](const std::string& part) {
          return Movie(Track(), MakeBox("moof", MakeBox("mfhd", Big(0, 8)) +
                                                    MakeBox("traf", MakeBox("tfhd", Big(0, 8)) + part)));
        },
        metadata == MakeBox("gps ", "SECRET") ? xmp : metadata);
  }
}

TEST(CleanMovie, boxes_with_long_sizes_and_to_the_end_are_freed) {
  const std::string xmp = MakeLongBox("uuid", "SECRET with a long size");
  EXPECT_EQ(ExpectCleaned(kMime, Movie(Track(), xmp)).bytes,
            Movie(Track(), MakeLongBox("free", std::string(xmp.size() - 16, '\0'))));
  const std::string last = Big(0, 4) + "uuid" + "SECRET to the end";
  EXPECT_EQ(ExpectCleaned(kMime, Movie(Track(), last)).bytes,
            Movie(Track(), Big(0, 4) + "free" + std::string(last.size() - 8, '\0')));
  const std::string media = Big(0, 4) + "mdat" + "frames to the end";
  ExpectUnchanged(kMime, kFileType + MakeBox("moov", MovieHead() + Track()) + media);
}

TEST(CleanMovie, times_become_zero) {
  const auto movie = [](const std::string& times, const std::string& long_times) {
    const std::string long_head =
        MakeBox("mdhd", Big(1 << 24, 4) + long_times + Big(600, 4) + Big(7500, 8) + Big(0, 4));
    const std::string track = MakeBox(
        "trak", TrackHead(false, times) + MakeBox("mdia", long_head + Handler("soun") + MakeBox("minf", "")));
    return kFileType + kMedia + MakeBox("moov", MovieHead(times) + Track({}, times) + track);
  };
  const Outcome out = CleanBytes(kMime, movie(kTimes, kTimes + kTimes));
  EXPECT_EQ(out.bytes, movie("\0\0\0\0\0\0\0\0"s, std::string(16, '\0')));
}

TEST(CleanMovie, tracks_of_timed_metadata_are_freed_with_their_samples) {
  const auto movie = [](const std::string& secret, const std::string& longer, const std::string& track) {
    const std::string media = MakeBox("mdat", "frame1" + secret + "frame2" + longer);
    return kFileType + media + MakeBox("moov", MovieHead() + Track() + track);
  };
  for (const char* handler : {"meta", "camm", "data"}) {
    const uint32_t first = static_cast<uint32_t>(kFileType.size()) + 8 + 6;
    const std::string track =
        MakeBox("trak", TrackHead(false) + Media(handler, SampleTable({first, first + 12}, 2, 4)));
    EXPECT_EQ(ExpectCleaned("video/quicktime", movie("SECRET", "SECRET!", track)).bytes,
              movie("\0\0\0\0\0\0"s, "\0\0\0\0\0\0!"s, FreeBox(track.size())));
  }
}

TEST(CleanMovie, samples_outside_of_the_data_are_rejected) {
  const auto movie = [](const std::vector<uint32_t>& chunks, uint32_t size) {
    const std::string track =
        MakeBox("trak", TrackHead(false) + Media("meta", SampleTable(chunks, size, size)));
    return Movie(Track() + track);
  };
  const uint32_t first = static_cast<uint32_t>(kFileType.size()) + 8;
  EXPECT_TRUE(CleanBytes(kMime, movie({first, first + 4}, 2)).ok);
  EXPECT_FALSE(CleanBytes(kMime, movie({first + 4, first}, 2)).ok) << "not ascending";
  EXPECT_FALSE(CleanBytes(kMime, movie({first, first + 2}, 2)).ok) << "overlapping";
  EXPECT_FALSE(CleanBytes(kMime, movie({0}, 2)).ok) << "in the file's type";
  EXPECT_FALSE(CleanBytes(kMime, movie({first + 17}, 2)).ok) << "in the movie's tree";
  EXPECT_FALSE(CleanBytes(kMime, movie({first}, 9)).ok) << "beyond the data";
  EXPECT_FALSE(CleanBytes(kMime, movie({0xffffffff}, 2)).ok);
  EXPECT_FALSE(CleanBytes(kMime, movie({first}, 0xffffffff)).ok);
}

TEST(CleanMovie, malformed_files_are_rejected) {
  EXPECT_FALSE(CleanBytes(kMime, "").ok);
  EXPECT_FALSE(CleanBytes(kMime, kFileType + kMedia).ok) << "without a movie";
  EXPECT_FALSE(CleanBytes(kMime, Movie(MakeBox("cmov", "SECRET"))).ok) << "a compressed tree";
  EXPECT_FALSE(CleanBytes(kMime, Movie(Track(), "SECRET")).ok) << "no box";
  for (const uint32_t size : {1u, 7u, 0x7fffffffu, 0xffffffffu}) {
    EXPECT_FALSE(CleanBytes(kMime, Movie(Track(), Big(size, 4) + "udtaSECRET")).ok) << size;
    EXPECT_FALSE(CleanBytes(kMime, Movie(Track() + Big(size, 4) + "udtaSECRET")).ok) << size;
  }
  EXPECT_FALSE(CleanBytes(kMime, Movie(Track() + Big(0, 4) + "udtaSECRET")).ok)
      << "to the end, inside of a box";
  for (const uint64_t size : {uint64_t{0}, uint64_t{15}, uint64_t{1} << 63, UINT64_MAX})
    EXPECT_FALSE(CleanBytes(kMime, Movie(Track(), Big(1, 4) + "uuid" + Big(size, 8) + "SECRET")).ok) << size;
  EXPECT_FALSE(CleanBytes(kMime, Movie(Track(Big(18, 4) + "udta" + "SEC"))).ok) << "longer than its parent";
  const uint32_t first = static_cast<uint32_t>(kFileType.size()) + 8;
  const std::string track = MakeBox("trak", TrackHead(false) + Media("meta", SampleTable({first}, 2, 4)));
  const std::string all = kFileType + MakeBox("mdat", "SECRET frames") +
                          MakeBox("moov", MovieHead() + Track(MakeBox("udta", "SECRET")) + track) +
                          MakeBox("uuid", "SECRET");
  ExpectCleaned(kMime, all);
  ExpectSafeWhenCut(kMime, all);
  ExpectBoundedWhenChanged(kMime, all);
}

TEST(CleanMovie, deep_trees_and_many_boxes_cost_bounded_steps) {
  std::string deep;
  for (const char* type : {"trak", "mdia", "minf", "stbl", "moov", "traf", "udta"}) {
    deep = "SECRET";
    for (int depth = 0; depth < 3000; ++depth) deep = MakeBox(type, deep);
    const Outcome out = CleanBytes(kMime, Movie(Track() + deep));
    EXPECT_FALSE(out.ok && Contains(out.bytes, "SECRET") && std::string_view(type) == "udta");
  }
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += MakeBox(i % 2 == 0 ? "udta" : "free", i % 2 == 0 ? "x" : "");
  const std::string bytes = Movie(Track(many) + many, many);
  const Outcome out = CleanBytes(kMime, bytes);
  ASSERT_TRUE(out.ok && out.changed);
  EXPECT_EQ(out.bytes.size(), bytes.size());
  EXPECT_LE(out.read, 12 * bytes.size());
}

// A file of zeros with some bytes at its beginning and its end.
class LargeReader final : public ByteReader {
 public:
  LargeReader(std::string head, int64_t size, std::string tail)
      : head_(std::move(head)), tail_(std::move(tail)), size_(size) {}
  int64_t size() const override { return size_; }
  protocol::Result<std::string> ReadAt(int64_t offset, size_t size) override {
    most_ = std::max(most_, size);
    std::string out(static_cast<size_t>(std::min<int64_t>(static_cast<int64_t>(size), size_ - offset)), '\0');
    read_ += static_cast<int64_t>(out.size());
    Overlay(head_, 0, offset, &out);
    Overlay(tail_, size_ - static_cast<int64_t>(tail_.size()), offset, &out);
    return out;
  }
  size_t most() const { return most_; }
  int64_t read() const { return read_; }

 private:
  static void Overlay(const std::string& part, int64_t at, int64_t offset, std::string* out) {
    const int64_t begin = std::max(at, offset);
    const int64_t end =
        std::min(at + static_cast<int64_t>(part.size()), offset + static_cast<int64_t>(out->size()));
    if (begin < end)
      out->replace(static_cast<size_t>(begin - offset), static_cast<size_t>(end - begin), part,
                   static_cast<size_t>(begin - at), static_cast<size_t>(end - begin));
  }
  const std::string head_, tail_;
  const int64_t size_;
  size_t most_ = 0;
  int64_t read_ = 0;
};

class CountingSink final : public ByteSink {
 public:
  protocol::Status Append(std::string_view bytes) override {
    most_ = std::max(most_, bytes.size());
    size_ += static_cast<int64_t>(bytes.size());
    return protocol::Ok();
  }
  size_t most() const { return most_; }
  int64_t size() const { return size_; }

 private:
  size_t most_ = 0;
  int64_t size_ = 0;
};

LargeReader LargeMovie(int64_t data, const std::string& moov) {
  const std::string head = kFileType + Big(1, 4) + "mdat" + Big(static_cast<uint64_t>(data), 8);
  const std::string tail = MakeBox("moov", MovieHead() + Track() + moov);
  return {head, static_cast<int64_t>(kFileType.size()) + data + static_cast<int64_t>(tail.size()), tail};
}

TEST(CleanMovie, a_video_of_5_gib_is_read_in_pieces) {
  LargeReader clean_already = LargeMovie(int64_t{5} << 30, {});
  CountingSink none;
  const auto unchanged = Clean(clean_already, kMime, none);
  ASSERT_TRUE(unchanged.ok());
  EXPECT_EQ(unchanged->kind, Cleaned::Kind::kUnchanged);
  EXPECT_EQ(none.size(), 0);
  EXPECT_LT(clean_already.read(), 1 << 20) << "the data itself is not read";
  LargeReader reader = LargeMovie(int64_t{1} << 28, MakeBox("udta", "SECRET"));
  CountingSink sink;
  ASSERT_TRUE(Clean(reader, kMime, sink).ok());
  EXPECT_EQ(sink.size(), reader.size());
  EXPECT_LE(std::max(reader.most(), sink.most()), size_t{128} << 10);
}

}  // namespace
}  // namespace parley::features::clean::movie_test
