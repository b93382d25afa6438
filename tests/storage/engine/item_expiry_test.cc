// An expired item reads as missing at once on every path, and is removed later, but only while it is still
// expired.
#include <gmock/gmock.h>

#include "storage/engine/expiry_upgrade.h"
#include "tests/storage/engine/item_scene.h"

namespace parley::storage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kExpiringKey[] = R"(pk: "a", sk: "1")";

class ItemExpiryTest : public testing::TestWithParam<std::string> {
 protected:
  ItemExpiryTest() {
    scene.Do(Put("T", R"(pk: "a", sk: "1", city: "Rome", ttl: 1762351928)"));
    scene.Do(Put("T", R"(pk: "a", sk: "2", city: "Rome")"));
    scene.TakeLog();
  }
  ~ItemExpiryTest() override { EXPECT_THAT(scene.Check(), IsEmpty()); }
  std::vector<std::string> Query() { return scene.Read({.key = "pk = :p", .values = R"(:p: "a")"}); }
  std::vector<std::string> ByCity() {
    return scene.Read({.index = "by-city", .key = "city = :c", .values = R"(:c: "Rome")"});
  }
  void Expire() { scene.clock.Advance(1000); }
  void Sweep() {
    scene.clock.Advance(1000);
    scene.StepUntilIdle();
  }

  ItemScene scene{GetParam(),
                  {TableFrom({.indexes = {"by-city: city S"}, .owner = TableDef::Owner::kPeripheral})}};
};

INSTANTIATE_TEST_SUITE_P(Backends, ItemExpiryTest, testing::ValuesIn(BackendNames()));

TEST_P(ItemExpiryTest, an_expired_item_reads_as_missing_at_once_on_every_path) {
  scene.clock.Advance(876);  // 14:12:07.999
  EXPECT_NE(scene.Get("T", kExpiringKey), "-");
  EXPECT_THAT(Query(), SizeIs(2));
  scene.clock.Advance(1);
  EXPECT_EQ(scene.Get("T", kExpiringKey), "-");
  EXPECT_THAT(Query(), SizeIs(1));
  EXPECT_THAT(ByCity(), SizeIs(1));
  EXPECT_THAT(scene.Read({}), SizeIs(1));
  EXPECT_THAT(scene.Read({.index = "by-city"}), SizeIs(1));
  EXPECT_THAT(scene.ReadAll({.limit = 1}), SizeIs(1));
  EXPECT_EQ(scene.Transact({Check("T", kExpiringKey, "attribute_exists(pk)")}),
            "TransactionCanceled [ConditionalCheckFailed]");
  EXPECT_EQ(scene.Do(Delete("T", kExpiringKey).If("attribute_exists(pk)").TellItem()), "ConditionFailed");
  EXPECT_EQ(scene.Do(Change("T", kExpiringKey, "SET n = if_not_exists(city, :n)", ":n: 1")), "ok");
  EXPECT_EQ(scene.Get("T", kExpiringKey), R"(n: 1, pk: "a", sk: "1")") << "created again";
  EXPECT_EQ(scene.StatsOf("T").items, 2);
}

TEST_P(ItemExpiryTest, the_sweeper_removes_the_item_and_its_entries_and_logs_it) {
  Expire();
  Sweep();
  EXPECT_THAT(scene.TakeLog(),
              ElementsAre(R"(expired T remove city: "Rome", pk: "a", sk: "1", ttl: 1762351928 -> -)"));
  ItemCheckReport report;
  EXPECT_THAT(scene.Check(&report), IsEmpty());
  EXPECT_EQ(report.items, 1u);
  EXPECT_EQ(report.entries, 1u);
  EXPECT_EQ(report.places, 0u);
  EXPECT_EQ(scene.StatsOf("T").items, 1);
  Sweep();
  EXPECT_THAT(scene.TakeLog(), IsEmpty());
}

TEST_P(ItemExpiryTest, the_sweeper_leaves_items_that_no_longer_expire) {
  EXPECT_EQ(scene.Do(Change("T", kExpiringKey, "SET #t = :t", ":t: 1762352928", "#t: \"ttl\"")), "ok");
  Expire();
  Sweep();
  EXPECT_NE(scene.Get("T", kExpiringKey), "-");
  EXPECT_EQ(scene.Do(Change("T", kExpiringKey, "REMOVE #t", "", "#t: \"ttl\"")), "ok");
  scene.clock.Advance(3'600'000);
  Sweep();
  EXPECT_NE(scene.Get("T", kExpiringKey), "-");
  ItemCheckReport report;
  EXPECT_THAT(scene.Check(&report), IsEmpty());
  EXPECT_EQ(report.places, 0u);
}

