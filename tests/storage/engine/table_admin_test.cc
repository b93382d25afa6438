// A tenant's own tables: created, changed and dropped while others write to them, with verification after
// each step.
#include "storage/engine/table_admin.h"

#include <gmock/gmock.h>

#include "storage/engine/item_upkeep.h"
#include "storage/engine/table_facts.h"
#include "tests/storage/engine/item_scene.h"

namespace parley::storage {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class TableAdminTest : public testing::TestWithParam<std::string> {
 protected:
  TableAdminTest() { EXPECT_EQ(Make({.name = "Own"}), "ok"); }
  ~TableAdminTest() override { EXPECT_THAT(scene.Check(), IsEmpty()); }

  std::string Make(TableText text, size_t tables = 100) {
    text.ttl = "";
    text.owner = TableDef::Owner::kTenant;
    TableDef wanted = *TableFrom(text);
    wanted.index_numbers = 0;
    return scene.Decide([&](ItemTransaction& tx) {
      TableDefPtr made;
      return DecideCreateTable(tx, scene.tenant, wanted, {.tables = tables}, &made);
    });
  }
  std::string Drop(const std::string& name) {
    return scene.Decide([&](ItemTransaction& tx) {
      TableDefPtr dropped;
      return DecideDeleteTable(tx, scene.tenant, name, &dropped);
    });
  }
  std::string Alter(TableUpdate update) {
    return scene.Decide([&](ItemTransaction& tx) {
      TableDefPtr changed;
      return DecideUpdateTable(tx, scene.tenant, update, &changed);
    });
  }
  std::string AddIndex(const char* text) { return Alter({.name = "Own", .add_index = IndexFrom(text, 0)}); }
  std::string SetTtl(const char* attribute) { return Alter({.name = "Own", .ttl_attribute = attribute}); }
  void Fill(int items) {
    for (int i = 0; i < items; i += 50) {
      std::vector<WriteText> writes;
      for (int j = i; j < std::min(items, i + 50); ++j) writes.push_back(PutNumbered(j, j % 5));
      EXPECT_THAT(scene.DoTogether(writes), Each("ok"));
    }
  }
  static std::string KeyOfNumber(int i) { return "pk: \"p" + std::to_string(i) + "\", sk: \"1\""; }
  static WriteText PutNumbered(int i, int age) {
    return Put("Own", KeyOfNumber(i) + ", age: " + std::to_string(age));
  }
  // Runs one slice of upkeep, with everything due.
  bool Upkeep() {
    scene.clock.Advance(1000);
    return scene.writer().Step();
  }
  // a row of the store itself: the record that the places of fractions exist
  static constexpr int kRecords = 1;
  IndexStatus StatusOf(const char* index) { return scene.Def("Own").FindIndex(index)->status; }

