// Work is bounded in steps: of a page, of a decision, of a batch of the writer.
#include <gmock/gmock.h>

#include <numeric>

#include "tests/storage/engine/item_scene.h"

namespace parley::storage {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr size_t kLarge = 390'000;  // bytes of an item

std::string Many(int count) {
  std::string text = "contains(a, :v)";
  for (int i = 1; i < count; ++i) text += " OR contains(a, :v)";
  return text;
}

class ItemEffortTest : public testing::Test {
 protected:
  void PutLarge(int count, const std::string& more = "", char with = 'x') {
    for (int i = 0; i < count; ++i) {
      const std::string sk = std::to_string(100 + i);
      ASSERT_EQ(scene.Do(Put("T", "pk: \"a\", sk: \"" + sk + "\", a: \"" + std::string(kLarge, with) + "\"" +
                                      (more.empty() ? "" : ", " + more))),
                "ok");
    }
  }
  // The number of items that each page looked at, for all pages.
  std::vector<size_t> Scanned(const PageText& ask) {
    std::vector<size_t> out;
    std::optional<Item> start;
    for (;;) {
      ItemPage page;
      scene.Read(ask, start, &page);
      out.push_back(page.scanned);
      EXPECT_LE(page.steps, kFirstItemStepsMax);
      if (!page.last || out.size() > 100) return out;
      start = page.last;
    }
  }