TEST_P(ItemExpiryTest, a_write_that_comes_before_the_sweeper_keeps_its_item) {
  Expire();
  EXPECT_EQ(scene.Do(Put("T", R"(pk: "a", sk: "1", n: 1)").If("attribute_not_exists(pk)")), "ok");
  Sweep();
  EXPECT_EQ(scene.Get("T", kExpiringKey), R"(n: 1, pk: "a", sk: "1")");
  EXPECT_THAT(ByCity(), SizeIs(1));
}

TEST_P(ItemExpiryTest, absent_unreadable_and_mistaken_times_expire_nothing) {
  for (const char* ttl : {"0", "-5", "\"1762351928\"", "1.5", "1500000000", "9e30"})
    scene.Do(Put("T", R"(pk: "b", sk: ")" + std::string(1, *ttl) + std::string(ttl).substr(0, 2) +
                          "x\", ttl: " + ttl));
  const size_t before = scene.Read({}).size();
  scene.clock.Advance(10'000);
  Sweep();
  EXPECT_EQ(scene.Read({}).size(), before - 1) << "the first, whose time was near";
}

// Programs that divide milliseconds by a thousand write times with a fraction. The clock of expiry counts
// seconds.
TEST_P(ItemExpiryTest, a_time_with_a_fraction_expires_in_the_next_second_and_is_swept) {
  scene.Do(Put("T", R"(pk: "f", sk: "1", city: "Bern", ttl: 1762351930.25)"));
  scene.Do(Put("T", R"(pk: "f", sk: "2", city: "Bern", ttl: 1762351930.99999)"));
  EXPECT_THAT(scene.Check(), IsEmpty());
  const auto left = [&] {
    return scene.Read({.index = "by-city", .key = "city = :c", .values = R"(:c: "Bern")"}).size();
  };
  scene.clock.now_ms = 1'762'351'930'999;
  EXPECT_EQ(left(), 2u);
  scene.clock.Advance(1);
  EXPECT_EQ(left(), 0u);
  EXPECT_EQ(scene.Get("T", R"(pk: "f", sk: "1")"), "-");
  scene.clock.Advance(1000);
  scene.StepUntilIdle();
  EXPECT_EQ(scene.StatsOf("T").items, 1) << "the one that never expires";
  EXPECT_EQ(scene.Rows(TableTag::kItemExpiry).size(), 0u);
}

// An item as earlier versions left it: without a place among those that expire, and without the record that
// all such places exist.
TEST_P(ItemExpiryTest, items_that_an_earlier_version_never_removed_expire_after_the_update) {
  const std::string text = R"(pk: "f", sk: "1", ttl: 1762351930.25)";
  scene.Do(Put("T", text));
  for (const RowKey& place : scene.Rows(TableTag::kItemExpiry)) {
    ExpiryEntry entry;
    ASSERT_TRUE(ParseExpiryKey(place.sort.bytes(), &entry));
    if (entry.at_s == 1'762'351'931) scene.Plant(place.partition, place.sort, std::nullopt);
  }
  scene.Plant(RecordPartition("store"), FractionPlacesKey(), std::nullopt);
  scene.Plant(TableKeyRecords(), TableKeyRecordKey(scene.tenant, protocol::KeyText::UpToNul("PKT1")),
              Row{1, {}});
  ItemCheckReport report;
  EXPECT_THAT(scene.Check(&report), IsEmpty());
  EXPECT_EQ(report.not_judged, 1u);
  scene.Restart();
  scene.clock.Advance(1000);
  scene.StepUntilIdle();
  EXPECT_THAT(scene.Check(&report), IsEmpty());
  EXPECT_NE(scene.Get("T", R"(pk: "f", sk: "1")"), "-");
  scene.clock.Advance(10'000);
  scene.StepUntilIdle();
  EXPECT_EQ(scene.Rows(TableTag::kItemExpiry).size(), 0u);
  EXPECT_EQ(scene.StatsOf("T").items, 1) << "the one that never expires";
  scene.Plant(TableKeyRecords(), TableKeyRecordKey(scene.tenant, protocol::KeyText::UpToNul("PKT1")), {});
}

TEST_P(ItemExpiryTest, more_than_a_slice_expires_in_several) {
  for (int i = 0; i < 450; ++i)
    scene.Do(Put("T", "pk: \"many\", sk: \"" + std::to_string(i) + "\", ttl: 1762351928"));
  Expire();
  Sweep();
  EXPECT_THAT(scene.Read({}), SizeIs(1));
  EXPECT_EQ(scene.StatsOf("T").items, 1);
  EXPECT_EQ(scene.Rows(TableTag::kItemExpiry).size(), 0u);
}

}  // namespace
}  // namespace parley::storage
