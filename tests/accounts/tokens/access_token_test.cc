// The claims of access tokens, and the store's verdict on them.
#include "accounts/tokens/access_token.h"

#include "tests/accounts/suspension.h"
#include "tests/accounts/tokens/token_scene.h"

namespace parley::accounts {
namespace {

class AccessTokenTest : public testing::Test {
 protected:
  Claims ClaimsOf(const TokenScene::Device& device, std::string_view kid = "k1") {
    const auto token = MintAccessToken(device.grant, world_.tenant, world_.scene.clock.Now(),
                                       TokenScene::kSigningSecret, kid);
    const std::vector<VerifyKey> keys = {{JwtAlg::kHs256, std::string(32, 'o'), "k0"},
                                         {JwtAlg::kHs256, TokenScene::kSigningSecret, "k1"}};
    const auto claims = VerifyToken(token.token, keys, world_.scene.clock.now_ms / 1000);
    EXPECT_TRUE(std::holds_alternative<Claims>(claims));
    return std::get<Claims>(claims);
  }
  // A token signed by the tenant's back end.
  Claims Foreign(std::optional<int64_t> iat_s) {
    Claims claims;
    claims.sub = "ann";
    claims.tid = "acme";
    claims.role = "support";
    claims.iat_s = iat_s;
    claims.attrs = {{"adult", true}};
    return claims;
  }

  TokenScene world_;
};

TEST_F(AccessTokenTest, has_the_claims_of_the_record_and_the_requested_lifetime) {
  world_.Make(R"({"userId":"ann","role":"moderator","attributes":{"adult":true,"level":3}})");
  SignIn asked;
  asked.user = UserNamed("ann");
  asked.ttl_seconds = 600;
  asked.scope = "read";
  const TokenScene::Device phone = *world_.TrySignIn(asked);
  const Claims claims = ClaimsOf(phone);
  const int64_t now_s = world_.scene.clock.now_ms / 1000;
  EXPECT_EQ(claims.sub + " " + claims.tid + " " + claims.role + " " + claims.scope,
            "ann acme moderator read");
  EXPECT_EQ(claims.iat_s, now_s);
  EXPECT_EQ(claims.exp_s, now_s + 600);
  EXPECT_EQ(claims.sid, phone.grant.family_id);
  EXPECT_EQ(claims.attrs, (UserAttributes{{"adult", true}, {"level", int64_t{3}}}));
  EXPECT_EQ(
      MintAccessToken(phone.grant, world_.tenant, world_.scene.clock.Now(), TokenScene::kSigningSecret, "")
          .expires_at.ms,
      (now_s + 600) * 1000);
}

TEST_F(AccessTokenTest, a_change_of_the_record_applies_to_issued_tokens) {
  world_.Make(R"({"userId":"ann","role":"admin","attributes":{"adult":true}})");
  const TokenScene::Device phone = world_.SignInAs("ann");
  SignIn as_bot;
  as_bot.user = UserNamed("ann");
  as_bot.role = UserRole::kBot;
  const TokenScene::Device bot = *world_.TrySignIn(as_bot);
  const Claims of_phone = ClaimsOf(phone), of_bot = ClaimsOf(bot);
  EXPECT_EQ(world_.JudgeClaims(of_phone) + ", " + world_.JudgeClaims(of_bot), "ann admin, ann bot");
  EXPECT_EQ(world_.Change("ann", R"({"version":1,"role":"member","attributes":{"adult":null}})"), "ok");
  EXPECT_EQ(world_.JudgeClaims(of_phone) + ", " + world_.JudgeClaims(of_bot), "ann member, ann bot");
  EXPECT_TRUE(JudgeToken(world_.Reads(), of_phone)->attributes.empty());
}

TEST_F(AccessTokenTest, claims_requested_by_a_service_survive_a_refresh) {
  world_.Make(R"({"userId":"ann","role":"admin"})");
  SignIn asked;
  asked.user = UserNamed("ann");
  asked.role = UserRole::kMember;
  asked.ttl_seconds = 60;
  asked.scope = "read";
  TokenScene::Device phone = *world_.TrySignIn(asked);
  EXPECT_EQ(world_.Renew(&phone), "ok");
  const Claims claims = ClaimsOf(phone);
  EXPECT_EQ(claims.role + " " + claims.scope, "member read");
  EXPECT_EQ(claims.exp_s - *claims.iat_s, 60);
}

TEST_F(AccessTokenTest, a_token_signed_by_the_tenant_is_judged_by_the_second_of_its_issue) {
  const int64_t now_s = world_.scene.clock.now_ms / 1000;
  EXPECT_EQ(world_.JudgeClaims(Foreign(now_s)), "ann support");
  EXPECT_EQ(world_.JudgeClaims(Foreign(std::nullopt)), "ann support");
  world_.Void("ann");
  EXPECT_EQ(world_.JudgeClaims(Foreign(now_s - 1)), "UNAUTHENTICATED");
  EXPECT_EQ(world_.JudgeClaims(Foreign(now_s)), "UNAUTHENTICATED");
  EXPECT_EQ(world_.JudgeClaims(Foreign(std::nullopt)), "UNAUTHENTICATED");
  EXPECT_EQ(world_.JudgeClaims(Foreign(now_s + 1)), "ann support");
  EXPECT_EQ(JudgeToken(world_.Reads(), Foreign(now_s + 1))->attributes, (UserAttributes{{"adult", true}}));
}

TEST_F(AccessTokenTest, void_takes_precedence_over_suspended) {
  world_.Void("ann");
  EXPECT_TRUE(world_
                  .Decide<SessionsToEnd>(
                      [](RecordTransaction& records) { return SuspendUser(records, UserNamed("ann")); })
                  .ok());
  const int64_t now_s = world_.scene.clock.now_ms / 1000;
  EXPECT_EQ(world_.JudgeClaims(Foreign(now_s)), "UNAUTHENTICATED");
  EXPECT_EQ(world_.JudgeClaims(Foreign(now_s + 1)), "FORBIDDEN");
}

TEST_F(AccessTokenTest, a_family_of_another_user_opens_nothing) {
  const TokenScene::Device bob = world_.SignInAs("bob");
  Claims claims = Foreign(world_.scene.clock.now_ms / 1000);
  claims.sid = bob.grant.family_id;
  EXPECT_EQ(world_.JudgeClaims(claims), "UNAUTHENTICATED");
  claims.sid = "none";
  EXPECT_EQ(world_.JudgeClaims(claims), "UNAUTHENTICATED");
  claims.sid.clear();
  claims.tid = "bolt";
  EXPECT_EQ(world_.JudgeClaims(claims), "UNAUTHENTICATED");
}

// Neither the id of a later refresh token nor that of a used one names the family.
TEST_F(AccessTokenTest, only_the_first_token_names_a_family) {
  TokenScene::Device phone = world_.SignInAs("ann");
  EXPECT_EQ(world_.Renew(&phone), "ok");
  Claims claims = Foreign(world_.scene.clock.now_ms / 1000);
  claims.sid = world_.Find(phone.secret)->token_id;
  EXPECT_NE(claims.sid, phone.grant.family_id);
  EXPECT_EQ(world_.JudgeClaims(claims), "UNAUTHENTICATED");
}

}  // namespace
}  // namespace parley::accounts
