// Indexes whose keys have several attributes: entries are ordered, found, bounded and verified.
#include <gmock/gmock.h>

#include <random>

#include "storage/engine/catalog.h"
#include "storage/items/item_codec.h"
#include "tests/storage/engine/item_scene.h"

namespace parley::storage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const char kIndex[] = "by-place: land S + city S, street S + house N + door B";
const char kHash[] = "land = :l AND city = :c";
const char kHashValues[] = R"(:l: "IT", :c: "Rome")";

std::strong_ordering OrderOf(const AttributeValue& a, const AttributeValue& b) {
  const auto order = Compare(a, b);
  return order < 0   ? std::strong_ordering::less
         : order > 0 ? std::strong_ordering::greater
                     : std::strong_ordering::equal;
}

// Texts that share prefixes and contain the bytes that the encoding escapes.
AttributeValue AnyText(std::mt19937& chance) {
  static const std::vector<std::string> kTexts = {
      "a", "ab", std::string("a\0", 2), std::string("a\0b", 3), std::string("\0\1", 2), "b", "\xff", "\1"};
  return kTexts[chance() % kTexts.size()];
}
AttributeValue AnyNumber(std::mt19937& chance) {
  static const char* const kNumbers[] = {"-10", "-9.5", "-1", "0", "0.001", "1", "2", "10", "1e20"};
  return Number::Must(kNumbers[chance() % std::size(kNumbers)]);
}

TEST(SeveralKeys, entries_sort_as_their_attributes_do_in_turn_and_none_collide) {
  const TableDefPtr def = TableFrom({.range = "", .indexes = {"i: a S + b S, c S + d N + e B"}});
  const IndexDef& index = def->indexes[0];
  std::mt19937 chance(7);
  const auto any = [&] {
    KeyValues entry{"p", AnyText(chance)};
    entry.more_hash = {"q"};
    entry.more_range = {AnyNumber(chance), Binary{*AnyText(chance).text()}};
    return entry;
  };
  const auto values = [](const KeyValues& key) {
    return std::vector<AttributeValue>{*key.range, key.more_range[0], key.more_range[1]};
  };
  for (int i = 0; i < 20'000; ++i) {
    const KeyValues a = any(), b = any();
    std::strong_ordering expected = std::strong_ordering::equal;
    for (size_t n = 0; n < 3 && expected == 0; ++n) expected = OrderOf(values(a)[n], values(b)[n]);
    const KeyValues item{"item", {}};
    const std::string first = EntryKey(*def, index, a, item).bytes();
    const std::string second = EntryKey(*def, index, b, item).bytes();
    ASSERT_EQ(first.compare(second) <=> 0, expected) << i;
    KeyValues read, of;
    ASSERT_TRUE(ParseEntryKey(*def, index, first, &read, &of));
    ASSERT_TRUE(read == a && of == item);
    ASSERT_EQ(ItemKeyOfEntry(*def, index, first), ItemKey(*def, item));
  }
}

TEST(SeveralKeys, a_boundary_between_two_attributes_is_part_of_the_key) {
  const TableDefPtr def = TableFrom({.range = "", .indexes = {"i: a S + b S"}});
  KeyValues first{"ab", {}}, second{"a", {}};
  first.more_hash = {"c"};
  second.more_hash = {"bc"};
  const IndexDef& index = def->indexes[0];
  EXPECT_NE(EntryKey(*def, index, first, {"p", {}}), EntryKey(*def, index, second, {"p", {}}));
  EXPECT_FALSE(EntryKey(*def, index, second, {"p", {}})
                   .bytes()
                   .starts_with(HashPrefix(&index, first.hash, first.more_hash).bytes()));
}

TEST(SeveralKeys, a_definition_names_them_in_order_and_only_if_there_are_several) {
  TableDef def = *TableFrom({.indexes = {kIndex, "by-city: city S, house N", "two: a S + b N"}});
  def.owner = TableDef::Owner::kTenant;
  const std::string bytes = EncodeDefinition(def);
  TableDef read;
  ASSERT_TRUE(DecodeDefinition(bytes, &read));
  ASSERT_THAT(read.indexes, SizeIs(3));
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(read.indexes[i].keys, def.indexes[i].keys) << i;
  EXPECT_EQ(EncodeDefinition(read), bytes);
  Item item;
  ASSERT_TRUE(DecodeItem(bytes, &item));
  const List& indexes = *item.Find("indexes")->As<List>();
  const Item* several = indexes[0].As<Item>()->Find("keys")->As<Item>();
  EXPECT_FALSE(several->Has("hash")) << "earlier programs refuse it";
  EXPECT_EQ(TextOfItem(*indexes[1].As<Item>()->Find("keys")->As<Item>()),
            R"(hash: "city", hashType: "S", range: "house", rangeType: "N")");
}

