// Work by the clock over the whole server: neither possible nor impossible work keeps the server busy.
#include <gtest/gtest.h>

#include "fanout/keys.h"
#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"
#include "threads/model/keys.h"

namespace parley::gateway_test {
namespace {

using threads::ClockTask;

// Tries in ten minutes, a second apart; far below the count of a loop that never rests.
constexpr size_t kTriesMax = 700;

class Sweeping : public testing::Test {
 protected:
  void SetUp() override {
    thread_ = world_.NewThread(ann_, "ann", "bob");
    ann_.Ask("inbox.list");
  }
  static gateway::Config Settings() {
    gateway::Config config = DemoConfig();
    config.heartbeat_ms = 3'600'000;  // fake connections do not pong
    return config;
  }
  void Plant(const storage::PartitionKey& partition, const storage::SortKey& sort, std::string payload) {
    storage::Position cursor = 0;
    ASSERT_TRUE(world_.table().ReadCursor("inbox", &cursor).ok());
    const storage::DerivedWrite write{partition, sort, storage::Row{1, std::move(payload)}};
    ASSERT_TRUE(world_.table().Apply({&write, 1}, "inbox", cursor).ok());
  }
  // Adds a wake-up row that is due at once and is never removed.
  void PlantWake(const protocol::ThreadId& thread, ClockTask task) {
    const fanout::Wake wake{{world_.clock().Now().ms - 1}, task, thread, {}};
    Plant(fanout::WakePartition(tenant_), fanout::WakeKey(wake), "");
  }
  // Counts the executor's turns while `ms` pass; a loop without rest would not end.
  size_t TurnsWhile(int64_t ms) {
    size_t turns = 0;
    world_.loop().Advance(ms, [&] {
      bool worked = true;
      while (worked && turns < 10 * kTriesMax) {
        worked = false;
        while (world_.loop().RunOne()) worked = true;
        if (world_->node().executors().Step()) ++turns, worked = true;
        if (world_->node().read_pool().Step()) worked = true;
        if (world_->node().worker().Step()) worked = true;
      }
    });
    return turns;
  }
  void Snooze(int64_t ms) {
    const auto until = protocol::FormatTime({world_.clock().Now().ms + ms});
    ASSERT_TRUE(ann_.Ask("inbox.set", Args({{"threadId", thread_}, {"snoozedUntil", until}})).ok());
  }
  bool Snoozed() { return ann_.Ask("inbox.list", Args({{"folder", "snoozed"}})).Size("ok.entries") == 1; }

  const protocol::TenantId tenant_{"demo"};
  World world_{Settings()};
  FakeClient ann_{world_->Join("ann")};
  std::string thread_;
};

TEST_F(Sweeping, a_stale_row_is_retried_slowly_and_delays_no_other) {
  Snooze(5 * kMinuteMs);
  EXPECT_TRUE(Snoozed());
  PlantWake({protocol::Ulid{}}, ClockTask::kIdle);
  world_.Restart();
  ann_ = world_->Join("ann");
  const size_t turns = TurnsWhile(10 * kMinuteMs);
  EXPECT_GT(turns, 10u) << "it is tried again";
  EXPECT_LT(turns, kTriesMax);
  EXPECT_FALSE(Snoozed());
}

TEST_F(Sweeping, an_unreadable_thread_is_retried_slowly_and_delays_no_other) {
  Snooze(5 * kMinuteMs);
  FakeClient bob = world_->Join("bob");
  const std::string broken = world_.NewThread(bob, "bob", "eve");
  const auto id = *protocol::ThreadId::FromText(broken);
  bob.Ask("inbox.list");
  PlantWake(id, ClockTask::kIdle);
  Plant(threads::ThreadPartition(tenant_, id), threads::ThreadKey(), "torn");
  world_.Restart();
  ann_ = world_->Join("ann");
  const size_t turns = TurnsWhile(10 * kMinuteMs);
  EXPECT_GT(turns, 10u);
  EXPECT_LT(turns, kTriesMax);
  EXPECT_FALSE(Snoozed());
}

// Finished work leaves deleted rows at the front of the index; a sweep starts after them.
TEST_F(Sweeping, a_sweep_skips_finished_work_and_still_does_work_with_an_earlier_time) {
  Snooze(5 * kMinuteMs);
  const protocol::Time done{world_.clock().Now().ms + 5 * kMinuteMs};
  TurnsWhile(130 * kMinuteMs);
  ann_ = world_->Join("ann");  // her token has expired
  EXPECT_FALSE(Snoozed());
  EXPECT_GT(world_->node().sweeper().ReadsFrom(tenant_), done);

  world_.clock().JumpWall(-180 * kMinuteMs);  // before all finished work
  Snooze(kMinuteMs);
  EXPECT_TRUE(Snoozed());
  TurnsWhile(2 * kMinuteMs);
  EXPECT_FALSE(Snoozed());
}

}  // namespace
}  // namespace parley::gateway_test
