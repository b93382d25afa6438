// Refresh tokens, used once each, and their families.
#include "accounts/tokens/refresh_token.h"

#include "tests/accounts/suspension.h"
#include "tests/accounts/tokens/token_scene.h"

namespace parley::accounts {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class RefreshTokenTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_THAT(world_.scene.Check(), IsEmpty()); }
  static SessionsToEnd EndOf(const std::string& family) {
    return {UserNamed("ann"), SessionsToEnd::Why::kVoid, SessionsToEnd::Whose::kFamily, family};
  }

  TokenScene world_;
};

TEST_F(RefreshTokenTest, each_refresh_issues_the_next_token_of_the_family) {
  TokenScene::Device phone = world_.SignInAs("ann");
  const std::string family = phone.grant.family_id;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(world_.Judge(phone), "ann member");
    EXPECT_EQ(world_.Renew(&phone), "ok");
    EXPECT_EQ(phone.grant.family_id, family);
    world_.scene.Restart();
  }
  EXPECT_EQ(world_.Judge(phone), "ann member");
  EXPECT_EQ(world_.CountRows(), 6u);
}

TEST_F(RefreshTokenTest, a_second_use_ends_the_family_and_the_token_of_the_first_use) {
  TokenScene::Device phone = world_.SignInAs("ann");
  const TokenScene::Device laptop = world_.SignInAs("ann");
  for (int uses_before = 1; uses_before <= 2; ++uses_before) {
    TokenScene::Device owner = world_.SignInAs("ann");
    TokenScene::Device thief = owner;
    for (int i = 0; i < uses_before; ++i) EXPECT_EQ(world_.Renew(&owner), "ok");
    std::optional<SessionsToEnd> ends;
    EXPECT_EQ(world_.Renew(&thief, &ends), "UNAUTHENTICATED");
    EXPECT_EQ(ends, EndOf(owner.grant.family_id));
    EXPECT_EQ(world_.Judge(owner), "UNAUTHENTICATED");
    EXPECT_EQ(world_.Renew(&owner, &ends), "UNAUTHENTICATED");
    EXPECT_EQ(ends, std::nullopt);
  }
  // The user's other families continue.
  EXPECT_EQ(world_.Judge(laptop), "ann member");
  EXPECT_EQ(world_.Renew(&phone), "ok");
}

// --- a lost answer

TEST_F(RefreshTokenTest, a_repeated_use_gets_the_same_answer_for_some_seconds_across_a_restart) {
  world_.grace_seconds = 10;
  TokenScene::Device phone = world_.SignInAs("ann");
  const TokenScene::Device before = phone;
  EXPECT_EQ(world_.Renew(&phone), "ok");
  for (int i = 0; i < 4; ++i) {
    TokenScene::Device again = before;
    EXPECT_EQ(world_.Renew(&again), "again") << i;
    EXPECT_EQ(again.secret, phone.secret);
    world_.scene.clock.Advance(2500 - (i == 3));
    world_.scene.Restart();
  }
  EXPECT_EQ(world_.CountRows(), 3u) << "two tokens and an answer";
  TokenScene::Device late = before;
  world_.scene.clock.Advance(1);
  std::optional<SessionsToEnd> ends;
  EXPECT_EQ(world_.Renew(&late, &ends), "UNAUTHENTICATED") << "10 s after the use";
  EXPECT_EQ(ends, EndOf(phone.grant.family_id));
  EXPECT_EQ(world_.Judge(phone), "UNAUTHENTICATED");
}

