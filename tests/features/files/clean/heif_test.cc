// HEIC and AVIF: the bytes of metadata items become zero, those of pictures stay.
#include "tests/features/files/clean/box_scene.h"

namespace parley::features::clean::heif_test {
namespace {

constexpr std::string_view kMime = "image/heic";
const std::string kHeicType = MakeBox("ftyp", "heic\0\0\0\0mif1heic"s);

struct Item {
  int id = 0;
  std::string type, data;
  std::string media_type = {};
};
const Item kPicture{1, "hvc1", "coded pixels"};
const Item kTile{5, "av01", "more pixels"};
const Item kExif{2, "Exif", "\0\0\0\0MM..SECRET"s};
const Item kXmp{3, "mime", "<SECRET/>", "application/rdf+xml"};

std::string Entry(const Item& item) {
  std::string out = Big(2 << 24, 4) + Big(item.id, 2) + Big(0, 2) + item.type + "\0"s;
  if (item.type == "mime") out += item.media_type + "\0"s;
  return MakeBox("infe", out);
}

std::string Names(const std::vector<Item>& items) {
  std::string out = Big(0, 4) + Big(items.size(), 2);
  for (const Item& item : items) out += Entry(item);
  return MakeBox("iinf", out);
}

// 4032 x 3024, turned by quarters.
std::string Properties(int quarters) {
  const std::string list = MakeBox("ispe", Big(0, 4) + Big(512, 4) + Big(512, 4)) +
                           MakeBox("irot", Big(quarters, 1)) +
                           MakeBox("ispe", Big(0, 4) + Big(4032, 4) + Big(3024, 4));
  const std::string items = Big(5, 2) + "\x01\x01" + Big(1, 2) + "\x02\x82\x03";
  return MakeBox("iprp", MakeBox("ipco", list) + MakeBox("ipma", Big(0, 4) + Big(2, 4) + items));
}

// Places of version 1 with u32 offsets and lengths. `method`: 0 the file, 1 the box idat.
std::string Places(const std::vector<Item>& items, uint32_t first, int method) {
  std::string out = Big(1 << 24, 4) + "\x44\0"s + Big(items.size(), 2);
  for (const Item& item : items) {
    out +=
        Big(item.id, 2) + Big(method, 2) + Big(0, 2) + Big(1, 2) + Big(first, 4) + Big(item.data.size(), 4);
    first += static_cast<uint32_t>(item.data.size());
  }
  return MakeBox("iloc", out);
}

std::string Meta(const std::vector<Item>& items, const std::string& places, int quarters,
                 const std::string& more) {
  return MakeBox("meta", Big(0, 4) + Handler("pict") + MakeBox("pitm", Big(0, 4) + Big(1, 2)) + Names(items) +
                             places + Properties(quarters) + more);
}

std::string DataOf(const std::vector<Item>& items) {
  std::string out;
  for (const Item& item : items) out += item.data;
  return out;
}

// The items' bytes in mdat after the tree.
std::string Heic(const std::vector<Item>& items, int quarters = 0, const std::string& more = {}) {
  const size_t tree = Meta(items, Places(items, 0, 0), quarters, more).size();
  const auto first = static_cast<uint32_t>(kHeicType.size() + tree + 8);
  return kHeicType + Meta(items, Places(items, first, 0), quarters, more) + MakeBox("mdat", DataOf(items));
}

// The items' bytes inside of the tree.
std::string HeicWithData(const std::vector<Item>& items) {
  return kHeicType + Meta(items, Places(items, 0, 1), 0, MakeBox("idat", DataOf(items)));
}

Item Zeroed(Item item) {
  item.data.assign(item.data.size(), '\0');
  return item;
}

TEST(CleanHeif, a_picture_without_metadata_stays) {
  ExpectUnchanged(kMime, Heic({kPicture, kTile}));
  ExpectSides(CleanBytes(kMime, Heic({kPicture, kTile})), 4032, 3024);
  ExpectSides(CleanBytes(kMime, Heic({kPicture, kTile}, 3)), 3024, 4032);
  ExpectUnchanged(kMime, Heic({kPicture, {7, "mime", "jpeg", "image/jpeg"}}));
}

TEST(CleanHeif, metadata_items_become_zero_and_pictures_stay) {
  for (const char* mime : {"image/heic", "image/heif", "image/avif", "video/mp4"}) {
    EXPECT_EQ(ExpectCleaned(mime, Heic({kPicture, kExif, kTile, kXmp})).bytes,
              Heic({kPicture, Zeroed(kExif), kTile, Zeroed(kXmp)}));
    EXPECT_EQ(ExpectCleaned(mime, HeicWithData({kPicture, kExif, kTile, kXmp})).bytes,
              HeicWithData({kPicture, Zeroed(kExif), kTile, Zeroed(kXmp)}));
  }
  const Item uri{4, "uri ", "SECRET"};
  EXPECT_EQ(ExpectCleaned(kMime, Heic({uri, kPicture})).bytes, Heic({Zeroed(uri), kPicture}));
}

TEST(CleanHeif, boxes_with_metadata_become_free_space) {
  for (const char* type : {"uuid", "udta", "xml ", "mpvd"}) {
    const std::string box = MakeBox(type, "SECRET");
    EXPECT_EQ(ExpectCleaned(kMime, Heic({kPicture}) + box).bytes, Heic({kPicture}) + FreeBox(box.size()));
    EXPECT_EQ(ExpectCleaned(kMime, Heic({kPicture}, 0, box)).bytes, Heic({kPicture}, 0, FreeBox(box.size())));
  }
}

// A file with one metadata item at a place of the test's choice.
std::string WithPlace(int method, int reference, uint32_t offset, uint32_t length) {
  const std::string places =
      MakeBox("iloc", Big(1 << 24, 4) + "\x44\0"s + Big(2, 2) + Big(1, 2) + Big(0, 4) + Big(1, 2) +
                          Big(kHeicType.size() + 8, 4) + Big(12, 4) + Big(2, 2) + Big(method, 2) +
                          Big(reference, 2) + Big(1, 2) + Big(offset, 4) + Big(length, 4));
  const std::string data = kPicture.data + kExif.data;
  return kHeicType + MakeBox("mdat", data) + Meta({kPicture, kExif}, places, 0, MakeBox("idat", "SECRET"));
}

TEST(CleanHeif, an_item_without_a_known_place_is_rejected) {
  const auto first = static_cast<uint32_t>(kHeicType.size() + 8);
  const auto size = static_cast<uint32_t>(kExif.data.size());
  EXPECT_TRUE(CleanBytes(kMime, WithPlace(0, 0, first + 12, size)).ok);
  EXPECT_TRUE(CleanBytes(kMime, WithPlace(1, 0, 0, 6)).ok);
  EXPECT_FALSE(CleanBytes(kMime, WithPlace(2, 0, 0, 6)).ok) << "in another item";
  EXPECT_FALSE(CleanBytes(kMime, WithPlace(0, 1, first + 12, size)).ok) << "in another file";
  EXPECT_FALSE(CleanBytes(kMime, WithPlace(0, 0, first + 11, size)).ok) << "overlaps the picture";
  EXPECT_FALSE(CleanBytes(kMime, WithPlace(0, 0, first - 8, 8)).ok) << "the head of a box";
  EXPECT_FALSE(CleanBytes(kMime, WithPlace(0, 0, first + 12, size + 1)).ok) << "beyond the data";
  EXPECT_FALSE(CleanBytes(kMime, WithPlace(0, 0, 0xffffffff, size)).ok);
  EXPECT_FALSE(CleanBytes(kMime, WithPlace(0, 0, first + 12, 0xffffffff)).ok);
  EXPECT_FALSE(CleanBytes(kMime, WithPlace(0, 0, first + 12, 0)).ok) << "the whole file";
  EXPECT_FALSE(CleanBytes(kMime, WithPlace(1, 0, 0, 7)).ok) << "beyond the data in the tree";
}

TEST(CleanHeif, malformed_files_are_rejected) {
  EXPECT_FALSE(CleanBytes(kMime, "").ok);
  EXPECT_FALSE(CleanBytes(kMime, kHeicType + MakeBox("mdat", "SECRET")).ok) << "without a tree";
  const std::string bytes = Heic({kPicture, kExif});
  EXPECT_FALSE(CleanBytes(kMime, bytes + bytes.substr(kHeicType.size())).ok) << "two trees";
  const std::string places = Places({kPicture, kExif}, 0, 1);
  EXPECT_FALSE(CleanBytes(kMime, Heic({kPicture, kExif}, 0, places)).ok) << "two lists of places";
  EXPECT_FALSE(CleanBytes(kMime, Heic({kPicture, kExif}, 0, Names({kExif}))).ok) << "two lists of names";
  ExpectSafeWhenCut(kMime, Heic({kPicture, kExif, kTile, kXmp}));
  ExpectBoundedWhenChanged(kMime, Heic({kPicture, kExif, kXmp}));
  ExpectBoundedWhenChanged(kMime, HeicWithData({kPicture, kExif}));
}

TEST(CleanHeif, many_items_and_extents_cost_bounded_steps) {
  std::vector<Item> items = {kPicture};
  for (int i = 2; i < 3000; ++i)
    items.push_back({i, i % 2 == 0 ? "Exif" : "hvc1", i % 2 == 0 ? "SECRET" : "pixels"});
  const std::string bytes = Heic(items);
  EXPECT_LE(ExpectCleaned(kMime, bytes).read, 30 * bytes.size());
  // Extents of no bytes cost nothing in the file: 65 535 of them for each item.
  std::string places = Big(0, 4) + "\0\0"s + Big(60'000, 2);
  for (int i = 0; i < 60'000; ++i) places += Big(i, 2) + Big(0, 2) + Big(0xffff, 2);
  EXPECT_FALSE(CleanBytes(kMime, kHeicType + Meta({kPicture}, MakeBox("iloc", places), 0, {})).ok);
}

}  // namespace
}  // namespace parley::features::clean::heif_test