TEST(SeveralKeys, a_definition_with_too_many_of_them_cannot_be_read) {
  TableDef def = *TableFrom({.indexes = {"i: a S + b S + c S + d S + e S"}});
  TableDef read;
  EXPECT_FALSE(DecodeDefinition(EncodeDefinition(def), &read));
}

class SeveralKeysTest : public testing::TestWithParam<std::string> {
 protected:
  ~SeveralKeysTest() override { EXPECT_THAT(scene.Check(), IsEmpty()); }

  std::string PutHome(const std::string& sk, const std::string& attributes) {
    return scene.Do(Put("T", R"(pk: "p", sk: ")" + sk + R"(", )" + attributes));
  }
  static std::string Home(const char* street, int house, const char* door = "a") {
    return R"(land: "IT", city: "Rome", street: ")" + std::string(street) +
           "\", house: " + std::to_string(house) + ", door: b\"" + door + "\"";
  }
  // The sort keys of the items found, in order.
  std::vector<std::string> Found(const std::string& more, const std::string& values, bool forward = true,
                                 size_t limit = 0) {
    std::vector<std::string> sks;
    for (const std::string& text : scene.ReadAll({.index = "by-place",
                                   .key = kHash + more,
                                   .values = kHashValues + values,
                                   .limit = limit,
                                   .forward = forward}))
      sks.push_back(*ItemFrom(text).Find("sk")->text());
    return sks;
  }

  ItemScene scene{GetParam(), {TableFrom({.indexes = {kIndex}})}};
};

INSTANTIATE_TEST_SUITE_P(Backends, SeveralKeysTest, testing::ValuesIn(BackendNames()));

