// Transactions: all or nothing, the reasons in order, and each token once.
#include <gmock/gmock.h>

#include "tests/storage/engine/item_scene.h"
#include "tests/storage/engine/watched_store.h"

namespace parley::storage {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kA[] = R"(pk: "a", sk: "1")";
constexpr char kB[] = R"(pk: "b", sk: "1")";
constexpr char kC[] = R"(pk: "c", sk: "1")";

class ItemTransactionsTest : public testing::TestWithParam<std::string> {
 protected:
  ~ItemTransactionsTest() override { EXPECT_THAT(scene.Check(), IsEmpty()); }

  std::vector<WriteText> Move(int amount) {
    const std::string n = ":n: " + std::to_string(amount);
    return {Change("T", kA, "SET n = n - :n", n).If("n >= :n", n), Change("U", kB, "SET n = n + :n", n)};
  }

  WatchedStore* const store = new WatchedStore(GetParam());
  ItemScene scene{std::unique_ptr<StoreUnderTest>(store),
                  {TableFrom({.indexes = {"by-city: city S"}}), TableFrom({.name = "U"})}};
};

INSTANTIATE_TEST_SUITE_P(Backends, ItemTransactionsTest, testing::ValuesIn(BackendNames()));

TEST_P(ItemTransactionsTest, all_of_it_is_done_in_one_group_or_none_with_reasons_in_order) {
  scene.Do(Put("T", R"(pk: "a", sk: "1", n: 5)"));
  scene.Do(Put("U", R"(pk: "b", sk: "1", n: 0)"));
  store->commits = 0;
  EXPECT_EQ(scene.Transact(Move(3)), "ok");
  EXPECT_EQ(store->commits, 1);
  EXPECT_EQ(scene.Transact(Move(3)), "TransactionCanceled [ConditionalCheckFailed, None]");
  EXPECT_EQ(
      scene.Transact({Put("T", R"(pk: "c", sk: "1", city: "Rome")"),
                      Check("U", kB, "n > :n", ":n: 3").TellItem(),
                      Change("T", kA, "SET n = nowhere + :s", ":s: 1")}),
      R"(TransactionCanceled [None, ConditionalCheckFailed {n: 3, pk: "b", sk: "1"}, ValidationError])");
  EXPECT_EQ(scene.Get("T", kA), R"(n: 2, pk: "a", sk: "1")");
  EXPECT_EQ(scene.Get("U", kB), R"(n: 3, pk: "b", sk: "1")");
  EXPECT_EQ(scene.Get("T", kC), "-");
  EXPECT_EQ(scene.StatsOf("T").items, 1);
}

TEST_P(ItemTransactionsTest, a_check_applies_at_the_moment_of_the_transaction_and_writes_nothing) {
  scene.Do(Put("T", R"(pk: "a", sk: "1", n: 5)"));
  scene.TakeLog();
  EXPECT_EQ(scene.Transact({Check("T", kA, "n = :n", ":n: 5"), Put("U", kB)}), "ok");
  EXPECT_THAT(scene.TakeLog(), ElementsAre(R"(user U insert - -> pk: "b", sk: "1")"));
  EXPECT_EQ(scene.Transact({Check("T", kA, "n = :n", ":n: 5")}), "ok");
  EXPECT_THAT(scene.TakeLog(), IsEmpty());
}

TEST_P(ItemTransactionsTest, one_item_cannot_be_named_twice) {
  EXPECT_EQ(scene.Transact({Put("T", kA), Check("T", kA, "attribute_not_exists(pk)")}), "Validation");
  EXPECT_EQ(scene.DoBatch({Put("T", kA), Delete("T", kA)}), "Validation");
  EXPECT_EQ(scene.Transact({Put("T", kA), Put("U", kA)}), "ok") << "another table's is another item";
  EXPECT_EQ(scene.Transact({Put("T", kA), Put("Gone", kA)}), "TableNotFound");
}

TEST_P(ItemTransactionsTest, a_batch_writes_all_or_returns_why_it_wrote_nothing) {
  EXPECT_EQ(scene.DoBatch({Put("T", kA), Put("U", kB), Delete("U", kC)}), "ok");
  EXPECT_EQ(scene.DoBatch({Delete("T", kA), Put("U", R"(pk: "")")}), "Validation");
  EXPECT_NE(scene.Get("T", kA), "-");
  EXPECT_EQ(scene.TakeLog().size(), 1u);
}

TEST_P(ItemTransactionsTest, a_token_is_done_once_also_after_a_restart_and_forgotten_after_ten_minutes) {
  scene.Do(Put("T", R"(pk: "a", sk: "1", n: 9)"));
  scene.Do(Put("U", R"(pk: "b", sk: "1", n: 0)"));
  EXPECT_EQ(scene.Transact(Move(1), "t"), "ok");
  EXPECT_EQ(scene.Transact(Move(1), "t"), "repeated");
  EXPECT_EQ(scene.Transact(Move(1), "t", "other"), "IdempotencyMismatch");
  scene.Restart();
  scene.clock.Advance(kTokenMs - 1);
  EXPECT_EQ(scene.Transact(Move(1), "t"), "repeated");
  EXPECT_EQ(scene.Get("U", kB), R"(n: 1, pk: "b", sk: "1")");
  scene.clock.Advance(1);
  EXPECT_EQ(scene.Transact(Move(1), "t", "other"), "ok");
  EXPECT_EQ(scene.Transact(Move(1), "t", "other"), "repeated") << "it is remembered again";
  scene.clock.Advance(2000);
  scene.StepUntilIdle();  // the earlier place in time is due, but the token is not
  EXPECT_EQ(scene.Transact(Move(1), "t", "other"), "repeated");
  scene.clock.Advance(kTokenMs);
  scene.StepUntilIdle();
  ItemCheckReport report;
  EXPECT_THAT(scene.Check(&report), IsEmpty());
  EXPECT_EQ(report.tokens + report.places, 0u) << "the sweeper took it";
}

TEST_P(ItemTransactionsTest, a_token_and_its_repeat_in_one_batch_are_done_once) {
  scene.Do(Put("T", R"(pk: "a", sk: "1", n: 9)"));
  scene.Do(Put("U", R"(pk: "b", sk: "1", n: 0)"));
  TransactWrite transaction;
  for (const WriteText& write : Move(1)) transaction.writes.push_back(write.request());
  transaction.token = "t";
  std::vector<std::string> answers(3, "-");
  for (std::string& answer : answers) {
    scene.Submit(
        [&](ItemTransaction& tx) {
          TransactionReply reply;
          return DecideTransaction(tx, scene.tenant, transaction, &reply);
        },
        &answer);
  }
  scene.writer().Step();
  EXPECT_THAT(answers, Each("ok"));
  EXPECT_EQ(scene.Get("U", kB), R"(n: 1, pk: "b", sk: "1")");
}

TEST_P(ItemTransactionsTest, a_token_of_a_canceled_transaction_is_free) {
  EXPECT_EQ(scene.Transact(Move(1), "t"), "TransactionCanceled [ConditionalCheckFailed, ValidationError]");
  scene.Do(Put("T", R"(pk: "a", sk: "1", n: 9)"));
  scene.Do(Put("U", R"(pk: "b", sk: "1", n: 0)"));
  EXPECT_EQ(scene.Transact(Move(1), "t"), "ok");
}

TEST_P(ItemTransactionsTest, tokens_belong_to_their_tenant) {
  EXPECT_EQ(scene.Transact({Put("T", kA)}, "t"), "ok");
  scene.tenant = TenantId{"other"};
  EXPECT_EQ(scene.Transact({Put("T", kA)}, "t", "other"), "ok");
  EXPECT_EQ(scene.Get("T", kA), R"(pk: "a", sk: "1")");
}

TEST_P(ItemTransactionsTest, the_size_of_a_transaction_is_bounded) {
  std::vector<WriteText> writes;
  for (int i = 0; i < 11; ++i) {
    Item item = ItemFrom("pk: \"a\", sk: \"" + std::to_string(i) + "\"");
    item.Set("large", std::string(390 * 1024, 'x'));
    writes.push_back(Put("T", "").WithItem(std::move(item)));
  }
  EXPECT_EQ(scene.Transact(writes), "Validation");
  writes.pop_back();
  EXPECT_EQ(scene.Transact(writes), "ok");
}

}  // namespace
}  // namespace parley::storage