  ItemScene scene{
      GetParam(),
      {TableFrom({}),
       TableFrom({.name = "Kept", .indexes = {"by-city: city S"}, .owner = TableDef::Owner::kPeripheral})}};
};

INSTANTIATE_TEST_SUITE_P(Backends, TableAdminTest, testing::ValuesIn(BackendNames()));

TEST_P(TableAdminTest, a_table_is_there_for_its_tenant_alone_also_after_a_restart) {
  EXPECT_EQ(scene.Do(Put("Own", R"(pk: "a", sk: "1")")), "ok");
  EXPECT_EQ(Make({.name = "Own"}), "TableInUse");
  EXPECT_EQ(Make({.name = "T"}), "TableInUse") << "the server's";
  scene.Restart();
  EXPECT_EQ(scene.Get("Own", R"(pk: "a", sk: "1")"), R"(pk: "a", sk: "1")");
  scene.tenant = TenantId{"other"};
  EXPECT_EQ(scene.Do(Put("Own", R"(pk: "a", sk: "1")")), "TableNotFound");
  EXPECT_EQ(Make({.name = "Own"}, 0), "LimitExceeded");
  EXPECT_EQ(Drop("T"), "TableInUse");
}

TEST_P(TableAdminTest, a_new_table_of_a_dropped_tables_name_is_empty_and_the_old_rows_are_erased) {
  Fill(250);
  EXPECT_EQ(Drop("Own"), "ok");
  EXPECT_EQ(Make({.name = "Own"}), "ok");
  EXPECT_THAT(scene.Read({.table = "Own"}), IsEmpty());
  EXPECT_EQ(scene.Do(Put("Own", R"(pk: "a", sk: "1")")), "ok");
  for (bool more = true; more; more = Upkeep()) EXPECT_THAT(scene.Check(), IsEmpty());
  ItemCheckReport report;
  scene.Check(&report);
  EXPECT_EQ(report.items, 1u);
  EXPECT_THAT(scene.Rows(TableTag::kItems), SizeIs(4 + kRecords))
      << "definition, generation, item, statistics";
}

TEST_P(TableAdminTest, a_protected_table_is_not_dropped) {
  EXPECT_EQ(Alter({.name = "Own", .deletion_protection = true}), "ok");
  EXPECT_EQ(Drop("Own"), "Validation");
  EXPECT_EQ(Alter({.name = "Own", .deletion_protection = false}), "ok");
  EXPECT_EQ(Drop("Own"), "ok");
}

TEST_P(TableAdminTest, an_index_is_filled_while_others_write_and_lacks_nothing_then) {
  Fill(500);
  EXPECT_EQ(AddIndex("by-age: age N"), "ok");
  EXPECT_EQ(AddIndex("more: age N"), "LimitExceeded");
  int steps = 0;
  for (; StatusOf("by-age") == IndexStatus::kCreating; ++steps) {
    ASSERT_LT(steps, 100);
    EXPECT_TRUE(Upkeep());
    // On both sides of the place at which the filling continues, wherever that is.
    for (int i = steps; i < 500; i += 90) {
      EXPECT_EQ(scene.Do(PutNumbered(i, 7)), "ok");
      EXPECT_EQ(scene.Do(Delete("Own", KeyOfNumber(i + 1))), "ok");
      EXPECT_EQ(scene.Do(Change("Own", KeyOfNumber(i + 2), "REMOVE age")), "ok");
      EXPECT_EQ(scene.Do(PutNumbered(1000 + i + steps, 8)), "ok");
    }
    EXPECT_THAT(scene.Check(), IsEmpty());
    if (steps == 1) scene.Restart();
    int64_t seen = 0;
    EXPECT_TRUE(ReadBackfill(scene.table(), scene.tenant, scene.Def("Own"),
                             *scene.Def("Own").FindIndex("by-age"), &seen)
                    .ok());
    EXPECT_TRUE(seen > 0 || StatusOf("by-age") == IndexStatus::kActive);
  }
  EXPECT_GE(steps, 3);
  ItemCheckReport report;
  EXPECT_THAT(scene.Check(&report), IsEmpty());
  EXPECT_EQ(report.not_judged, 0u);
  size_t aged = 0;
  for (const std::string& item : scene.ReadAll({.table = "Own"})) aged += ItemFrom(item).Has("age");
  EXPECT_THAT(scene.ReadAll({.table = "Own", .index = "by-age"}), SizeIs(aged));
}

TEST_P(TableAdminTest, an_index_with_keys_of_several_attributes_is_filled_and_there_after_a_restart) {
  for (int i = 0; i < 300; ++i)
    EXPECT_EQ(scene.Do(Put("Own", KeyOfNumber(i) + ", land: \"x\", age: " + std::to_string(i % 5) +
                                      (i % 3 ? R"(, city: "c")" : ""))),
              "ok");
  EXPECT_EQ(AddIndex("by-place: land S + city S, age N + pk S"), "ok");
  while (StatusOf("by-place") == IndexStatus::kCreating) ASSERT_TRUE(Upkeep());
  scene.Restart();
  EXPECT_THAT(scene.ReadAll({.table = "Own", .index = "by-place"}), SizeIs(200));
  EXPECT_THAT(scene.ReadAll({.table = "Own",
                             .index = "by-place",
                             .key = "land = :l AND city = :c AND age = :a AND begins_with(pk, :p)",
                             .values = R"(:l: "x", :c: "c", :a: 0, :p: "p1")"}),
              SizeIs(14));
}

TEST_P(TableAdminTest, an_added_index_omits_items_that_cannot_have_its_keys) {
  scene.Do(Put("Own", R"(pk: "a", sk: "1", city: "")"));
  scene.Do(Put("Own", R"(pk: "b", sk: "1", city: 5)"));
  scene.Do(Put("Own", "pk: \"c\", sk: \"1\", city: \"" + std::string(2049, 'x') + "\""));
  scene.Do(Put("Own", R"(pk: "d", sk: "1", city: "Rome")"));
  EXPECT_EQ(AddIndex("by-city: city S"), "ok");
  while (Upkeep()) {
  }
  EXPECT_THAT(scene.Read({.table = "Own", .index = "by-city"}),
              ElementsAre(R"(city: "Rome", pk: "d", sk: "1")"));
}

TEST_P(TableAdminTest, a_dropped_index_is_erased_with_its_entries_and_its_number_is_not_reused) {
  Fill(300);
  EXPECT_EQ(AddIndex("by-age: age N"), "ok");
  while (Upkeep()) {
  }
  EXPECT_EQ(Alter({.name = "Own", .drop_index = "by-age"}), "ok");
  EXPECT_EQ(Alter({.name = "Own", .drop_index = "by-age"}), "TableInUse") << "it is going already";
  for (int i = 0; scene.Def("Own").FindIndex("by-age"); ++i) {
    ASSERT_LT(i, 10);
    EXPECT_EQ(scene.Do(PutNumbered(i, 9)), "ok");
    EXPECT_THAT(scene.Check(), IsEmpty());
    EXPECT_TRUE(Upkeep());
  }
  ItemCheckReport report;
  EXPECT_THAT(scene.Check(&report), IsEmpty());
  EXPECT_EQ(report.entries, 0u);
  EXPECT_EQ(AddIndex("by-age: age N"), "ok");
  EXPECT_EQ(scene.Def("Own").FindIndex("by-age")->number, 2);
  while (Upkeep()) {
  }
  EXPECT_THAT(scene.Read({.table = "Own", .index = "by-age"}), SizeIs(300));
}

TEST_P(TableAdminTest, a_table_that_is_dropped_while_an_index_is_filled_leaves_nothing) {
  Fill(450);
  EXPECT_EQ(AddIndex("by-age: age N"), "ok");
  EXPECT_TRUE(Upkeep());
  EXPECT_EQ(Drop("Own"), "ok");
  EXPECT_EQ(Make({.name = "Own"}), "ok");
  while (Upkeep()) EXPECT_THAT(scene.Check(), IsEmpty());
  EXPECT_THAT(scene.Rows(TableTag::kItems), SizeIs(2 + kRecords)) << "definition and generation";
}

TEST_P(TableAdminTest, items_expire_by_the_attribute_that_is_named_later) {
  Fill(300);
  scene.Do(Put("Own", R"(pk: "a", sk: "1", gone: 1762351900, other: 1762399999)"));
  EXPECT_NE(scene.Get("Own", R"(pk: "a", sk: "1")"), "-");
  EXPECT_EQ(SetTtl("gone"), "ok");
  EXPECT_EQ(scene.Get("Own", R"(pk: "a", sk: "1")"), "-");
  EXPECT_THAT(scene.Check(), IsEmpty());
  while (Upkeep()) EXPECT_THAT(scene.Check(), IsEmpty());
  EXPECT_EQ(scene.StatsOf("Own").items, 300);
  scene.Do(Put("Own", R"(pk: "b", sk: "1", gone: 1762399998, other: 1762399999)"));
  EXPECT_EQ(SetTtl("other"), "ok");
  while (Upkeep()) EXPECT_THAT(scene.Check(), IsEmpty());
  scene.clock.Advance(60'000);
  EXPECT_EQ(scene.Do(Put("Own", R"(pk: "c", sk: "1", other: 1762359999, third: 1762399999)")), "ok");
  EXPECT_EQ(SetTtl("third"), "ok");
  scene.clock.Advance(10'000'000);  // the place by the former attribute is due, and the item stays
  while (Upkeep()) EXPECT_THAT(scene.Check(), IsEmpty());
  EXPECT_NE(scene.Get("Own", R"(pk: "c", sk: "1")"), "-");
  scene.Do(Delete("Own", R"(pk: "b", sk: "1")"));
  ItemCheckReport report;
  EXPECT_THAT(scene.Check(&report), IsEmpty());
  EXPECT_EQ(report.stale_places, 2u) << "by the attributes that were";
}

// The work records name the old table; the new one has other keys.
TEST_P(TableAdminTest, work_on_a_dropped_table_does_not_touch_the_next_of_its_name) {
  Fill(250);
  EXPECT_EQ(SetTtl("gone"), "ok");
  EXPECT_EQ(Drop("Own"), "ok");
  EXPECT_EQ(Make({.name = "Own", .hash = "id N", .range = ""}), "ok");
  EXPECT_EQ(scene.Do(Put("Own", "id: 1")), "ok");
  while (Upkeep()) EXPECT_THAT(scene.Check(), IsEmpty());
  EXPECT_THAT(scene.Read({.table = "Own"}), ElementsAre("id: 1"));
  EXPECT_THAT(scene.Rows(TableTag::kItems), SizeIs(4 + kRecords))
      << "definition, generation, item, statistics";
}

TEST_P(TableAdminTest, an_expiry_in_a_dropped_table_removes_nothing_from_the_next_of_its_name) {
  EXPECT_EQ(SetTtl("gone"), "ok");
  while (Upkeep()) {
  }
  EXPECT_EQ(
      scene.Do(Put("Own", R"(pk: "a", sk: "1", gone: )" + std::to_string(scene.clock.now_ms / 1000 + 1))),
      "ok");
  EXPECT_EQ(Drop("Own"), "ok");
  EXPECT_EQ(Make({.name = "Own"}), "ok");
  EXPECT_EQ(SetTtl("gone"), "ok");
  EXPECT_EQ(scene.Do(Put("Own", R"(pk: "a", sk: "1")")), "ok");
  scene.clock.Advance(5000);
  while (Upkeep()) EXPECT_THAT(scene.Check(), IsEmpty());
  EXPECT_EQ(scene.Get("Own", R"(pk: "a", sk: "1")"), R"(pk: "a", sk: "1")");
}

// --- a declared table that the tenant's back end keeps

TEST_P(TableAdminTest, a_declared_table_accepts_indexes_of_its_tenant_only) {
  for (int i = 0; i < 250; ++i)
    ASSERT_EQ(scene.Do(Put("Kept", KeyOfNumber(i) + ", city: \"Rome\", age: " + std::to_string(i % 5))),
              "ok");
  EXPECT_EQ(Alter({.name = "Kept", .add_index = IndexFrom("by-age: age N, city S", 0)}), "ok");
  while (Upkeep()) EXPECT_THAT(scene.Check(), IsEmpty());
  const PageText by_age{.table = "Kept", .index = "by-age", .key = "age = :a", .values = ":a: 3"};
  EXPECT_THAT(scene.Read(by_age), SizeIs(50));
  EXPECT_EQ(scene.Do(Put("Kept", KeyOfNumber(3) + ", age: 4")), "ok");
  scene.Restart();
  EXPECT_THAT(scene.Read(by_age), SizeIs(49));
  EXPECT_THAT(scene.Read({.table = "Kept", .index = "by-city"}), SizeIs(249)) << "the declared one";
  EXPECT_EQ(Alter({.name = "Kept", .drop_index = "by-city"}), "TableInUse");
  EXPECT_EQ(Alter({.name = "Kept", .deletion_protection = false}), "TableInUse");
  EXPECT_EQ(Drop("Kept"), "TableInUse");
  const TenantId acme = scene.tenant;
  scene.tenant = TenantId{"other"};
  EXPECT_EQ(scene.Def("Kept").FindIndex("by-age"), nullptr);
  EXPECT_EQ(Alter({.name = "T", .add_index = IndexFrom("by-age: age N", 0)}), "TableInUse")
      << "the services'";
  EXPECT_EQ(Make({.name = "one"}, 1), "ok") << "what is declared does not count";
  scene.tenant = acme;
  EXPECT_EQ(Alter({.name = "Kept", .drop_index = "by-age"}), "ok");
  while (Upkeep()) EXPECT_THAT(scene.Check(), IsEmpty());
  EXPECT_EQ(scene.Def("Kept").FindIndex("by-age"), nullptr);
  ItemCheckReport report;
  EXPECT_THAT(scene.Check(&report), IsEmpty());
  EXPECT_EQ(report.entries, 249u);
}

TEST_P(TableAdminTest, a_declared_tables_expiry_is_changed_for_the_tenant_alone) {
  const auto set = [&](std::optional<std::string> attribute) {
    return scene.Decide([&](ItemTransaction& tx) {
      TableDefPtr changed;
      return DecideTimeToLive(tx, scene.tenant, {"Kept", attribute.value_or("ttl"), attribute.has_value()},
                              &changed);
    });
  };
  const std::string item = R"(gone: 1762399999, pk: "a", sk: "1", ttl: 1762351930)";
  ASSERT_EQ(scene.Do(Put("Kept", item)), "ok");
  EXPECT_EQ(set({}), "ok");
  scene.clock.Advance(10'000);
  while (Upkeep()) EXPECT_THAT(scene.Check(), IsEmpty());
  EXPECT_EQ(scene.Get("Kept", R"(pk: "a", sk: "1")"), item) << "kept, though its ttl has passed";
  EXPECT_EQ(set("gone"), "ok");
  scene.Restart();
  EXPECT_EQ(scene.Def("Kept").ttl_attribute, "gone");
  while (Upkeep()) EXPECT_THAT(scene.Check(), IsEmpty());
  scene.clock.now_ms = 1'762'399'999'000;
  EXPECT_EQ(scene.Get("Kept", R"(pk: "a", sk: "1")"), "-");
  while (Upkeep()) EXPECT_THAT(scene.Check(), IsEmpty());
  EXPECT_EQ(scene.StatsOf("Kept").items, 0);
  scene.tenant = TenantId{"other"};
  EXPECT_EQ(scene.Def("Kept").ttl_attribute, "ttl");
}

// --- tags

class TagsTest : public TableAdminTest {
 protected:
  std::string Tag(const char* table, const Tags& tags) {
    return scene.Decide([&](ItemTransaction& tx) { return DecideTag(tx, scene.tenant, table, tags); });
  }
  std::string Untag(const char* table, const std::vector<std::string>& names) {
    return scene.Decide([&](ItemTransaction& tx) { return DecideUntag(tx, scene.tenant, table, names); });
  }
  Tags Reported(const char* table) {
    TableFacts facts;
    EXPECT_FALSE(ReadFacts(scene.table(), scene.tenant, table, &facts));
    return facts.tags;
  }
};
INSTANTIATE_TEST_SUITE_P(Backends, TagsTest, testing::ValuesIn(BackendNames()));

TEST_P(TagsTest, stay_until_they_are_removed_or_the_table_is_dropped) {
  EXPECT_EQ(Tag("Own", {{"a", "1"}, {"b", "2"}}), "ok");
  EXPECT_EQ(Tag("Own", {{"b", "3"}, {"c", ""}}), "ok");
  EXPECT_EQ(Tag("T", {{"a", "declared"}}), "ok");
  scene.Restart();
  EXPECT_EQ(Reported("Own"), (Tags{{"a", "1"}, {"b", "3"}, {"c", ""}}));
  EXPECT_EQ(Untag("Own", {"a", "nothing"}), "ok");
  EXPECT_EQ(Reported("Own"), (Tags{{"b", "3"}, {"c", ""}}));
  EXPECT_THAT(scene.Check(), IsEmpty());
  EXPECT_EQ(Drop("Own"), "ok");
  EXPECT_EQ(Make({.name = "Own"}), "ok");
  EXPECT_EQ(Reported("Own"), Tags());
  EXPECT_EQ(Reported("T"), (Tags{{"a", "declared"}}));
  scene.tenant = TenantId{"other"};
  EXPECT_EQ(Reported("T"), Tags());
  scene.tenant = TenantId{"acme"};
}

TEST_P(TagsTest, are_fifty_at_most) {
  Tags many;
  for (int i = 0; i < 50; ++i) many["k" + std::to_string(i)] = "v";
  EXPECT_EQ(Tag("Own", many), "ok");
  EXPECT_EQ(Tag("Own", {{"k7", "new"}}), "ok");
  EXPECT_EQ(Tag("Own", {{"one more", ""}}), "Validation");
  EXPECT_EQ(Reported("Own").size(), 50u);
}

TEST_P(TagsTest, are_checked_by_verification) {
  const std::string facts = EncodeFacts({{{"a", "b"}}, "STANDARD", Encryption{"key"}});
  TableFacts back;
  EXPECT_TRUE(DecodeFacts(facts, &back));
  EXPECT_EQ(EncodeFacts(back), facts);
  scene.Plant(FactsRecords(), FactsKey(scene.tenant, "Gone"), Row{1, facts});
  EXPECT_THAT(scene.Check(), ElementsAre("acme: Gone: its facts are left, but the table does not exist"));
  scene.Plant(FactsRecords(), FactsKey(scene.tenant, "Gone"), std::nullopt);
  scene.Plant(FactsRecords(), FactsKey(scene.tenant, "Own"), Row{1, "x"});
  EXPECT_THAT(scene.Check(), ElementsAre("acme: Own: its facts cannot be read"));
  scene.Plant(FactsRecords(), FactsKey(scene.tenant, "Own"), std::nullopt);
}

}  // namespace
}  // namespace parley::storage
