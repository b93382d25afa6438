// Verification of tables: a sound store has no differences, and each planted fault is reported as one
// sentence.
#include "storage/engine/item_check.h"

#include <gmock/gmock.h>

#include "protocol/base/varint.h"
#include "storage/items/item_codec.h"
#include "tests/storage/engine/item_scene.h"

namespace parley::storage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class ItemCheckTest : public testing::TestWithParam<std::string> {
 protected:
  ItemCheckTest() {
    EXPECT_EQ(scene.Do(Put("T", kAnn)), "ok");
    EXPECT_EQ(scene.Do(Put("T", R"(pk: "b", sk: "1", city: "Rome", age: 9, mail: "b@x", ttl: 4000000000)")),
              "ok");
    EXPECT_EQ(scene.Transact({Put("T", R"(pk: "c", sk: "1")")}, "token"), "ok");
  }

  KeyValues Key(const char* pk) { return {AttributeValue(pk), AttributeValue("1")}; }
  PartitionKey Partition() { return TablePartition(scene.tenant, scene.Def("T")); }
  SortKey ItemAt(const char* pk) { return ItemKey(scene.Def("T"), Key(pk)); }
  SortKey EntryAt(const char* city, int64_t age, const char* pk) {
    const TableDef& def = scene.Def("T");
    return EntryKey(def, def.indexes[0], {AttributeValue(city), AttributeValue::OfInt(age)}, Key(pk));
  }
  SortKey GuardAt(const char* mail) {
    return GuardOf(scene.tenant, scene.Def("T"), scene.Def("T").unique[0], Item{{"mail", mail}})->sort;
  }
  void PlantItem(const char* text) {
    const Item item = ItemFrom(text);
    scene.Plant(Partition(), ItemKey(scene.Def("T"), *KeyOf(scene.Def("T").keys, item)),
                Row{1, EncodeItem(item)});
  }

  static constexpr char kAnn[] = R"(pk: "a", sk: "1", city: "Rome", age: 10, mail: "a@x")";
  ItemScene scene{GetParam(), {TableFrom({.indexes = {"by-city: city S, age N"}, .unique = {"mail"}})}};
};

INSTANTIATE_TEST_SUITE_P(Backends, ItemCheckTest, testing::ValuesIn(BackendNames()));

TEST_P(ItemCheckTest, a_sound_store_has_no_differences_and_every_row_is_checked) {
  ItemCheckReport report;
  EXPECT_THAT(scene.Check(&report), IsEmpty());
  EXPECT_EQ(report.tables, 1u);
  EXPECT_EQ(report.items, 3u);
  EXPECT_EQ(report.entries, 2u);
  EXPECT_EQ(report.guards, 2u);
  EXPECT_EQ(report.places, 2u);
  EXPECT_EQ(report.tokens, 1u);
  EXPECT_EQ(report.stale_places + report.not_judged, 0u);
}

