// The engine's work in slices on a tenant's own tables, with a restart between any two of them; and the
// definitions of tables as rows.
#include <gmock/gmock.h>

#include "storage/items/item_codec.h"
#include "tests/storage/engine/item_scene.h"

namespace parley::storage {
namespace {

using testing::IsEmpty;

class TableUpkeep : public testing::TestWithParam<std::string> {
 protected:
  TableUpkeep() { scene_.StepUntilIdle(); }

  void Create() {
    EXPECT_EQ(scene_.Decide([&](ItemTransaction& tx) {
      TableDefPtr made;
      return DecideCreateTable(tx, scene_.tenant, *TableFrom({.name = "own", .range = ""}), {}, &made);
    }),
              "ok");
  }
  void Fill(int count) {
    std::vector<WriteText> puts;
    for (int i = 0; i < count; ++i)
      puts.push_back(Put("own", "pk: \"" + std::to_string(i) + "\", city: \"Oslo\""));
    EXPECT_EQ(scene_.DoBatch(puts), "ok");
  }
  std::string Update(const TableUpdate& update) {
    return scene_.Decide([&](ItemTransaction& tx) {
      TableDefPtr changed;
      return DecideUpdateTable(tx, scene_.tenant, update, &changed);
    });
  }
  std::string AddIndex() {
    TableUpdate update{.name = "own"};
    update.add_index = IndexFrom("by-city: city S", 0);
    return Update(update);
  }
  std::string DropIndex() { return Update({.name = "own", .drop_index = "by-city"}); }
  // Restarts the process after each slice. Returns the number of slices.
  int StepWithRestarts() {
    for (int steps = 0;; ++steps) {
      scene_.Restart();
      scene_.clock.Advance(1000);
      EXPECT_THAT(scene_.Check(), IsEmpty()) << "after slice " << steps;
      if (steps > 100 || !scene_.writer().Step()) return steps;
    }
  }
  size_t CountInIndex() {
    return scene_.ReadAll({.table = "own", .index = "by-city", .key = "city = :c", .values = R"(:c: "Oslo")"})
        .size();
  }

  ItemScene scene_{GetParam(), {}};
};

INSTANTIATE_TEST_SUITE_P(Backends, TableUpkeep, testing::ValuesIn(BackendNames()));

TEST_P(TableUpkeep, an_index_is_filled_to_the_end_through_any_number_of_restarts) {
  Create();
  Fill(700);
  EXPECT_EQ(AddIndex(), "ok");
  EXPECT_EQ(StepWithRestarts(), 4) << "200 items each, and the end";
  EXPECT_EQ(scene_.Def("own").indexes[0].status, IndexStatus::kActive);
  EXPECT_EQ(CountInIndex(), 700u);
}

TEST_P(TableUpkeep, a_dropped_index_and_a_dropped_table_are_erased_through_any_number_of_restarts) {
  Create();
  Fill(450);
  AddIndex();
  StepWithRestarts();
  EXPECT_EQ(DropIndex(), "ok");
  EXPECT_EQ(StepWithRestarts(), 3);
  EXPECT_THAT(scene_.Def("own").indexes, IsEmpty());
  EXPECT_EQ(scene_.Decide([&](ItemTransaction& tx) {
    TableDefPtr dropped;
    return DecideDeleteTable(tx, scene_.tenant, "own", &dropped);
  }),
            "ok");
  EXPECT_EQ(StepWithRestarts(), 3) << "the items, and the statistics with the last of them";
  const auto left = scene_.Rows(TableTag::kItems);
  EXPECT_EQ(left.size(), 2u) << "the number of tables that there ever were, and that fractions have places";
}

TEST_P(TableUpkeep, an_index_dropped_while_it_is_filled_leaves_nothing) {
  Create();
  Fill(450);
  AddIndex();
  scene_.clock.Advance(1000);
  EXPECT_TRUE(scene_.writer().Step());
  EXPECT_EQ(DropIndex(), "ok");
  const size_t before = scene_.Rows(TableTag::kItems).size();
  StepWithRestarts();
  EXPECT_LT(scene_.Rows(TableTag::kItems).size(), before - 190) << "what was filled is erased";
  EXPECT_EQ(AddIndex(), "ok");
  StepWithRestarts();
  EXPECT_EQ(CountInIndex(), 450u);
}

TEST_P(TableUpkeep, requests_that_never_cease_do_not_keep_an_index_from_being_filled) {
  Create();
  Fill(450);
  AddIndex();
  scene_.clock.Advance(1000);
  for (int i = 0; i < 3; ++i) {
    std::string answers[2];
    scene_.clock.Advance(20);
    for (std::string& answer : answers) scene_.Submit(Put("own", R"(pk: "0", city: "Oslo")"), &answer);
    scene_.writer().Step();
    EXPECT_EQ(answers[1], "ok");
  }
  EXPECT_EQ(scene_.Def("own").indexes[0].status, IndexStatus::kActive);
}

TEST(TableDefinitions, are_read_in_their_first_form) {
  // Rows as they were before they contained throughput.
  const Item row{{"name", "own"},
                 {"keys", Item{{"hash", "pk"}, {"hashType", "S"}}},
                 {"indexes", List{AttributeValue(Item{{"number", AttributeValue::OfInt(3)},
                                                      {"name", "by-age"},
                                                      {"kind", AttributeValue::OfInt(0)},
                                                      {"status", AttributeValue::OfInt(1)},
                                                      {"projection", AttributeValue::OfInt(2)},
                                                      {"include", List{AttributeValue("note")}},
                                                      {"keys", Item{{"hash", "age"}, {"hashType", "N"}}}})}},
                 {"ttl", "ends"},
                 {"protected", AttributeValue::OfBool(true)},
                 {"images", AttributeValue::OfBool(false)},
                 {"generation", AttributeValue::OfInt(7)},
                 {"indexNumbers", AttributeValue::OfInt(3)},
                 {"id", "an-id"},
                 {"createdAt", AttributeValue::OfInt(1'762'351'927'123)}};
  const std::string bytes = EncodeItem(row);
  TableDef def;
  ASSERT_TRUE(DecodeDefinition(bytes, &def));
  EXPECT_EQ(def.billing, BillingMode::kPayPerRequest);
  EXPECT_EQ(def.throughput, Throughput());
  EXPECT_EQ(def.on_demand_at.ms, 0);
  ASSERT_EQ(def.indexes.size(), 1u);
  EXPECT_EQ(def.indexes[0].throughput, Throughput());
  EXPECT_EQ(EncodeDefinition(def), bytes) << "written again it is the same";
}

TEST(TableDefinitions, keep_their_throughput) {
  TableDef def = *TableFrom({.indexes = {"by-city: city S"}});
  def.billing = BillingMode::kProvisioned;
  def.throughput = {5, 6};
  def.indexes[0].throughput = {7, 8};
  def.on_demand_at = {99};
  TableDef read;
  ASSERT_TRUE(DecodeDefinition(EncodeDefinition(def), &read));
  EXPECT_EQ(read.billing, BillingMode::kProvisioned);
  EXPECT_EQ(read.throughput, def.throughput);
  EXPECT_EQ(read.indexes[0].throughput, def.indexes[0].throughput);
  EXPECT_EQ(read.on_demand_at.ms, 99);
}

}  // namespace
}  // namespace parley::storage
