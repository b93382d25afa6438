// Tests moderators' sanctions on users.
#include "features/moderation/sanctions.h"

#include "tests/accounts/account_scene.h"
#include "tests/accounts/suspension.h"

namespace parley::features {
namespace {

using protocol::UserState;

class SanctionTest : public testing::Test {
 protected:
  std::string Decide(UserState state, std::optional<int64_t> for_ms = {}, const char* by = "sue") {
    SanctionChange change{state, {}, "because", accounts::UserNamed(by)};
    if (for_ms) change.until = protocol::Time{world_.scene.clock.now_ms + *for_ms};
    return accounts::TextOf(
        world_.Decide<bool>([&](accounts::RecordTransaction& records) -> protocol::Result<bool> {
          PARLEY_TRY(ends, AddSanction(records, ann_, change));
          ends_ = ends;
          PARLEY_CHECK_OK(records.Commit());
          return true;
        }));
  }
  ModeratedUser Now() { return *ReadSanction(world_.Reads(), ann_); }
  bool IsSuspended() {
    return accounts::FindStanding(world_.Reads(), ann_)->IsSuspended(world_.scene.clock.Now());
  }

  accounts::AccountScene world_;
  std::optional<accounts::SessionsToEnd> ends_;
  const protocol::UserId ann_ = accounts::UserNamed("ann");
};

TEST_F(SanctionTest, lasts_with_its_reason_until_it_expires_or_is_ended) {
  EXPECT_EQ(Now().state, UserState::kOk);
  EXPECT_EQ(Decide(UserState::kMuted, 1000), "ok");
  world_.scene.Restart();
  EXPECT_EQ(Now().state, UserState::kMuted);
  EXPECT_EQ(Now().reason, "because");
  EXPECT_EQ(Now().by, accounts::UserNamed("sue"));
  world_.scene.clock.Advance(1000);
  EXPECT_EQ(Now().state, UserState::kOk);
  EXPECT_FALSE(Now().reason) << "what is over is the audit's to tell";
  Decide(UserState::kShadow);
  world_.scene.clock.Advance(int64_t{400} * 24 * 3600 * 1000);
  EXPECT_EQ(Now().state, UserState::kShadow);
  Decide(UserState::kOk);
  EXPECT_EQ(Now().state, UserState::kOk);
}

TEST_F(SanctionTest, a_suspension_ends_the_users_sessions_and_rejects_new_ones) {
  EXPECT_EQ(Decide(UserState::kMuted), "ok");
  EXPECT_FALSE(ends_);
  EXPECT_EQ(Decide(UserState::kSuspended, 1000), "ok");
  EXPECT_EQ(ends_, (accounts::SessionsToEnd{ann_, accounts::SessionsToEnd::Why::kSuspended}));
  EXPECT_TRUE(IsSuspended());
  world_.scene.clock.Advance(1000);
  EXPECT_FALSE(IsSuspended());
}

TEST_F(SanctionTest, is_independent_of_the_back_ends_own_state) {
  Decide(UserState::kSuspended);
  const auto reinstate = [&] {
    return accounts::TextOf(
        world_.Decide<bool>([&](accounts::RecordTransaction& records) -> protocol::Result<bool> {
          PARLEY_CHECK_OK(accounts::ReinstateUser(records, ann_));
          return true;
        }));
  };
  EXPECT_EQ(reinstate(), "ok");
  EXPECT_TRUE(IsSuspended()) << "the moderators' decision stands";
  ASSERT_TRUE(world_
                  .Decide<accounts::SessionsToEnd>([&](accounts::RecordTransaction& records) {
                    return accounts::SuspendUser(records, ann_);
                  })
                  .ok());
  Decide(UserState::kOk);
  EXPECT_TRUE(IsSuspended()) << "and so does the back end's";
  reinstate();
  EXPECT_FALSE(IsSuspended());
}

TEST_F(SanctionTest, rejects_oneself_and_ends_in_the_past) {
  EXPECT_EQ(Decide(UserState::kOk, {}, "ann"), "FORBIDDEN");
  EXPECT_EQ(Decide(UserState::kMuted, 0), "BAD_REQUEST until");
  EXPECT_EQ(Decide(UserState::kOk, 1000), "BAD_REQUEST until") << "what is ok has no end";
  EXPECT_EQ(Now().state, UserState::kOk);
}

}  // namespace
}  // namespace parley::features