TEST_F(RefreshTokenTest, a_clock_set_back_does_not_prolong_that_time) {
  for (const int64_t back_ms : {int64_t{9'999}, int64_t{10'000}, int64_t{86'400'000}}) {
    world_.grace_seconds = 10;
    TokenScene::Device phone = world_.SignInAs("ann");
    TokenScene::Device again = phone;
    EXPECT_EQ(world_.Renew(&phone), "ok");
    world_.scene.clock.now_ms -= back_ms;
    EXPECT_EQ(world_.Renew(&again), back_ms < 10'000 ? "again" : "UNAUTHENTICATED") << back_ms;
    world_.scene.clock.now_ms += back_ms;
  }
  world_.grace_seconds = 0;
  TokenScene::Device phone = world_.SignInAs("ann");
  TokenScene::Device again = phone;
  EXPECT_EQ(world_.Renew(&phone), "ok");
  world_.scene.clock.now_ms -= 1;
  EXPECT_EQ(world_.Renew(&again), "UNAUTHENTICATED");
  world_.scene.clock.now_ms += 1;
}

TEST_F(RefreshTokenTest, a_use_is_not_answered_again_once_the_next_token_was_used) {
  world_.grace_seconds = 60;
  TokenScene::Device phone = world_.SignInAs("ann");
  TokenScene::Device thief = phone;
  EXPECT_EQ(world_.Renew(&phone), "ok");
  const TokenScene::Device second = phone;
  EXPECT_EQ(world_.Renew(&phone), "ok");
  TokenScene::Device again = second;
  EXPECT_EQ(world_.Renew(&again), "again") << "the immediately preceding one";
  EXPECT_EQ(again.secret, phone.secret);
  EXPECT_EQ(world_.Renew(&thief), "UNAUTHENTICATED") << "the one before that";
  EXPECT_EQ(world_.Judge(phone), "UNAUTHENTICATED");
  EXPECT_EQ(world_.Renew(&phone), "UNAUTHENTICATED");
  EXPECT_EQ(world_.Renew(&again), "UNAUTHENTICATED");
}

TEST_F(RefreshTokenTest, of_20_concurrent_refreshes_one_issues_tokens_and_all_get_them) {
  TokenScene::Device phone = world_.SignInAs("ann");
  const auto found = world_.Find(phone.secret);
  std::vector<NewSecret> next;
  for (int i = 0; i < 20; ++i) next.push_back(world_.Cheap());
  const auto renewed = world_.DecideTogether<Renewal>(20, [&](RecordTransaction& records, size_t i) {
    const RenewalTerms terms{10, [&](const Grant&, protocol::Time) { return next[i].secret; }};
    return RenewTokens(records, *found, next[i], terms);
  });
  for (const auto& one : renewed) {
    ASSERT_TRUE(one.ok());
    EXPECT_EQ(one->answer, next.front().secret);
    EXPECT_EQ(one->ends, std::nullopt);
  }
  EXPECT_EQ(world_.CountRows(), 3u);
  phone.secret = next.front().secret;
  EXPECT_EQ(world_.Renew(&phone), "ok");
}

TEST_F(RefreshTokenTest, a_user_who_may_no_longer_sign_in_gets_no_repeated_answer) {
  world_.grace_seconds = 60;
  TokenScene::Device phone = world_.SignInAs("ann");
  const TokenScene::Device before = phone;
  EXPECT_EQ(world_.Renew(&phone), "ok");
  const auto again = [&] {
    TokenScene::Device device = before;
    return world_.Renew(&device);
  };
  EXPECT_TRUE(world_
                  .Decide<SessionsToEnd>(
                      [&](RecordTransaction& records) { return SuspendUser(records, UserNamed("ann")); })
                  .ok());
  EXPECT_EQ(again(), "FORBIDDEN");
  EXPECT_TRUE(world_
                  .Decide<protocol::Unit>(
                      [&](RecordTransaction& records) { return ReinstateUser(records, UserNamed("ann")); })
                  .ok());
  EXPECT_EQ(again(), "again") << "a suspension takes nothing";
  world_.grace_seconds = 0;
  EXPECT_EQ(again(), "UNAUTHENTICATED") << "the tenant has it no more";
  world_.grace_seconds = 60;
  TokenScene::Device laptop = world_.SignInAs("ann");
  const TokenScene::Device laptop_before = laptop;
  EXPECT_EQ(world_.Renew(&laptop), "ok");
  world_.Void("ann");
  laptop = laptop_before;
  EXPECT_EQ(world_.Renew(&laptop), "UNAUTHENTICATED");
}

TEST_F(RefreshTokenTest, an_answer_is_stored_sealed_and_only_while_it_may_be_repeated) {
  world_.grace_seconds = 10;
  TokenScene::Device phone = world_.SignInAs("ann");
  EXPECT_EQ(world_.Renew(&phone), "ok");
  size_t rows = 0;
  for (const auto& row : world_.scene.Rows(storage::TableTag::kItems)) {
    std::optional<storage::Row> stored;
    ASSERT_TRUE(world_.scene.table().Get(row.partition, row.sort, &stored).ok());
    EXPECT_THAT(stored->payload, testing::Not(testing::HasSubstr(phone.secret)));
    ++rows;
  }
  EXPECT_GT(rows, 0u);
  EXPECT_EQ(world_.CountRows(), 3u);
  world_.scene.clock.Advance(11'000);
  world_.scene.StepUntilIdle();
  EXPECT_EQ(world_.CountRows(), 2u) << "the tokens";
}

TEST_F(RefreshTokenTest, HM_21_of_20_concurrent_refreshes_one_succeeds_and_the_family_is_void) {
  TokenScene::Device phone = world_.SignInAs("ann");
  const auto found = world_.Find(phone.secret);
  std::vector<NewSecret> next;
  for (int i = 0; i < 20; ++i) next.push_back(world_.Cheap());
  const auto renewed = world_.DecideTogether<Renewal>(
      20, [&](RecordTransaction& records, size_t i) { return RenewTokens(records, *found, next[i]); });
  EXPECT_EQ(std::count_if(renewed.begin(), renewed.end(),
                          [](const auto& one) { return one.ok() && one->grant.has_value(); }),
            1);
  ASSERT_TRUE(renewed.front()->grant);
  phone.grant = *renewed.front()->grant;
  phone.secret = next.front().secret;
  EXPECT_EQ(world_.Judge(phone), "UNAUTHENTICATED");
  EXPECT_EQ(world_.Renew(&phone), "UNAUTHENTICATED");
  EXPECT_EQ(world_.CountRows(), 2u);
}

TEST_F(RefreshTokenTest, revoking_a_token_ends_its_family) {
  TokenScene::Device phone = world_.SignInAs("ann");
  const std::string first = phone.secret;
  EXPECT_EQ(world_.Renew(&phone), "ok");
  EXPECT_EQ(world_.Revoke(phone.secret), "ended");
  EXPECT_EQ(world_.Revoke(phone.secret), "was void");
  EXPECT_EQ(world_.Revoke(first), "was void");
  EXPECT_EQ(world_.Judge(phone), "UNAUTHENTICATED");
  EXPECT_EQ(world_.Renew(&phone), "UNAUTHENTICATED");
}

TEST_F(RefreshTokenTest, a_malformed_token_is_not_found) {
  const TokenScene::Device phone = world_.SignInAs("ann");
  std::string other = phone.secret;
  other[10] = other[10] == '0' ? '1' : '0';
  for (const std::string& secret :
       {other, std::string(), std::string("prt_"), "pak_" + phone.secret.substr(4)})
    EXPECT_EQ(TextOf(world_.Find(secret)), "UNAUTHENTICATED") << secret;
}

TEST_F(RefreshTokenTest, a_token_lives_thirty_days_and_its_family_as_long_as_any) {
  TokenScene::Device phone = world_.SignInAs("ann");
  EXPECT_EQ(phone.grant.refresh_expires_at.ms, world_.scene.clock.now_ms + kRefreshTokenMs);
  for (int i = 0; i < 3; ++i) {
    world_.scene.clock.Advance(kRefreshTokenMs - 1);
    EXPECT_EQ(world_.Renew(&phone), "ok") << i;
  }
  world_.scene.clock.Advance(kRefreshTokenMs);
  EXPECT_EQ(world_.Renew(&phone), "UNAUTHENTICATED");
  EXPECT_EQ(world_.Judge(phone), "ann member");  // for the rest of the second, like DynamoDB's expiry
  world_.scene.clock.Advance(1000);
  EXPECT_EQ(world_.Judge(phone), "UNAUTHENTICATED");
  world_.scene.StepUntilIdle();
  EXPECT_EQ(world_.CountRows(), 0u);
  EXPECT_THAT(world_.scene.Rows(storage::TableTag::kItemExpiry), IsEmpty());
}

TEST_F(RefreshTokenTest, beyond_a_hundred_families_the_oldest_is_removed) {
  std::vector<TokenScene::Device> devices;
  for (size_t i = 0; i < kLiveFamiliesMax; ++i) {
    devices.push_back(world_.SignInAs("ann"));
    EXPECT_THAT(devices.back().ends, IsEmpty());
    world_.scene.clock.Advance(1);
  }
  const TokenScene::Device other = world_.SignInAs("bob");
  for (size_t i = 0; i < 3; ++i) {
    devices.push_back(world_.SignInAs("ann"));
    EXPECT_THAT(devices.back().ends, ElementsAre(EndOf(devices[i].grant.family_id)));
    EXPECT_EQ(world_.Judge(devices[i]), "UNAUTHENTICATED");
    EXPECT_EQ(world_.Judge(devices[i + 1]), "ann member");
  }
  EXPECT_EQ(world_.Judge(other), "bob member");
}

TEST_F(RefreshTokenTest, a_void_ends_every_family_and_later_tokens_are_valid) {
  TokenScene::Device phone = world_.SignInAs("ann");
  TokenScene::Device bob = world_.SignInAs("bob");
  world_.Void("ann");
  TokenScene::Device laptop = world_.SignInAs("ann");  // in the same millisecond
  EXPECT_EQ(world_.Judge(phone), "UNAUTHENTICATED");
  EXPECT_EQ(world_.Renew(&phone), "UNAUTHENTICATED");
  EXPECT_EQ(world_.Judge(laptop), "ann member");
  EXPECT_EQ(world_.Renew(&laptop), "ok");
  EXPECT_EQ(world_.Renew(&bob), "ok");
}

TEST_F(RefreshTokenTest, families_ended_by_a_void_make_room) {
  for (size_t i = 0; i < kLiveFamiliesMax; ++i) world_.SignInAs("ann");
  world_.Void("ann");
  std::vector<TokenScene::Device> devices;
  for (size_t i = 0; i < kLiveFamiliesMax; ++i) {
    devices.push_back(world_.SignInAs("ann"));
    EXPECT_THAT(devices.back().ends, IsEmpty()) << i;
  }
  EXPECT_EQ(world_.Judge(devices.front()), "ann member");
}

TEST_F(RefreshTokenTest, deleting_their_user_voids_tokens_and_removes_them) {
  world_.Make(R"({"userId":"ann"})");
  std::vector<TokenScene::Device> devices;
  for (int i = 0; i < 60; ++i) devices.push_back(world_.SignInAs("ann"));
  EXPECT_EQ(world_.Delete("ann"), "ok");
  world_.scene.Restart();  // before the removal
  EXPECT_EQ(world_.Judge(devices.back()), "UNAUTHENTICATED");
  EXPECT_EQ(world_.Renew(&devices.back()), "UNAUTHENTICATED");
  const TokenScene::Device back = world_.SignInAs("ann");  // a tenant may vouch for the user again
  std::vector<bool> more;
  while (more.empty() || more.back())
    more.push_back(*world_.Decide<bool>(
        [&](RecordTransaction& records) { return ClearDeleted(records, UserNamed("ann")); }));
  EXPECT_THAT(more, ElementsAre(true, false));
  EXPECT_EQ(world_.CountRows(), 1u);
  EXPECT_EQ(world_.Judge(back), "ann member");
}

TEST_F(RefreshTokenTest, a_suspended_user_gets_no_tokens_and_keeps_their_own) {
  TokenScene::Device phone = world_.SignInAs("ann");
  const auto suspend = [&](RecordTransaction& records) { return SuspendUser(records, UserNamed("ann")); };
  EXPECT_TRUE(world_.Decide<SessionsToEnd>(suspend).ok());
  EXPECT_EQ(world_.Judge(phone), "FORBIDDEN");
  EXPECT_EQ(world_.Renew(&phone), "FORBIDDEN");
  SignIn asked;
  asked.user = UserNamed("ann");
  EXPECT_EQ(TextOf(world_.TrySignIn(asked)), "FORBIDDEN");
  const auto reinstate = [&](RecordTransaction& records) { return ReinstateUser(records, UserNamed("ann")); };
  EXPECT_TRUE(world_.Decide<protocol::Unit>(reinstate).ok());
  EXPECT_EQ(world_.Renew(&phone), "ok");
}

TEST_F(RefreshTokenTest, deleting_an_api_key_ends_the_tokens_that_it_obtained) {
  const auto secret = world_.Secret(kApiKeyPrefix);
  const auto key = world_.Decide<ApiKey>(
      [&](RecordTransaction& records) { return MakeApiKey(records, UserNamed("ann"), {}, secret); });
  SignIn asked;
  asked.user = UserNamed("ann");
  asked.key_id = key->id;
  TokenScene::Device script = *world_.TrySignIn(asked);
  TokenScene::Device phone = world_.SignInAs("ann");
  EXPECT_EQ(world_.Renew(&script), "ok");
  std::vector<SessionsToEnd> ends;
  const auto done = world_.Decide<SessionsToEnd>([&](RecordTransaction& records) {
    ends = *RevokeTokensOfKey(records, UserNamed("ann"), key->id);
    return DeleteApiKey(records, UserNamed("ann"), key->id);
  });
  EXPECT_EQ(*done, (SessionsToEnd{UserNamed("ann"), SessionsToEnd::Why::kVoid, SessionsToEnd::Whose::kApiKey,
                                  key->id}));
  EXPECT_THAT(ends, ElementsAre(EndOf(script.grant.family_id)));
  EXPECT_EQ(world_.Judge(script), "UNAUTHENTICATED");
  EXPECT_EQ(world_.Renew(&script), "UNAUTHENTICATED");
  EXPECT_EQ(world_.Renew(&phone), "ok");
  EXPECT_EQ(TextOf(world_.TrySignIn(asked)), "UNAUTHENTICATED");  // proven before the deletion
}

TEST_F(RefreshTokenTest, invalid_requests_of_a_sign_in_are_refused_by_field) {
  SignIn asked;
  asked.user = UserNamed("ann");
  for (const int64_t seconds : {int64_t{0}, int64_t{-1}, kAccessTokenSecondsMax + 1, INT64_MAX}) {
    asked.ttl_seconds = seconds;
    EXPECT_EQ(TextOf(world_.TrySignIn(asked)), "BAD_REQUEST ttlSeconds");
  }
  asked.ttl_seconds = kAccessTokenSecondsMax;
  asked.scope = "write";
  EXPECT_EQ(TextOf(world_.TrySignIn(asked)), "BAD_REQUEST scope");
  asked.scope = "read";
  EXPECT_TRUE(world_.TrySignIn(asked).ok());
}

TEST_F(RefreshTokenTest, the_token_of_a_tenant_leads_only_to_it) {
  TokenScene::Device phone = world_.SignInAs("ann");
  world_.tenant = protocol::TenantId{"bolt"};
  EXPECT_EQ(world_.Find(phone.secret)->tenant.ToText(), "acme");
  EXPECT_EQ(world_.Judge(phone), "UNAUTHENTICATED");  // issued for the other, with a family of ours
  world_.SignInAs("ann");
  EXPECT_EQ(world_.CountRows(), 1u);
}

}  // namespace
}  // namespace parley::accounts
