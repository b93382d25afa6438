// The writer's three invariants, failed commits, and upkeep, which neither waits for ever nor spoils anything
// when it cannot continue.
#include "storage/engine/item_writer.h"

#include <gmock/gmock.h>

#include "tests/storage/engine/item_scene.h"
#include "tests/storage/engine/watched_store.h"

namespace parley::storage {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

class ItemWriterTest : public testing::TestWithParam<std::string> {
 protected:
  ItemWriterTest() {
    scene.StepUntilIdle();  // one-time records of a new store
    store->commits = 0;
  }
  // Returns each answer as it is now.
  std::vector<std::string> Submit(const std::vector<WriteText>& writes) {
    answers.assign(writes.size(), "-");
    for (size_t i = 0; i < writes.size(); ++i) scene.Submit(writes[i], &answers[i]);
    return answers;
  }

  WatchedStore* const store = new WatchedStore(GetParam());
  ItemScene scene{std::unique_ptr<StoreUnderTest>(store), {TableFrom({.indexes = {"by-city: city S"}})}};
  std::vector<std::string> answers;
};

INSTANTIATE_TEST_SUITE_P(Backends, ItemWriterTest, testing::ValuesIn(BackendNames()));

TEST_P(ItemWriterTest, a_decision_sees_earlier_decisions_of_its_batch) {
  const char* key = R"(pk: "a", sk: "1")";
  EXPECT_THAT(scene.DoTogether({Put("T", R"(pk: "a", sk: "1", n: 0)").If("attribute_not_exists(pk)"),
                                Put("T", R"(pk: "a", sk: "1", n: 9)").If("attribute_not_exists(pk)"),
                                Change("T", key, "SET n = n + :one", ":one: 1"),
                                Change("T", key, "SET n = n + :one", ":one: 1").If("n = :was", ":was: 1")}),
              ElementsAre("ok", "ConditionFailed", "ok", "ok"));
  EXPECT_EQ(scene.Get("T", key), R"(n: 2, pk: "a", sk: "1")");
  EXPECT_EQ(store->commits, 1) << "a turn is one group with one sync";
}

TEST_P(ItemWriterTest, every_answer_waits_for_the_batchs_sync_even_a_refusal) {
  Submit({Put("T", R"(pk: "a", sk: "1")"), Put("T", R"(pk: "a", sk: "1")").If("attribute_not_exists(pk)")});
  int looked = 0;
  store->before_commit = store->after_commit = [&] {
    EXPECT_THAT(answers, Each("-"));
    ++looked;
  };
  scene.writer().Step();
  EXPECT_EQ(looked, 2);
  EXPECT_THAT(answers, ElementsAre("ok", "ConditionFailed"));
}

TEST_P(ItemWriterTest, nothing_is_visible_before_the_sync) {
  Submit({Put("T", R"(pk: "a", sk: "1", city: "Rome")"), Put("T", R"(pk: "b", sk: "1", city: "Rome")")});
  bool looked = false;
  store->before_commit = [&] {
    looked = true;
    EXPECT_EQ(scene.Get("T", R"(pk: "a", sk: "1")"), "-");
    EXPECT_THAT(scene.Read({.index = "by-city", .key = "city = :c", .values = R"(:c: "Rome")"}), IsEmpty());
  };
  scene.writer().Step();
  EXPECT_TRUE(looked);
  EXPECT_EQ(scene.Read({.index = "by-city", .key = "city = :c", .values = R"(:c: "Rome")"}).size(), 2u);
}

TEST_P(ItemWriterTest, a_batch_of_reads_and_refusals_syncs_nothing) {
  EXPECT_EQ(scene.Do(Delete("T", R"(pk: "a", sk: "1")")), "ok");
  EXPECT_EQ(scene.Do(Delete("T", R"(pk: "a", sk: "1")").If("attribute_exists(pk)")), "ConditionFailed");
  EXPECT_EQ(store->commits, 0);
  EXPECT_THAT(scene.TakeLog(), IsEmpty());
}

TEST_P(ItemWriterTest, a_full_batch_leaves_the_rest_to_the_next_in_order) {
  const std::string large(390 * 1024, 'x');
  const auto put = [&](int i) {
    WriteText write = Put("T", "pk: \"a\", sk: \"" + std::to_string(i) + "\"");
    WriteRequest request = write.request();
    request.item.Set("large", large);
    return request;
  };
  answers.assign(14, "-");
  for (int i = 0; i < 14; ++i) {
    scene.Submit(
        [&, request = put(i)](ItemTransaction& tx) {
          WriteReply reply;
          return DecideWrite(tx, scene.tenant, request, &reply);
        },
        &answers[static_cast<size_t>(i)]);
  }
  scene.writer().Step();
  EXPECT_EQ(answers[0], "ok");
  EXPECT_EQ(answers[13], "-");
  scene.writer().Step();
  EXPECT_THAT(answers, Each("ok"));
  EXPECT_EQ(scene.StatsOf("T").items, 14);
}

TEST_P(ItemWriterTest, a_queue_that_is_full_refuses) {
  ItemJob job;
  job.decide = [](ItemTransaction&) {};
  job.done = [](const Status&) {};
  for (size_t i = 0; i < ItemWriterSettings().max_queued; ++i) {
    ItemJob one = job;
    ASSERT_TRUE(scene.writer().Submit(one));
  }
  EXPECT_FALSE(scene.writer().Submit(job));
  EXPECT_TRUE(job.decide) << "the job is left as it was";
}

TEST_P(ItemWriterTest, expired_items_are_removed_even_if_writes_never_cease) {
  scene.Do(Put("T", R"(pk: "a", sk: "1", ttl: 1762351928)"));
  scene.TakeLog();
  std::vector<std::string> reported;
  for (int i = 0; i < 5; ++i) {
    scene.clock.Advance(3000);
    scene.Do(Put("T", R"(pk: "b", sk: "1", n: )" + std::to_string(i)));
    for (std::string& one : scene.TakeLog()) reported.push_back(std::move(one));
  }
  EXPECT_THAT(reported, testing::Contains(R"(expired T remove pk: "a", sk: "1", ttl: 1762351928 -> -)"));
}

TEST_P(ItemWriterTest, upkeep_that_cannot_continue_changes_no_statistics) {
  scene.Do(Put("T", R"(pk: "a", sk: "1", ttl: 1762351928)"));
  scene.clock.Advance(10'000);
  const SortKey bad = KeyWriter().Number(1'762'351'930).Sort();  // no item follows
  scene.Plant(ExpiryPartition(), bad, Row{1, ""});
  for (int i = 0; i < 3; ++i) {
    scene.clock.Advance(10'000);
    scene.StepUntilIdle();
  }
  scene.Plant(ExpiryPartition(), bad, std::nullopt);
  scene.Do(Put("T", R"(pk: "b", sk: "1")"));
  scene.clock.Advance(10'000);
  scene.StepUntilIdle();
  EXPECT_EQ(scene.StatsOf("T").items, 1);
  EXPECT_THAT(scene.Check(), IsEmpty());
}

TEST_P(ItemWriterTest, statistics_are_read_again_after_a_restart) {
  scene.Do(Put("T", R"(pk: "a", sk: "1", n: 1)"));
  scene.Restart();
  scene.Do(Put("T", R"(pk: "b", sk: "1")"));
  scene.Do(Delete("T", R"(pk: "a", sk: "1")"));
  EXPECT_EQ(scene.StatsOf("T").items, 1);
  EXPECT_EQ(scene.StatsOf("T").bytes, 6);
  EXPECT_THAT(scene.Check(), IsEmpty());
}

class ItemWriterFaultTest : public testing::TestWithParam<MemoryFault> {};

INSTANTIATE_TEST_SUITE_P(Faults, ItemWriterFaultTest,
                         testing::Values(MemoryFault::kCommitFails, MemoryFault::kCommitUnknownKept,
                                         MemoryFault::kCommitUnknownLost));

TEST_P(ItemWriterFaultTest, after_a_commit_that_failed_nothing_is_answered_or_written_until_it_is_reopened) {
  auto* store = new WatchedStore("memory");
  ItemScene scene{std::unique_ptr<StoreUnderTest>(store), {TableFrom({})}};
  scene.Do(Put("T", R"(pk: "a", sk: "1", n: 1)"));
  store->Inject(GetParam());
  EXPECT_THAT(scene.DoTogether({Change("T", R"(pk: "a", sk: "1")", "SET n = :two", ":two: 2"),
                                Put("T", R"(pk: "a", sk: "1")").If("n = :one", ":one: 1")}),
              Each("Unavailable"));
  EXPECT_NE(scene.writer().fault(), "");
  EXPECT_EQ(scene.Get("T", R"(pk: "a", sk: "1")"), R"(n: 1, pk: "a", sk: "1")");
  bool decided = false;
  EXPECT_EQ(scene.Decide([&](ItemTransaction&) {
    decided = true;
    return MaybeFault();
  }),
            "Unavailable");
  EXPECT_FALSE(decided);
  scene.Restart();
  const bool kept = GetParam() == MemoryFault::kCommitUnknownKept;
  EXPECT_EQ(scene.Get("T", R"(pk: "a", sk: "1")"),
            kept ? R"(n: 2, pk: "a", sk: "1")" : R"(n: 1, pk: "a", sk: "1")");
  EXPECT_EQ(scene.Do(Put("T", R"(pk: "b", sk: "1")")), "ok");
  EXPECT_THAT(scene.Check(), IsEmpty());
}

}  // namespace
}  // namespace parley::storage
