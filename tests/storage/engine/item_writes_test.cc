// Single writes: conditions, versions, counters, the index entries and guards that follow, and the entries in
// the change log.
#include "storage/engine/item_writes.h"

#include <gmock/gmock.h>

#include "storage/declarations/load.h"
#include "storage/declarations/rules.h"
#include "storage/declarations/sealing.h"
#include "storage/items/item_codec.h"
#include "tests/storage/engine/item_scene.h"
#include "tests/storage/engine/watched_store.h"
#include "tests/storage/memory_sealer.h"

namespace parley::storage {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kWrittenKey[] = R"(pk: "a", sk: "1")";

class ItemWritesTest : public testing::TestWithParam<std::string> {
 protected:
  std::vector<std::string> ByCity(const char* city) {
    return scene.Read({.index = "by-city", .key = "city = :c", .values = std::string(":c: ") + city});
  }
  ~ItemWritesTest() override { EXPECT_THAT(scene.Check(), IsEmpty()); }

  ItemScene scene{
      GetParam(),
      {TableFrom({.indexes = {"by-city: city S, age N", "due: lane S, due_at N"}, .unique = {"mail"}})}};
};

INSTANTIATE_TEST_SUITE_P(Backends, ItemWritesTest, testing::ValuesIn(BackendNames()));

TEST_P(ItemWritesTest, put_get_and_delete) {
  EXPECT_EQ(scene.Get("T", kWrittenKey), "-");
  EXPECT_EQ(scene.Do(Put("T", R"(pk: "a", sk: "1", m: {l: [1, null]})")), "ok");
  EXPECT_EQ(scene.Get("T", kWrittenKey), R"(m: {l: [1, null]}, pk: "a", sk: "1")");
  EXPECT_EQ(scene.Do(Put("T", R"(pk: "a", sk: "1", n: 2)")), "ok");
  EXPECT_EQ(scene.Get("T", kWrittenKey), R"(n: 2, pk: "a", sk: "1")");
  EXPECT_EQ(scene.Do(Delete("T", kWrittenKey)), "ok");
  EXPECT_EQ(scene.Get("T", kWrittenKey), "-");
  EXPECT_EQ(scene.Do(Delete("T", kWrittenKey)), "ok");
  EXPECT_EQ(scene.Do(Put("Other", kWrittenKey)), "TableNotFound");
}

TEST_P(ItemWritesTest, a_condition_that_fails_changes_nothing_and_can_tell_the_item) {
  scene.Do(Put("T", R"(pk: "a", sk: "1", city: "Rome", age: 1, mail: "a@x")"));
  scene.TakeLog();
  const auto rows = scene.Rows(TableTag::kItems).size();
  EXPECT_EQ(scene.Do(Put("T", R"(pk: "a", sk: "1", city: "Oslo")").If("attribute_not_exists(pk)")),
            "ConditionFailed");
  EXPECT_EQ(
      scene.Do(Change("T", kWrittenKey, "SET city = :c", R"(:c: "Oslo")").If("age > :n", ":n: 1").TellItem()),
      R"(ConditionFailed {age: 1, city: "Rome", mail: "a@x", pk: "a", sk: "1"})");
  EXPECT_EQ(scene.Do(Delete("T", kWrittenKey).If("age <> :n AND city = :c", R"(:n: 1, :c: "Rome")")),
            "ConditionFailed");
  EXPECT_EQ(scene.Rows(TableTag::kItems).size(), rows);
  EXPECT_THAT(scene.TakeLog(), IsEmpty());
  EXPECT_EQ(ByCity("\"Rome\"").size(), 1u);
}

TEST_P(ItemWritesTest, a_condition_on_no_item_is_judged_on_nothing) {
  EXPECT_EQ(scene.Do(Change("T", kWrittenKey, "SET n = :n", ":n: 1").If("attribute_exists(pk)").TellItem()),
            "ConditionFailed");
  EXPECT_EQ(scene.Do(Delete("T", kWrittenKey).If("attribute_not_exists(pk)")), "ok");
}

TEST_P(ItemWritesTest, an_update_creates_a_missing_item_and_keeps_its_key) {
  EXPECT_EQ(scene.Do(Change("T", kWrittenKey, "ADD n :n SET l = list_append(if_not_exists(l, :none), :more)",
                            ":n: 5, :none: [], :more: [1]")),
            "ok");
  EXPECT_EQ(scene.Get("T", kWrittenKey), R"(l: [1], n: 5, pk: "a", sk: "1")");
  EXPECT_EQ(scene.Do(Change("T", kWrittenKey, "SET sk = :s", R"(:s: "2")")), "Validation");
}

TEST_P(ItemWritesTest, an_item_is_in_an_index_while_it_has_the_indexs_keys) {
  scene.Do(Put("T", R"(pk: "a", sk: "1", city: "Rome")"));
  EXPECT_THAT(ByCity("\"Rome\""), IsEmpty());
  scene.Do(Change("T", kWrittenKey, "SET age = :n", ":n: 3"));
  EXPECT_THAT(ByCity("\"Rome\""), ElementsAre(R"(age: 3, city: "Rome", pk: "a", sk: "1")"));
  scene.Do(Change("T", kWrittenKey, "REMOVE city"));
  EXPECT_THAT(ByCity("\"Rome\""), IsEmpty());
  EXPECT_EQ(scene.Do(Change("T", kWrittenKey, "SET city = :c", ":c: 5")), "Validation");
  EXPECT_EQ(scene.Do(Change("T", kWrittenKey, "SET city = :c", R"(:c: "")")), "Validation");
  EXPECT_EQ(scene.Do(Change("T", kWrittenKey, "SET city = :c", ":c: null")), "Validation");
}

TEST_P(ItemWritesTest, items_of_equal_index_keys_are_all_there_in_order_of_their_own) {
  for (const char* pk : {"c", "a", "b"})
    scene.Do(Put("T", "pk: \"" + std::string(pk) + R"(", sk: "1", city: "Rome", age: 1)"));
  EXPECT_THAT(ByCity("\"Rome\""), ElementsAre(R"(age: 1, city: "Rome", pk: "a", sk: "1")",
                                              R"(age: 1, city: "Rome", pk: "b", sk: "1")",
                                              R"(age: 1, city: "Rome", pk: "c", sk: "1")"));
}

TEST_P(ItemWritesTest, exactly_50_of_200_decrements_of_a_counter_of_50_succeed) {
  scene.Do(Put("T", R"(pk: "a", sk: "1", balance: 50)"));
  std::vector<WriteText> writes;
  for (int i = 0; i < 200; ++i)
    writes.push_back(
        Change("T", kWrittenKey, "SET balance = balance - :one", ":one: 1").If("balance >= :one", ":one: 1"));
  const auto answers = scene.DoTogether(writes);
  EXPECT_EQ(std::count(answers.begin(), answers.end(), "ok"), 50);
  EXPECT_EQ(std::count(answers.begin(), answers.end(), "ConditionFailed"), 150);
  EXPECT_EQ(scene.Get("T", kWrittenKey), R"(balance: 0, pk: "a", sk: "1")");
}

TEST_P(ItemWritesTest, two_items_never_have_one_unique_value) {
  EXPECT_EQ(scene.Do(Put("T", R"(pk: "a", sk: "1", mail: "m")")), "ok");
  EXPECT_EQ(scene.Do(Put("T", R"(pk: "a", sk: "1", mail: "m", n: 1)")), "ok") << "its own";
  EXPECT_THAT(scene.DoTogether({Put("T", R"(pk: "b", sk: "1", mail: "m")"),
                                Change("T", R"(pk: "b", sk: "1")", "SET mail = :m", R"(:m: "m")"),
                                Put("T", R"(pk: "b", sk: "1", mail: "n")"),
                                Put("T", R"(pk: "c", sk: "1", mail: "n")")}),
              ElementsAre("NotUnique", "NotUnique", "ok", "NotUnique"));
  EXPECT_THAT(
      scene.DoTogether({Change("T", kWrittenKey, "REMOVE mail"), Put("T", R"(pk: "d", sk: "1", mail: "m")"),
                        Delete("T", R"(pk: "d", sk: "1")"), Put("T", R"(pk: "e", sk: "1", mail: "m")")}),
      Each("ok"));
}

TEST_P(ItemWritesTest, two_items_of_one_transaction_cannot_take_one_value) {
  EXPECT_EQ(scene.Transact(
                {Put("T", R"(pk: "a", sk: "1", mail: "m")"), Put("T", R"(pk: "b", sk: "1", mail: "m")")}),
            "NotUnique");
  EXPECT_EQ(
      scene.DoBatch({Put("T", R"(pk: "a", sk: "1", mail: "m")"), Put("T", R"(pk: "b", sk: "1", mail: "m")")}),
      "NotUnique");
  EXPECT_EQ(scene.Get("T", kWrittenKey), "-");
}

TEST_P(ItemWritesTest, the_guard_of_an_expired_item_blocks_no_other_item) {
  scene.Do(Put("T", R"(pk: "a", sk: "1", mail: "m", ttl: 1762351928)"));
  EXPECT_EQ(scene.Do(Put("T", R"(pk: "b", sk: "1", mail: "m")")), "NotUnique");
  scene.clock.Advance(1000);
  EXPECT_EQ(scene.Do(Put("T", R"(pk: "b", sk: "1", mail: "m")")), "ok");
  EXPECT_EQ(scene.Do(Put("T", R"(pk: "a", sk: "1", mail: "m")")), "NotUnique");
  scene.clock.Advance(10'000);
  scene.StepUntilIdle();  // the sweeper removes the old item, but not the guard, which now belongs to another
  EXPECT_EQ(scene.Do(Put("T", R"(pk: "c", sk: "1", mail: "m")")), "NotUnique");
}

// Two items once could have the same value: an item expired, another had its value in between, and when the
// first took it back, its guard was missing.
TEST_P(ItemWritesTest, an_item_that_comes_back_guards_its_value_again) {
  for (const bool holder_expires : {false, true}) {
    const std::string soon = std::to_string(scene.clock.now_ms / 1000 + 1);
    scene.Do(Put("T", R"(pk: "a", sk: "1", mail: "m", ttl: )" + soon));
    scene.clock.Advance(2000);
    // In one batch, so that the sweeper does not run in between.
    std::vector<WriteText> writes = {Put("T", R"(pk: "b", sk: "1", mail: "m")")};
    if (holder_expires) {
      writes = {Put("T", R"(pk: "b", sk: "1", mail: "m", ttl: )" + soon)};
    } else {
      writes.push_back(Delete("T", R"(pk: "b", sk: "1")"));
    }
    writes.push_back(Put("T", R"(pk: "a", sk: "1", mail: "m")"));
    EXPECT_THAT(scene.DoTogether(writes), Each("ok"));
    EXPECT_THAT(scene.Check(), IsEmpty());
    scene.clock.Advance(10'000);
    scene.StepUntilIdle();
    EXPECT_EQ(scene.Do(Put("T", R"(pk: "c", sk: "1", mail: "m")")), "NotUnique");
    scene.Do(Delete("T", kWrittenKey));
  }
}

TEST_P(ItemWritesTest, each_change_is_logged_once_in_order_with_both_images) {
  scene.Do(Put("T", kWrittenKey));
  scene.Do(Change("T", kWrittenKey, "SET n = :n", ":n: 1"));
  scene.Do(Delete("T", kWrittenKey));
  scene.Do(Delete("T", kWrittenKey));
  scene.DoTogether({Put("T", R"(pk: "b", sk: "1")"), Put("T", R"(pk: "b", sk: "1", n: 2)")});
  scene.Transact({Put("T", R"(pk: "c", sk: "1")"), Delete("T", R"(pk: "b", sk: "1")"),
                  Check("T", R"(pk: "z", sk: "1")", "attribute_not_exists(pk)")});
  EXPECT_THAT(
      scene.TakeLog(),
      ElementsAre(R"(user T insert - -> pk: "a", sk: "1")",
                  R"(user T modify pk: "a", sk: "1" -> n: 1, pk: "a", sk: "1")",
                  R"(user T remove n: 1, pk: "a", sk: "1" -> -)", R"(user T insert - -> pk: "b", sk: "1")",
                  R"(user T modify pk: "b", sk: "1" -> n: 2, pk: "b", sk: "1")",
                  R"(user T insert - -> pk: "c", sk: "1"; user T remove n: 2, pk: "b", sk: "1" -> -)"));
}

TEST_P(ItemWritesTest, an_expiry_is_logged_even_if_a_write_comes_before_the_sweeper) {
  scene.Do(Put("T", R"(pk: "a", sk: "1", ttl: 1762351928)"));
  scene.Do(Put("T", R"(pk: "b", sk: "1", ttl: 1762351928)"));
  scene.clock.Advance(1000);
  scene.TakeLog();
  scene.Do(Put("T", R"(pk: "a", sk: "1", n: 1)"));
  scene.Do(Delete("T", R"(pk: "b", sk: "1")"));
  EXPECT_THAT(scene.TakeLog(), ElementsAre(R"(expired T remove pk: "a", sk: "1", ttl: 1762351928 -> -; )"
                                           R"(user T insert - -> n: 1, pk: "a", sk: "1")",
                                           R"(expired T remove pk: "b", sk: "1", ttl: 1762351928 -> -)"));
}

TEST_P(ItemWritesTest, a_lease_is_taken_by_one_and_again_when_its_time_is_over) {
  scene.Do(Put("T", kWrittenKey));
  const auto claim = [&](const char* who, int64_t now) {
    const std::string at = std::to_string(now), until = std::to_string(now + 30);
    return Change("T", kWrittenKey, "SET lock_until = :until, holder = :who",
                  ":until: " + until + ", :who: \"" + who + "\"")
        .If("attribute_not_exists(lock_until) OR lock_until < :now", ":now: " + at);
  };
  EXPECT_THAT(scene.DoTogether({claim("one", 100), claim("two", 100)}), ElementsAre("ok", "ConditionFailed"));
  EXPECT_EQ(scene.Do(claim("two", 130)), "ConditionFailed");
  EXPECT_THAT(scene.DoTogether({claim("two", 131), claim("one", 131)}), ElementsAre("ok", "ConditionFailed"));
  EXPECT_EQ(scene.Get("T", kWrittenKey), R"(holder: "two", lock_until: 161, pk: "a", sk: "1")");
}

TEST_P(ItemWritesTest, work_comes_when_it_is_due_in_order_of_time_and_once) {
  for (const int at : {100, 9, 10, 2})
    scene.Do(Put(
        "T", "pk: \"w\", sk: \"" + std::to_string(at) + R"(", lane: "s", due_at: )" + std::to_string(at)));
  const PageText due{.index = "due", .key = "lane = :s AND due_at <= :now", .values = R"(:s: "s", :now: 10)"};
  EXPECT_THAT(scene.Read(due), ElementsAre(R"(due_at: 2, lane: "s", pk: "w", sk: "2")",
                                           R"(due_at: 9, lane: "s", pk: "w", sk: "9")",
                                           R"(due_at: 10, lane: "s", pk: "w", sk: "10")"));
  const auto take = Change("T", R"(pk: "w", sk: "2")", "REMOVE due_at").If("due_at <= :now", ":now: 10");
  EXPECT_THAT(scene.DoTogether({take, take}), ElementsAre("ok", "ConditionFailed"));
  EXPECT_EQ(scene.Read(due).size(), 2u);
}

TEST_P(ItemWritesTest, an_item_that_is_too_large_or_has_a_bad_key_is_refused) {
  EXPECT_EQ(scene.Do(Put("T", R"(pk: "a")")), "Validation");
  EXPECT_EQ(scene.Do(Put("T", R"(pk: 1, sk: "1")")), "Validation");
  EXPECT_EQ(scene.Do(Put("T", R"(pk: "", sk: "1")")), "Validation");
  EXPECT_EQ(scene.Do(Delete("T", R"(pk: "a")")), "Validation");
  EXPECT_EQ(scene.Do(Delete("T", R"(pk: "a", sk: "1", n: 1)")), "Validation");
  scene.Do(Put("T", R"(pk: "a", sk: "1", l: [])"));
  const std::string half(250 * 1024, 'x');
  const std::string values = ":x: \"" + half + "\"";
  EXPECT_EQ(scene.Do(Change("T", kWrittenKey, "SET b = :x", values)), "ok");
  EXPECT_EQ(scene.Do(Change("T", kWrittenKey, "SET c = :x", values)), "Validation");
}

// The declared tables, written as services write them.
class SeedWritesTest : public testing::TestWithParam<std::string> {
 protected:
  Item Prepare(std::string_view table, std::string_view kind, Item in, const Item* before = nullptr) {
    const TableDef& def = scene.Def(table);
    for (const ItemKind& one : def.kinds) {
      if (one.name != kind) continue;
      Prepared prepared = PrepareForWrite(def, one, std::move(in), before, scene.clock.Now());
      for (const auto& fault : prepared.faults) faults.push_back(fault.attribute + ": " + fault.why);
      return prepared.item;
    }
    ADD_FAILURE() << "no kind " << kind;
    return {};
  }
  static WriteText PutOf(std::string table, Item item) {
    return Put(std::move(table), "").WithItem(std::move(item));
  }
  std::vector<std::string> Events(const char* status) {
    return scene.Read({.table = "Events",
                       .index = "status-index",
                       .key = "tenant_id = :t AND begins_with(gsi1sk, :s)",
                       .values = std::string(R"(:t: "acme", :s: ")") + status + "#\""});
  }

  WatchedStore* const store = new WatchedStore(GetParam());
  ItemScene scene{std::unique_ptr<StoreUnderTest>(store), SeedTables()};
  std::vector<std::string> faults;
};

INSTANTIATE_TEST_SUITE_P(Backends, SeedWritesTest, testing::ValuesIn(BackendNames()));

TEST_P(SeedWritesTest, derived_index_attributes_move_with_the_write) {
  Item event = ItemFrom(
      R"(tenant_id: "acme", event_id: "0b6f4a64-4b0e-4f6c-9a55-0c7f3a1d2e11", event_type: "msg.sent", timestamp: 1762351927123, payload: {a: 1})");
  event = Prepare("Events", "event", event);
  ASSERT_THAT(faults, IsEmpty());
  ASSERT_EQ(scene.Do(PutOf("Events", event)), "ok");
  EXPECT_EQ(Events("undelivered").size(), 1u);
  Item acked = event;
  acked.Set("status", "delivered");
  acked = Prepare("Events", "event", acked, &event);
  bool looked = false;
  store->before_commit = store->after_commit = [&] {
    looked = true;  // in exactly one of the two, at any time
    EXPECT_EQ(Events("undelivered").size() + Events("delivered").size(), 1u);
  };
  ASSERT_EQ(scene.Do(PutOf("Events", acked)), "ok");
  EXPECT_TRUE(looked);
  EXPECT_THAT(Events("undelivered"), IsEmpty());
  EXPECT_EQ(Events("delivered").size(), 1u);
  EXPECT_THAT(scene.Check(), IsEmpty());
}

TEST_P(SeedWritesTest, one_of_two_changes_of_the_same_version_is_written) {
  const Item first = Prepare("workspace", "workspace", ItemFrom(R"(workspaceId: "w1", name: "W")"));
  ASSERT_THAT(faults, IsEmpty());
  ASSERT_EQ(scene.Do(PutOf("workspace", first)), "ok");
  EXPECT_EQ(*first.Find("version"), AttributeValue::OfInt(1));
  Item second = first;
  second.Set("name", "V");
  second = Prepare("workspace", "workspace", second, &first);
  EXPECT_EQ(*second.Find("version"), AttributeValue::OfInt(2));
  const auto cas = [&] { return PutOf("workspace", second).If("version = :v", ":v: 1"); };
  EXPECT_THAT(scene.DoTogether({cas(), cas()}), ElementsAre("ok", "ConditionFailed"));
  EXPECT_THAT(scene.Check(), IsEmpty());
}

TEST_P(SeedWritesTest, an_id_with_a_separator_is_refused_so_no_prefix_reaches_another) {
  const char* user = R"(tenant_id: "t", email: "x@y.z", display_name: "X", role: "member", user_id: )";
  Prepare("tenants", "user", ItemFrom(user + std::string("\"a#b\"")));
  EXPECT_EQ(faults.size(), 1u) << testing::PrintToString(faults);
  faults.clear();
  for (const char* id : {"a", "ab"}) {
    Item item = ItemFrom(user + ("\"" + std::string(id) + "\""));
    item.Set("email", AttributeValue(std::string(id) + "@y.z"));
    ASSERT_EQ(scene.Do(PutOf("tenants", Prepare("tenants", "user", item))), "ok");
  }
  ASSERT_THAT(faults, IsEmpty());
  const auto users = [&](const char* condition, const char* value) {
    return scene
        .Read({.table = "tenants",
               .key = std::string("pk = :p AND ") + condition,
               .values = std::string(R"(:p: "TENANT#t", :s: ")") + value + "\""})
        .size();
  };
  EXPECT_EQ(users("begins_with(sk, :s)", "USER#a"), 2u);
  EXPECT_EQ(users("sk = :s", "USER#a"), 1u);
  EXPECT_EQ(users("begins_with(sk, :s)", "USER#a#"), 0u);
}

TEST_P(SeedWritesTest, a_secret_is_in_no_row_and_in_no_list) {
  const Sealer key = SealerInMemory("k");
  size_t tables = 0;
  for (const TableDefPtr& def : SeedTables()) {
    for (const ItemKind& kind : def->kinds) {
      for (const AttributeRule& rule : kind.attributes) {
        if (!rule.secret || rule.type != AttributeType::kString) continue;
        Item item;
        item.Set(def->keys.hash.name, "p");
        if (def->keys.range) item.Set(def->keys.range->name, "s");
        item.Set(rule.name, "open-sesame");
        SealSecrets(*def, scene.tenant, key, &item);
        ASSERT_EQ(scene.Do(PutOf(def->name, item)), "ok") << def->name;
        ItemPage page;
        PageRequest request;
        request.hide_secrets = true;
        ASSERT_FALSE(ReadPage({scene.table(), scene.tenant, scene.clock.Now()}, *def, request, &page));
        ASSERT_EQ(page.items.size(), 1u);
        EXPECT_FALSE(page.items[0].Has(rule.name)) << def->name << " " << rule.name;
        ASSERT_TRUE(OpenSecrets(*def, scene.tenant, key, &item));
        EXPECT_EQ(*item.Find(rule.name), AttributeValue("open-sesame"));
        ++tables;
      }
    }
  }
  EXPECT_GT(tables, 0u);
  const auto visit = [](const PartitionKey&, const SortKey& sort, RowView row) {
    EXPECT_EQ(row.payload.find("open-sesame"), std::string_view::npos);
    EXPECT_EQ(sort.bytes().find("open-sesame"), std::string::npos);
    return true;
  };
  ASSERT_TRUE(scene.table().ScanAll({}, visit).ok());
  EXPECT_TRUE(scene.table()
                  .ReadLog(0, SIZE_MAX,
                           [](Position, std::string_view entry) {
                             EXPECT_EQ(entry.find("open-sesame"), std::string_view::npos);
                             return true;
                           })
                  .ok());
}

}  // namespace
}  // namespace parley::storage