  ItemScene scene{"memory", {TableFrom({.indexes = {"by-city: city S"}, .owner = TableDef::Owner::kTenant})}};
};

TEST_F(ItemEffortTest, a_page_ends_after_its_filter_read_much_and_pages_skip_nothing) {
  PutLarge(6);
  const PageText cheap{.filter = Many(1), .filter_values = ":v: \"y\""};
  EXPECT_EQ(Scanned(cheap), (std::vector<size_t>{2, 2, 2})) << "by their size";
  const PageText dear{.filter = Many(20), .filter_values = ":v: \"y\""};
  EXPECT_EQ(Scanned(dear), (std::vector<size_t>{2, 2, 2}));
  const PageText dearer{.filter = Many(75), .filter_values = ":v: \"y\""};
  EXPECT_EQ(Scanned(dearer).size(), 6u) << "one each";
  const PageText dearest{.filter = Many(150), .filter_values = ":v: \"y\""};
  const auto scanned = Scanned(dearest);
  EXPECT_EQ(std::accumulate(scanned.begin(), scanned.end(), size_t{0}), 6u) << "each page gets on";
}

TEST_F(ItemEffortTest, an_item_that_takes_more_than_any_page_may_is_refused) {
  std::string list;
  for (int i = 0; i < 130'000; ++i) list += i == 0 ? "1" : ", 1";
  ASSERT_EQ(scene.Do(Put("T", "pk: \"a\", sk: \"1\", a: [" + list + "]")), "ok");
  const PageText ask{.filter = Many(150), .filter_values = ":v: \"y\""};
  EXPECT_THAT(scene.Read(ask), testing::ElementsAre(HasSubstr("LimitExceeded")));
}

TEST_F(ItemEffortTest, small_items_are_many_but_their_page_ends_too) {
  for (int i = 0; i < 3'000; ++i)
    ASSERT_EQ(scene.Do(Put("T", "pk: \"a\", sk: \"" + std::to_string(i) + "\"")), "ok");
  ItemPage page;
  scene.Read({.filter = Many(150), .filter_values = ":v: \"y\""}, {}, &page);
  EXPECT_EQ(page.scanned, 3'000u) << "nothing was looked at";
  PageRequest request;
  request.steps_each = 20'000;  // a long projection
  ItemPage reported;
  const Snapshot snapshot = scene.table().NewSnapshot();
  EXPECT_EQ(ReadPage({*snapshot, scene.tenant, scene.clock.Now()}, scene.Def("T"), request, &reported),
            std::nullopt);
  EXPECT_LE(reported.items.size(), kPageStepsMax / 20'000);
  EXPECT_TRUE(reported.last);
}

TEST_F(ItemEffortTest, rows_that_are_passed_over_count_by_their_bytes) {
  PutLarge(30, "ttl: " + std::to_string(scene.clock.now_ms / 1000 + 10));
  scene.clock.Advance(60'000);
  ItemPage page;
  EXPECT_THAT(scene.Read({}, {}, &page), IsEmpty());
  EXPECT_TRUE(page.last) << "the page ends among them";
  EXPECT_LE(page.steps, kPageStepsMax + kLarge * kStepsPerByteRead + 1000);
}

TEST_F(ItemEffortTest, an_index_that_projects_little_of_large_items_counts_all_it_reads) {
  const TableDefPtr slim = [] {
    auto def = std::make_shared<TableDef>(*TableFrom({.name = "S", .indexes = {"by-city: city S"}}));
    def->owner = TableDef::Owner::kTenant;
    def->indexes[0].projection.kind = IndexProjection::Kind::kKeysOnly;
    return def;
  }();
  ItemScene other{"memory", {slim}};
  for (int i = 0; i < 40; ++i)
    ASSERT_EQ(other.Do(Put("S", "pk: \"a\", sk: \"" + std::to_string(i) + "\", city: \"Rome\", a: \"" +
                                    std::string(kLarge, 'x') + "\"")),
              "ok");
  ItemPage page;
  other.Read({.table = "S", .index = "by-city", .key = "city = :c", .values = ":c: \"Rome\""}, {}, &page);
  EXPECT_TRUE(page.last);
  EXPECT_LE(page.scanned, 21u);
  EXPECT_EQ(
      other
          .ReadAll(
              {.table = "S", .index = "by-city", .key = "city = :c", .values = ":c: \"Rome\"", .limit = 7})
          .size(),
      40u);
}

constexpr char kRefused[] = "LimitExceeded";

TEST_F(ItemEffortTest, a_decision_that_takes_too_much_is_refused_and_changes_nothing) {
  PutLarge(2);
  EXPECT_EQ(scene.Do(Change("T", R"(pk: "a", sk: "100")", "SET b = :b", ":b: 1").If(Many(10), ":v: \"x\"")),
            "ok");
  EXPECT_THAT(
      scene.Do(Change("T", R"(pk: "a", sk: "100")", "SET b = :b", ":b: 2").If(Many(150), ":v: \"y\"")),
      HasSubstr(kRefused));
  EXPECT_THAT(scene.Do(Put("T", R"(pk: "a", sk: "101")").If(Many(150), ":v: \"y\"")), HasSubstr(kRefused));
  EXPECT_THAT(scene.Get("T", R"(pk: "a", sk: "100")"), HasSubstr("b: 1"));
  EXPECT_THAT(scene.Get("T", R"(pk: "a", sk: "101")"), HasSubstr("xxx"));
}

TEST_F(ItemEffortTest, the_checks_of_a_transaction_share_one_budget) {
  PutLarge(40);
  const auto checks = [](int count, int contains) {
    std::vector<WriteText> out;
    for (int i = 0; i < count; ++i)
      out.push_back(Check("T", "pk: \"a\", sk: \"" + std::to_string(100 + i) + "\"",
                          "NOT (" + Many(contains) + ")", ":v: \"y\""));
    return out;
  };
  EXPECT_EQ(scene.Transact(checks(5, 2)), "ok");
  EXPECT_THAT(scene.Transact(checks(5, 30)), HasSubstr(kRefused));
  EXPECT_THAT(scene.Transact(checks(40, 1)), HasSubstr(kRefused)) << "so much is not read, either";
  auto with_put = checks(5, 30);
  with_put.insert(with_put.begin(), Put("T", R"(pk: "n", sk: "1")"));
  EXPECT_THAT(scene.Transact(with_put), HasSubstr(kRefused));
  EXPECT_EQ(scene.Get("T", R"(pk: "n", sk: "1")"), "-");
}

TEST_F(ItemEffortTest, a_full_batch_that_replaces_large_items_is_done) {
  PutLarge(25);
  std::vector<WriteText> puts;
  for (int i = 0; i < 25; ++i)
    puts.push_back(Put(
        "T", "pk: \"a\", sk: \"" + std::to_string(100 + i) + "\", a: \"" + std::string(kLarge, 'z') + "\""));
  EXPECT_EQ(scene.DoBatch(puts), "ok");
}

TEST_F(ItemEffortTest, duplicates_are_refused_before_anything_is_read) {
  PutLarge(40);
  std::vector<WriteText> checks;
  for (int i = 0; i < 40; ++i)
    checks.push_back(Check("T", "pk: \"a\", sk: \"" + std::to_string(100 + i) + "\"", Many(1), ":v: \"y\""));
  checks.push_back(checks.front());
  EXPECT_EQ(scene.Transact(checks), "Validation") << "reading them all is refused for what it takes";
}

// The writer answers in between A's most expensive decisions: no answer waits for more than the steps of one
// batch plus one decision.
TEST_F(ItemEffortTest, a_batch_of_the_writer_ends_after_many_steps) {
  PutLarge(1);
  std::vector<std::string> answers(10, "-");
  for (std::string& answer : answers)
    scene.Submit(Check("T", R"(pk: "a", sk: "100")", Many(110), ":v: \"y\""), &answer);
  std::string others = "-";
  scene.Submit(Put("T", R"(pk: "b", sk: "1")"), &others);
  const auto answered = [&] {
    return std::count_if(answers.begin(), answers.end(), [](const auto& one) { return one != "-"; });
  };
  int turns = 0;
  for (; others == "-"; ++turns) {
    const auto before = answered();
    ASSERT_TRUE(scene.writer().Step());
    EXPECT_LE(answered() - before, 1);
  }
  EXPECT_EQ(others, "ok");
  EXPECT_EQ(turns, 11);
}

}  // namespace
}  // namespace parley::storage