TEST_P(ItemCheckTest, an_item_that_expires_in_a_fraction_of_a_second_has_its_place_too) {
  scene.StepUntilIdle();  // records once that all such places exist
  ASSERT_EQ(scene.Do(Put("T", R"(pk: "d", sk: "1", ttl: 4000000000.25)")), "ok");
  EXPECT_THAT(scene.Check(), IsEmpty());
  scene.Plant(ExpiryPartition(), ExpiryKey(4'000'000'001, Partition(), ItemAt("d")), std::nullopt);
  EXPECT_THAT(scene.Check(), ElementsAre(R"(acme: T: pk "d" sk "1": its expiry place is missing)"));
}

TEST_P(ItemCheckTest, an_entry_that_was_removed_is_missing) {
  scene.Plant(Partition(), EntryAt("Rome", 10, "a"), std::nullopt);
  EXPECT_THAT(scene.Check(), ElementsAre(R"(acme: T: pk "a" sk "1": its entry in by-city is missing)"));
}

TEST_P(ItemCheckTest, an_entry_with_a_payload_is_wrong) {
  scene.Plant(Partition(), EntryAt("Rome", 10, "a"), Row{1, "x"});
  EXPECT_THAT(scene.Check(), UnorderedElementsAre(R"(acme: T: pk "a" sk "1": its entry in by-city is wrong)",
                                                  "acme: T: an entry in by-city cannot be read"));
}

TEST_P(ItemCheckTest, an_entry_of_another_value_or_of_no_item_is_reported_as_extra) {
  scene.Plant(Partition(), EntryAt("Oslo", 10, "a"), Row{1, ""});
  scene.Plant(Partition(), EntryAt("Rome", 10, "z"), Row{1, ""});
  EXPECT_THAT(scene.Check(), UnorderedElementsAre(R"(acme: T: pk "a" sk "1": an entry too many in by-city)",
                                                  R"(acme: T: pk "z" sk "1": an entry too many in by-city)"));
}

TEST_P(ItemCheckTest, an_entry_of_an_unknown_index_is_reported) {
  IndexDef other = scene.Def("T").indexes[0];
  other.number = 7;
  scene.Plant(Partition(),
              EntryKey(scene.Def("T"), other, {AttributeValue("x"), AttributeValue::OfInt(1)}, Key("a")),
              Row{1, ""});
  EXPECT_THAT(scene.Check(), ElementsAre("acme: T: an entry of an index that the table does not have"));
}

TEST_P(ItemCheckTest, a_guard_without_an_item_is_reported_as_extra) {
  scene.Plant(Partition(), GuardAt("z@x"), Row{1, Partition().bytes() + ItemAt("z").bytes()});
  scene.Plant(Partition(), GuardAt("y@x"), Row{1, Partition().bytes() + ItemAt("a").bytes()});
  scene.Plant(Partition(), GuardAt("w@x"), Row{1, "nonsense"});
  EXPECT_THAT(scene.Check(), UnorderedElementsAre(R"(acme: T: pk "z" sk "1": a guard too many for mail)",
                                                  R"(acme: T: pk "a" sk "1": a guard too many for mail)",
                                                  "acme: T: a guard for mail cannot be read"));
}

TEST_P(ItemCheckTest, a_missing_guard_or_one_of_another_item_is_reported) {
  scene.Plant(Partition(), GuardAt("a@x"), std::nullopt);
  scene.Plant(Partition(), GuardAt("b@x"), Row{1, Partition().bytes() + ItemAt("a").bytes()});
  EXPECT_THAT(scene.Check(),
              UnorderedElementsAre(R"(acme: T: pk "a" sk "1": its guard for mail is missing)",
                                   R"(acme: T: pk "b" sk "1": its guard for mail is another's)",
                                   R"(acme: T: pk "a" sk "1": a guard too many for mail)"));
}

TEST_P(ItemCheckTest, an_item_changed_in_its_row_alone_disagrees_with_its_entries) {
  PlantItem(R"(pk: "a", sk: "1", city: "Oslo", age: 10, mail: "c@x")");
  EXPECT_THAT(scene.Check(),
              UnorderedElementsAre(R"(acme: T: pk "a" sk "1": its entry in by-city is missing)",
                                   R"(acme: T: pk "a" sk "1": its guard for mail is missing)",
                                   R"(acme: T: pk "a" sk "1": an entry too many in by-city)",
                                   R"(acme: T: pk "a" sk "1": a guard too many for mail)"));
}

TEST_P(ItemCheckTest, a_lost_item_leaves_entries_that_are_reported) {
  scene.Plant(Partition(), ItemAt("b"), std::nullopt);
  EXPECT_THAT(scene.Check(),
              UnorderedElementsAre(R"(acme: T: pk "b" sk "1": an entry too many in by-city)",
                                   R"(acme: T: pk "b" sk "1": a guard too many for mail)",
                                   R"(acme: T: pk "b" sk "1": an expiry place of a missing item)",
                                   "acme: T: its statistics say 3 items of 63 bytes, and there are 2 of 32"));
}

TEST_P(ItemCheckTest, an_unreadable_item_or_one_under_another_key_is_reported) {
  scene.Plant(Partition(), ItemAt("a"), Row{1, "\xff"});
  scene.Plant(Partition(), ItemAt("d"), Row{1, EncodeItem(ItemFrom(R"(pk: "e", sk: "1")"))});
  const std::vector<std::string> answered = scene.Check();
  EXPECT_THAT(answered, testing::Contains("acme: T: an item cannot be read"));
  EXPECT_THAT(answered,
              testing::Contains(R"(acme: T: pk "d" sk "1": its row has another key than its attributes)"));
}

TEST_P(ItemCheckTest, wrong_or_unreadable_statistics_are_reported) {
  scene.Plant(Partition(), StatsKey(), Row{1, EncodeStats({4, 63})});
  EXPECT_THAT(scene.Check(),
              ElementsAre("acme: T: its statistics say 4 items of 63 bytes, and there are 3 of 63"));
  scene.Plant(Partition(), StatsKey(), Row{1, "\xff"});
  EXPECT_THAT(scene.Check(), testing::Contains("acme: T: its statistics cannot be read"));
}

TEST_P(ItemCheckTest, a_missing_place_is_reported_and_one_at_another_time_is_harmless) {
  scene.Plant(ExpiryPartition(), ExpiryKey(4'000'000'001, Partition(), ItemAt("b")), Row{1, ""});
  scene.Plant(ExpiryPartition(), ExpiryKey(4'000'000'001, Partition(), ItemAt("a")), Row{1, ""});
  ItemCheckReport report;
  EXPECT_THAT(scene.Check(&report), IsEmpty());
  EXPECT_EQ(report.stale_places, 2u);
  scene.Plant(ExpiryPartition(), ExpiryKey(4'000'000'000, Partition(), ItemAt("b")), std::nullopt);
  EXPECT_THAT(scene.Check(), ElementsAre(R"(acme: T: pk "b" sk "1": its expiry place is missing)"));
}

TEST_P(ItemCheckTest, tokens_and_their_places_go_together) {
  std::optional<RowKey> place;
  for (const RowKey& row : scene.Rows(TableTag::kItemExpiry)) {
    ExpiryEntry entry;
    ASSERT_TRUE(ParseExpiryKey(row.sort.bytes(), &entry));
    if (entry.partition == TokenPartition(scene.tenant).bytes()) place = row;
  }
  ASSERT_TRUE(place);
  scene.Plant(place->partition, place->sort, std::nullopt);
  EXPECT_THAT(scene.Check(), ElementsAre("acme: token token: its expiry place is missing"));
  ExpiryEntry entry;
  ASSERT_TRUE(ParseExpiryKey(place->sort.bytes(), &entry));
  const auto place_at = [&](int64_t at_s) {
    return ExpiryKey(at_s, TokenPartition(scene.tenant), TokenKey("token"));
  };
  scene.Plant(ExpiryPartition(), place_at(entry.at_s - 1), Row{1, ""});
  EXPECT_THAT(scene.Check(), ElementsAre("acme: token token: its expiry place is missing"));
  scene.Plant(ExpiryPartition(), place_at(entry.at_s + 3600), Row{1, ""});
  EXPECT_THAT(scene.Check(), IsEmpty()) << "it lasts for longer, since the clock was set ahead";
  scene.Plant(ExpiryPartition(), place_at(entry.at_s - 1), std::nullopt);
  scene.Plant(ExpiryPartition(), place_at(entry.at_s + 3600), std::nullopt);
  scene.Plant(place->partition, place->sort, Row{1, ""});
  scene.Plant(TokenPartition(scene.tenant), TokenKey("token"), std::nullopt);
  EXPECT_THAT(scene.Check(), ElementsAre("acme: an expiry place of a missing token"));
  scene.Plant(TokenPartition(scene.tenant), TokenKey("token"), Row{1, ""});
  EXPECT_THAT(scene.Check(), ElementsAre("acme: the token of a transaction cannot be read"));
}

TEST_P(ItemCheckTest, tokens_of_unknown_tenants_are_checked_too) {
  scene.Plant(TokenPartition(EngineTenant()), TokenKey("token"), Row{1, ""});
  EXPECT_THAT(scene.Check(), ElementsAre(" engine: the token of a transaction cannot be read"));
}

TEST_P(ItemCheckTest, rows_without_a_table_are_reported) {
  TableDef gone = scene.Def("T");
  gone.name = "Gone";
  scene.Plant(TablePartition(scene.tenant, gone), ItemAt("a"), Row{1, ""});
  scene.Plant(Partition(), SortKey("\x09"), Row{1, ""});
  scene.Plant(DefinitionPartition(), DefinitionKey(scene.tenant, "Bad"), Row{1, "?"});
  scene.Plant(RecordPartition("store"), RecordKey("other"), Row{1, "?"});
  scene.Plant(Erasures(), RecordKey("?"), Row{1, "?"});
  scene.Plant(Backfills(), BackfillKey(Partition(), scene.Def("T").indexes[0]), Row{1, "?"});
  scene.Plant(ExpiryPartition(), SortKey("12345678"), Row{1, ""});
  const std::vector<std::string> answered = scene.Check();
  EXPECT_EQ(answered.size(), 7u) << testing::PrintToString(answered);
  EXPECT_THAT(answered, testing::Contains("acme: T: a row of a kind that is not known"));
  EXPECT_THAT(answered, testing::Contains("acme: Bad: the definition cannot be read"));
  EXPECT_THAT(answered, testing::Contains(testing::HasSubstr("rows of a table that is not defined: Gone")));
}

TEST(ItemCheckGlobal, a_guard_among_all_tenants_belongs_to_one_item) {
  ItemScene scene{"memory", {TableFrom({.unique = {"mail"}, .global_unique = true})}};
  ASSERT_EQ(scene.Do(Put("T", R"(pk: "a", sk: "1", mail: "m")")), "ok");
  scene.tenant = TenantId{"other"};
  ASSERT_EQ(scene.Do(Put("T", R"(pk: "a", sk: "1", mail: "m")")), "NotUnique");
  EXPECT_THAT(scene.Check(), IsEmpty());
  const TableDef& def = scene.Def("T");
  const auto guard = GuardOf(scene.tenant, def, def.unique[0], ItemFrom(R"(mail: "m")"));
  const PartitionKey others = TablePartition(scene.tenant, def);
  const SortKey own = ItemKey(def, {AttributeValue("a"), AttributeValue("1")});
  scene.Plant(guard->partition, guard->sort, Row{1, others.bytes() + own.bytes()});
  EXPECT_THAT(scene.Check(),
              UnorderedElementsAre(R"(acme: T: pk "a" sk "1": its guard for mail is another's)",
                                   R"(other: T: pk "a" sk "1": a guard too many for mail)"));
}

}  // namespace
}  // namespace parley::storage
