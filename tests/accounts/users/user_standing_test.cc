// A user's standing: voided tokens and suspension.
#include "tests/accounts/account_scene.h"
#include "tests/accounts/suspension.h"

namespace parley::accounts {
namespace {

class StandingTest : public testing::Test {
 protected:
  UserStanding Now() { return *FindStanding(world_.Reads(), ann_); }
  std::string Suspend(std::optional<protocol::Time> until = {}) {
    return TextOf(world_.Decide<SessionsToEnd>(
        [&](RecordTransaction& records) { return SuspendUser(records, ann_, until); }));
  }
  bool IsSuspended() { return Now().IsSuspended(world_.scene.clock.Now()); }

  AccountScene world_;
  const protocol::UserId ann_ = UserNamed("ann");
};

TEST_F(StandingTest, of_a_user_without_a_row_voids_nothing) {
  EXPECT_FALSE(Now().IsVoid(std::nullopt));
  EXPECT_FALSE(Now().IsVoid(0));
  EXPECT_FALSE(IsSuspended());
}

TEST_F(StandingTest, a_void_covers_tokens_issued_before_and_in_its_second) {
  const auto ends =
      world_.Decide<SessionsToEnd>([&](RecordTransaction& records) { return VoidTokens(records, ann_); });
  ASSERT_TRUE(ends.ok());
  EXPECT_EQ(*ends, (SessionsToEnd{ann_, SessionsToEnd::Why::kVoid, SessionsToEnd::Whose::kTokens}));
  const int64_t second = world_.scene.clock.now_ms / 1000;
  EXPECT_TRUE(Now().IsVoid(second - 1));
  EXPECT_TRUE(Now().IsVoid(second));
  EXPECT_FALSE(Now().IsVoid(second + 1));
  EXPECT_TRUE(Now().IsVoid(std::nullopt));
  world_.scene.Restart();
  EXPECT_TRUE(Now().IsVoid(second));
}

TEST_F(StandingTest, a_clock_that_steps_back_cancels_no_void) {
  const auto void_now = [&] {
    EXPECT_TRUE(
        world_.Decide<SessionsToEnd>([&](RecordTransaction& records) { return VoidTokens(records, ann_); })
            .ok());
  };
  void_now();
  const auto before = Now();
  world_.scene.clock.now_ms -= 10'000;
  void_now();
  EXPECT_EQ(Now().void_before, before.void_before);
  EXPECT_EQ(Now().voids, before.voids + 1);
}

TEST_F(StandingTest, a_suspension_ends_at_its_time_or_when_it_is_lifted) {
  EXPECT_EQ(Suspend(protocol::Time{world_.scene.clock.now_ms + 1000}), "ok");
  EXPECT_TRUE(IsSuspended());
  world_.scene.clock.Advance(999);
  EXPECT_TRUE(IsSuspended());
  world_.scene.clock.Advance(1);
  EXPECT_FALSE(IsSuspended());
  EXPECT_EQ(Suspend(), "ok");
  world_.scene.clock.Advance(1'000'000'000);
  EXPECT_TRUE(IsSuspended());
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(
        world_
            .Decide<protocol::Unit>([&](RecordTransaction& records) { return ReinstateUser(records, ann_); })
            .ok());
    EXPECT_FALSE(IsSuspended());
  }
}

TEST_F(StandingTest, belongs_to_one_user_of_one_tenant) {
  EXPECT_EQ(Suspend(), "ok");
  EXPECT_FALSE(FindStanding(world_.Reads(), UserNamed("anna"))->suspended);
  world_.tenant = protocol::TenantId{"bolt"};
  EXPECT_FALSE(Now().suspended);
}

}  // namespace
}  // namespace parley::accounts
