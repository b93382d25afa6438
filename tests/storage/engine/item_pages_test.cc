// Pages and orders: no item is skipped or repeated, whatever the page's size, direction, index or segment.
#include <gmock/gmock.h>

#include <set>

#include "tests/storage/engine/item_scene.h"

namespace parley::storage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAreArray;

class ItemPagesTest : public testing::TestWithParam<std::string> {
 protected:
  std::vector<std::string> Reversed(std::vector<std::string> texts) {
    std::reverse(texts.begin(), texts.end());
    return texts;
  }
  std::vector<std::string> Sks(const std::string& condition, const std::string& values,
                               const char* table = "N", bool forward = true) {
    std::vector<std::string> out;
    for (const std::string& text : scene.Read({.table = table,
                                   .key = "pk = :p AND " + condition,
                                   .values = ":p: \"a\", " + values,
                                   .forward = forward})) {
      const Item item = ItemFrom(text);
      const AttributeValue* sk = item.Find("sk");
      out.push_back(sk->number() ? sk->number()->ToText() : *sk->text());
    }
    return out;
  }

  ItemScene scene{GetParam(),
                  {TableFrom({.indexes = {"by-city: city S, age N", "by-age: age N"}}),
                   TableFrom({.name = "N", .range = "sk N", .indexes = {"lsi: pk S, task N"}}),
                   TableFrom({.name = "H", .range = ""})}};
};

INSTANTIATE_TEST_SUITE_P(Backends, ItemPagesTest, testing::ValuesIn(BackendNames()));

TEST_P(ItemPagesTest, pages_of_every_size_skip_and_repeat_nothing) {
  constexpr int kItems = 11;
  for (int i = 0; i < kItems; ++i)  // ages 0 to 2, so that there are ties
    scene.Do(Put("T", "pk: \"a\", sk: \"" + std::to_string(10 + i) + R"(", city: "Rome", age: )" +
                          std::to_string(i % 3)));
  scene.Do(Put("T", R"(pk: "b", sk: "10", city: "Oslo", age: 0)"));
  const std::vector<PageText> asks = {
      {.key = "pk = :p", .values = R"(:p: "a")"},
      {.index = "by-city", .key = "city = :c", .values = R"(:c: "Rome")"},
      {.index = "by-city", .key = "city = :c AND age >= :n", .values = R"(:c: "Rome", :n: 1)"},
      {.index = "by-age", .key = "age = :n", .values = ":n: 1"},
      {},
      {.index = "by-age"}};
  for (PageText ask : asks) {
    for (const bool filtered : {false, true}) {
      if (filtered) {
        ask.filter = "sk > :s";
        ask.filter_values = R"(:s: "13")";
      }
      ask.limit = 0;
      ask.forward = true;
      const std::vector<std::string> all = scene.Read(ask);
      ASSERT_FALSE(all.empty());
      for (ask.limit = 1; ask.limit <= kItems + 2; ++ask.limit) {
        ask.forward = true;
        EXPECT_EQ(scene.ReadAll(ask), all) << ask.index << " by " << ask.limit;
        ask.forward = false;
        EXPECT_EQ(scene.ReadAll(ask), Reversed(all)) << ask.index << " back by " << ask.limit;
      }
    }
  }
}

TEST_P(ItemPagesTest, the_limit_counts_before_the_filter_and_a_page_may_be_empty_and_go_on) {
  for (int i = 0; i < 4; ++i) scene.Do(Put("N", "pk: \"a\", sk: " + std::to_string(i)));
  ItemPage page;
  EXPECT_THAT(scene.Read({.table = "N",
                          .key = "pk = :p",
                          .values = R"(:p: "a")",
                          .filter = "sk = :n",
                          .filter_values = ":n: 3",
                          .limit = 2},
                         {}, &page),
              IsEmpty());
  EXPECT_EQ(page.scanned, 2u);
  EXPECT_EQ(page.count, 0u);
  ASSERT_TRUE(page.last);
  EXPECT_EQ(TextOfItem(*page.last), R"(pk: "a", sk: 1)");
}