TEST_P(SeveralKeysTest, a_query_goes_from_left_to_right) {
  PutHome("1", Home("Appia", 2));
  PutHome("2", Home("Appia", 10));
  PutHome("3", Home("Appia", 10, "b"));
  PutHome("4", Home("Ardea", 1));
  PutHome("5", Home("Ardea", 1, "b"));
  PutHome("6", Home("Corso", 3));
  PutHome("7", R"(land: "IT", city: "Oslo", street: "Appia", house: 2, door: b"a")");
  const std::string appia = R"(, :s: "Appia")";
  EXPECT_THAT(Found("", ""), ElementsAre("1", "2", "3", "4", "5", "6"));
  EXPECT_THAT(Found("", "", false), ElementsAre("6", "5", "4", "3", "2", "1"));
  EXPECT_THAT(Found(" AND street = :s", appia), ElementsAre("1", "2", "3"));
  EXPECT_THAT(Found(" AND street > :s", appia), ElementsAre("4", "5", "6"));
  EXPECT_THAT(Found(" AND street <= :s", appia), ElementsAre("1", "2", "3"));
  EXPECT_THAT(Found(" AND begins_with(street, :s)", R"(, :s: "A")"), ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_THAT(Found(" AND street BETWEEN :s AND :t", appia + R"(, :t: "B")"),
              ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_THAT(Found(" AND house >= :n AND street = :s", appia + ", :n: 3"), ElementsAre("2", "3"));
  EXPECT_THAT(Found(" AND street = :s AND house < :n", appia + ", :n: 10"), ElementsAre("1"));
  EXPECT_THAT(Found(" AND street = :s AND house = :n AND door > :d", appia + ", :n: 10, :d: b\"a\""),
              ElementsAre("3"));
  EXPECT_THAT(Found(" AND street = :s AND house = :n AND door = :d", appia + ", :n: 10, :d: b\"a\""),
              ElementsAre("2"));
}

TEST_P(SeveralKeysTest, an_item_is_in_the_index_only_with_all_of_them) {
  for (const char* lacking : {"land", "city", "street", "house", "door"}) {
    Item item = ItemFrom(R"(pk: "p", sk: "1", )" + Home("Appia", 1));
    item.Erase(lacking);
    EXPECT_EQ(scene.Do(Put("T", "").WithItem(item)), "ok");
    EXPECT_THAT(Found("", ""), IsEmpty()) << lacking;
    EXPECT_THAT(scene.ReadAll({.index = "by-place"}), IsEmpty()) << lacking;
    EXPECT_THAT(scene.Check(), IsEmpty()) << lacking;
  }
  PutHome("1", Home("Appia", 1));
  EXPECT_THAT(Found("", ""), ElementsAre("1"));
  EXPECT_EQ(scene.Do(Change("T", R"(pk: "p", sk: "1")", "SET door = :d", ":d: b\"z\"")), "ok");
  EXPECT_THAT(Found(" AND street = :s AND house = :n AND door = :d", R"(, :s: "Appia", :n: 1, :d: b"z")"),
              ElementsAre("1"));
  EXPECT_EQ(scene.Do(Change("T", R"(pk: "p", sk: "1")", "REMOVE door")), "ok");
  EXPECT_THAT(Found("", ""), IsEmpty());
}

TEST_P(SeveralKeysTest, a_value_that_cannot_be_a_key_is_refused) {
  EXPECT_EQ(PutHome("1", R"(house: "two")"), "Validation");
  EXPECT_EQ(PutHome("1", R"(city: "")"), "Validation");
  EXPECT_EQ(PutHome("1", R"(street: ["Appia"])"), "Validation");
  EXPECT_THAT(scene.Read({}), IsEmpty());
}

TEST_P(SeveralKeysTest, the_attributes_of_a_key_share_its_bytes) {
  const auto with = [&](size_t land, size_t city, size_t street, size_t door) {
    Item item = ItemFrom(R"(pk: "p", sk: "1", house: 1)");  // a number of 2 bytes
    item.Set("land", std::string(land, 'l'));
    item.Set("city", std::string(city, 'c'));
    item.Set("street", std::string(street, 's'));
    item.Set("door", Binary{std::string(door, 'd')});
    return scene.Do(Put("T", "").WithItem(std::move(item)));
  };
  EXPECT_EQ(with(1024, 1024, 511, 511), "ok");
  EXPECT_THAT(scene.ReadAll({.index = "by-place"}), SizeIs(1));
  EXPECT_EQ(with(1024, 1025, 511, 511), "Validation");
  EXPECT_EQ(with(1024, 1024, 511, 512), "Validation");
  EXPECT_EQ(with(2048, 1, 1, 1), "Validation");
}

TEST_P(SeveralKeysTest, pages_of_every_size_skip_and_repeat_nothing) {
  for (int i = 0; i < 12; ++i) PutHome(std::to_string(10 + i), Home(i % 2 ? "Appia" : "Corso", i % 3));
  for (const bool forward : {true, false}) {
    const std::string more = " AND street = :s", values = R"(, :s: "Appia")";
    const auto all = Found("", "", forward), some = Found(more, values, forward);
    ASSERT_THAT(all, SizeIs(12));
    ASSERT_THAT(some, SizeIs(6));
    for (size_t limit = 1; limit < 14; ++limit) {
      EXPECT_EQ(Found("", "", forward, limit), all) << limit;
      EXPECT_EQ(Found(more, values, forward, limit), some) << limit;
    }
  }
  ItemPage page;
  scene.Read({.index = "by-place", .key = kHash, .values = kHashValues, .limit = 1}, {}, &page);
  EXPECT_EQ(TextOfItem(*page.last),
            R"(city: "Rome", door: b"a", house: 0, land: "IT", pk: "p", sk: "13", street: "Appia")");
}

TEST_P(SeveralKeysTest, a_start_that_lacks_one_of_them_or_is_elsewhere_is_refused) {
  PutHome("1", Home("Appia", 1));
  const PageText ask{.index = "by-place", .key = kHash, .values = kHashValues};
  const Item start = ItemFrom(R"(pk: "p", sk: "1", )" + Home("Appia", 1));
  EXPECT_THAT(scene.Read(ask, start), IsEmpty());
  for (const char* lacking : {"land", "city", "street", "house", "door", "pk", "sk"}) {
    Item without = start;
    without.Erase(lacking);
    EXPECT_THAT(scene.Read(ask, without), ElementsAre("Validation")) << lacking;
  }
  Item more = start;
  more.Set("other", "x");
  EXPECT_THAT(scene.Read(ask, more), ElementsAre("Validation"));
  Item elsewhere = start;
  elsewhere.Set("city", "Oslo");
  EXPECT_THAT(scene.Read(ask, elsewhere), ElementsAre("Validation"));
}

TEST_P(SeveralKeysTest, verification_finds_an_entry_that_is_missing_or_one_too_many) {
  PutHome("1", Home("Appia", 1));
  const TableDef& def = scene.Def("T");
  const PartitionKey table = TablePartition(scene.tenant, def);
  KeyValues entry = *KeyOf(def.indexes[0].keys, ItemFrom(Home("Appia", 1)));
  const KeyValues item{"p", AttributeValue("1")};
  const SortKey right = EntryKey(def, def.indexes[0], entry, item);
  entry.more_range[1] = Binary{"z"};
  const SortKey wrong = EntryKey(def, def.indexes[0], entry, item);
  scene.Plant(table, right, std::nullopt);
  EXPECT_THAT(scene.Check(), ElementsAre(R"(acme: T: pk "p" sk "1": its entry in by-place is missing)"));
  scene.Plant(table, right, Row{1, ""});
  scene.Plant(table, wrong, Row{1, ""});
  EXPECT_THAT(scene.Check(), ElementsAre(R"(acme: T: pk "p" sk "1": an entry too many in by-place)"));
  scene.Plant(table, wrong, std::nullopt);
}

}  // namespace
}  // namespace parley::storage