TEST_P(ItemPagesTest, the_next_page_follows_an_item_that_was_deleted_since) {
  for (int i = 0; i < 6; ++i)
    scene.Do(Put("T", "pk: \"a\", sk: \"" + std::to_string(i) + R"(", city: "Rome", age: 1)"));
  const PageText ask{.index = "by-city", .key = "city = :c", .values = R"(:c: "Rome")", .limit = 2};
  ItemPage page;
  ASSERT_THAT(scene.Read(ask, {}, &page), SizeIs(2));
  scene.Do(Delete("T", R"(pk: "a", sk: "1")"));
  scene.Do(Change("T", R"(pk: "a", sk: "0")", "SET age = :n", ":n: 9"));
  EXPECT_THAT(scene.Read(ask, page.last), ElementsAre(R"(age: 1, city: "Rome", pk: "a", sk: "2")",
                                                      R"(age: 1, city: "Rome", pk: "a", sk: "3")"));
}

TEST_P(ItemPagesTest, a_start_that_is_no_key_of_the_table_or_index_is_refused) {
  scene.Do(Put("T", R"(pk: "a", sk: "1", city: "Rome", age: 1)"));
  const PageText table{.key = "pk = :p", .values = R"(:p: "a")"};
  const PageText index{.index = "by-city", .key = "city = :c", .values = R"(:c: "Rome")"};
  EXPECT_THAT(scene.Read(table, ItemFrom(R"(pk: "a")")), ElementsAre("Validation"));
  EXPECT_THAT(scene.Read(table, ItemFrom(R"(pk: "a", sk: "1", x: 1)")), ElementsAre("Validation"));
  EXPECT_THAT(scene.Read(table, ItemFrom(R"(pk: "z", sk: "1")")), ElementsAre("Validation"));
  EXPECT_THAT(scene.Read(index, ItemFrom(R"(pk: "a", sk: "1")")), ElementsAre("Validation"));
}

TEST_P(ItemPagesTest, numbers_are_ordered_by_value_and_texts_by_bytes) {
  const std::vector<std::string> numbers = {
      "-1e20", "-10", "-9.5", "-0.001", "0",
      "1e-20", "1",   "2",    "10",     "99999999999999999999999999999999999999"};
  for (size_t i = numbers.size(); i-- > 0;) scene.Do(Put("N", "pk: \"a\", sk: " + numbers[i]));
  const auto all = Sks("sk >= :n", ":n: -1e30");
  ASSERT_THAT(all, SizeIs(numbers.size()));
  for (size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(Number::Must(all[i]), Number::Must(numbers[i]));
  EXPECT_EQ(Sks("sk >= :n", ":n: -1e30", "N", false), Reversed(all));
  for (const char* text : {"é", "z", "a#", "a", "ab", "Z", "a\x01"})
    scene.Do(Put("T", std::string("pk: \"a\", sk: \"") + text + "\""));
  EXPECT_THAT(Sks("sk >= :s", R"(:s: "A")", "T"), ElementsAre("Z", "a", "a\x01", "a#", "ab", "z", "é"));
}

TEST_P(ItemPagesTest, a_local_index_orders_by_its_number_and_reads_new_writes) {
  for (const int task : {10, 2, 0, 1})
    EXPECT_EQ(scene.Do(Put(
                  "N", "pk: \"a\", sk: " + std::to_string(100 - task) + ", task: " + std::to_string(task))),
              "ok");
  const auto found = scene.Read({.table = "N", .index = "lsi", .key = "pk = :p", .values = R"(:p: "a")"});
  EXPECT_THAT(found, ElementsAre(R"(pk: "a", sk: 100, task: 0)", R"(pk: "a", sk: 99, task: 1)",
                                 R"(pk: "a", sk: 98, task: 2)", R"(pk: "a", sk: 90, task: 10)"));
}

TEST_P(ItemPagesTest, every_key_condition_selects_its_range) {
  for (const int n : {-2, -1, 0, 1, 2, 10}) scene.Do(Put("N", "pk: \"a\", sk: " + std::to_string(n)));
  EXPECT_THAT(Sks("sk = :n", ":n: 1"), ElementsAre("1"));
  EXPECT_THAT(Sks("sk < :n", ":n: 0"), ElementsAre("-2", "-1"));
  EXPECT_THAT(Sks("sk <= :n", ":n: 0"), ElementsAre("-2", "-1", "0"));
  EXPECT_THAT(Sks("sk > :n", ":n: 1"), ElementsAre("2", "10"));
  EXPECT_THAT(Sks("sk >= :n", ":n: 1"), ElementsAre("1", "2", "10"));
  EXPECT_THAT(Sks("sk BETWEEN :n AND :m", ":n: -1, :m: 2"), ElementsAre("-1", "0", "1", "2"));
  EXPECT_THAT(Sks("sk BETWEEN :n AND :m", ":n: 3, :m: 9"), IsEmpty());
  for (const char* text : {"a", "ab", "abc", "b"})
    scene.Do(Put("T", std::string("pk: \"a\", sk: \"") + text + "\""));
  EXPECT_THAT(Sks("begins_with(sk, :s)", R"(:s: "ab")", "T"), ElementsAre("ab", "abc"));
  EXPECT_THAT(Sks("sk > :s", R"(:s: "a")", "T", false), ElementsAre("b", "abc", "ab"));
}

TEST_P(ItemPagesTest, a_range_that_ends_before_it_begins_is_empty) {
  for (const int n : {1, 2, 3}) scene.Do(Put("N", "pk: \"a\", sk: " + std::to_string(n)));
  PageRequest request;
  request.key = KeyCondition{AttributeValue("a"), KeyCondition::Op::kBetween, AttributeValue::OfInt(3),
                             AttributeValue::OfInt(1)};
  for (request.forward = true;; request.forward = false) {
    ItemPage page;
    EXPECT_FALSE(ReadPage({scene.table(), scene.tenant, scene.clock.Now()}, scene.Def("N"), request, &page));
    EXPECT_EQ(page.scanned, 0u);
    if (!request.forward) break;
  }
}

TEST_P(ItemPagesTest, a_table_of_one_key_has_one_item_for_each) {
  EXPECT_EQ(scene.Do(Put("H", R"(pk: "a", n: 1)")), "ok");
  EXPECT_EQ(scene.Do(Put("H", R"(pk: "a", n: 2)")), "ok");
  EXPECT_EQ(scene.Do(Delete("H", R"(pk: "a", sk: "1")")), "Validation");
  EXPECT_THAT(scene.Read({.table = "H"}), ElementsAre(R"(n: 2, pk: "a")"));
}

TEST_P(ItemPagesTest, segments_cover_a_table_and_an_index_exactly_once) {
  for (int i = 0; i < 60; ++i)
    scene.Do(Put("T", "pk: \"p" + std::to_string(i) + "\", sk: \"1\", age: " + std::to_string(i)));
  for (const char* index : {"", "by-age"}) {
    const std::vector<std::string> all = scene.Read({.index = index});
    ASSERT_THAT(all, SizeIs(60));
    for (const uint32_t segments : {1u, 2u, 3u, 7u, 64u}) {
      std::vector<std::string> found;
      size_t used = 0;
      for (uint32_t segment = 0; segment < segments; ++segment) {
        const auto part =
            scene.ReadAll({.index = index, .limit = 4, .segment = segment, .segments = segments});
        used += part.empty() ? 0 : 1;
        found.insert(found.end(), part.begin(), part.end());
      }
      EXPECT_THAT(found, UnorderedElementsAreArray(all)) << segments;
      EXPECT_GE(used, std::min(segments, 16u)) << "they share the work";
    }
  }
}

TEST_P(ItemPagesTest, with_more_segments_than_hashes_each_item_is_in_one) {
  for (int i = 0; i < 20; ++i) scene.Do(Put("H", "pk: \"p" + std::to_string(i) + "\""));
  constexpr uint32_t kSegments = 1'000'000;
  size_t found = 0;
  const TableDef& def = scene.Def("H");
  std::vector<SortKey> keys;
  for (int i = 0; i < 20; ++i) keys.push_back(ItemKey(def, {AttributeValue("p" + std::to_string(i)), {}}));
  SortKey end = SegmentRange(nullptr, 0, kSegments).begin;
  for (uint32_t segment = 0; segment < kSegments; ++segment) {
    const SortRange range = SegmentRange(nullptr, segment, kSegments);
    ASSERT_EQ(range.begin, end) << "they follow one another";
    ASSERT_LE(range.begin, range.end);
    end = range.end;
    for (const SortKey& key : keys) found += range.begin <= key && key < range.end ? 1 : 0;
  }
  EXPECT_EQ(found, 20u);
  EXPECT_THAT(scene.Read({.table = "H", .segment = kSegments - 1, .segments = kSegments}),
              SizeIs(testing::Le(1u)));
}

TEST_P(ItemPagesTest, a_page_is_bounded_in_bytes_but_has_at_least_one_item) {
  for (int i = 0; i < 9; ++i) {
    Item item = ItemFrom("pk: \"a\", sk: \"" + std::to_string(i) + R"(", city: "Rome", age: 1)");
    item.Set("large", std::string(300 * 1024, 'x'));
    scene.Do(Put("T", "").WithItem(std::move(item)));
  }
  for (const char* index : {"", "by-city"}) {
    ItemPage page;
    EXPECT_THAT(scene.Read({.index = index}, {}, &page), SizeIs(3));
    EXPECT_TRUE(page.last);
    EXPECT_LE(page.bytes, kPageBytesMax);
    EXPECT_THAT(scene.ReadAll({.index = index}), SizeIs(9));
  }
}

}  // namespace
}  // namespace parley::storage
