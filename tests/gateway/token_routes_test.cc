// Access tokens and refresh tokens over HTTP: issue, refresh, revocation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accounts/permissions/permissions.h"
#include "accounts/tenants/tenant.h"
#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

using testing::Each;

class TokenRoutesTest : public TenantScene {};

TEST_F(TokenRoutesTest, only_back_ends_and_user_keys_get_tokens) {
  MakeUser("ann", "support");
  const HttpResponse issued = Ask("POST", "/v1/tokens", R"({"userId":"ann","ttlSeconds":60,"scope":"read"})");
  const Tokens tokens = TokensFrom(issued);
  EXPECT_EQ(Body(issued).Text("expiresAt"),
            protocol::FormatTime({world_.clock().Now().ms / 1000 * 1000 + 60'000}));
  EXPECT_EQ(Opens(tokens.token), "200");
  EXPECT_EQ(As(Issue("ann").token, "POST", "/v1/tokens", "{}"), "403 FORBIDDEN") << "it would live for ever";
  const std::string key = MakeApiKey("ann");
  EXPECT_EQ(Opens(TokensFrom(Send(key, "POST", "/v1/tokens", "{}")).token), "200");
  for (const char* wish :
       {R"({"userId":"bo"})", R"({"role":"admin"})", R"({"ttlSeconds":9})", R"({"scope":"read"})"})
    EXPECT_EQ(As(key, "POST", "/v1/tokens", wish), "403 FORBIDDEN") << wish;
  for (const char* wish :
       {"{}", R"({"userId":"ann","ttlSeconds":0})", R"({"userId":"ann","ttlSeconds":86401})",
        R"({"userId":"ann","scope":"all"})", R"({"userId":"ann","role":"service"})", R"({"user":"ann"})"})
    EXPECT_EQ(Verdict(Ask("POST", "/v1/tokens", wish)), "400 BAD_REQUEST") << wish;
}

TEST_F(TokenRoutesTest, a_user_who_may_only_read_can_sign_in) {
  const std::string key = MakeApiKey("ann");
  Decide([](accounts::RecordTransaction& tx) -> protocol::Status {
    const auto tenant = accounts::Resource::Tenant(tx.tenant());
    const auto put = accounts::PutPermission(tx, accounts::Actor::Service(), tenant, protocol::UserId{"ann"},
                                             accounts::Level::kRead, accounts::LevelMode::kSet);
    return put.ok() ? protocol::Ok() : protocol::Status(put.error());
  });
  EXPECT_EQ(As(key, "POST", "/v1/users/ann/api-keys", "{}"), "403 FORBIDDEN");
  EXPECT_EQ(Opens(TokensFrom(Send(key, "POST", "/v1/tokens", "{}")).token), "200");
}

TEST_F(TokenRoutesTest, a_user_who_refreshes_too_often_is_limited) {
  std::string refresh = Issue("ann").refresh;
  HttpResponse answer;
  for (int i = 0; i < 30; ++i) {
    answer = Refresh(refresh);
    if (answer.status != 200) break;
    refresh = Body(answer).Text("refreshToken");
  }
  EXPECT_EQ(Verdict(answer), "429 RATE_LIMITED");
  world_->Advance(60'000);
  EXPECT_EQ(Verdict(Refresh(refresh)), "200") << "what was refused was not used up";
}

TEST_F(TokenRoutesTest, a_repeat_shows_no_token_again) {
  const auto issue = [&] {
    return Send(back_end_, "POST", "/v1/tokens", R"({"userId":"ann"})", {{"Idempotency-Key", "k1"}});
  };
  const HttpResponse first = issue(), again = issue();
  EXPECT_EQ(Body(again).Text("expiresAt"), Body(first).Text("expiresAt"));
  EXPECT_FALSE(Body(again).Has("token"));
  EXPECT_FALSE(Body(again).Has("refreshToken"));
}

TEST_F(TokenRoutesTest, a_refresh_token_used_twice_ends_its_family) {
  const Tokens first = Issue("ann"), other = Issue("ann");
  const Tokens second = TokensFrom(Refresh(first.refresh));
  EXPECT_EQ(Opens(second.token), "200");
  FakeClient session = Connect(second.token), other_session = Connect(other.token);
  world_->Advance(10'000);
  EXPECT_EQ(Verdict(Refresh(first.refresh)), "401 UNAUTHENTICATED");
  EXPECT_EQ(session.close_code(), 4401);
  EXPECT_EQ(other_session.close_code(), 0);
  EXPECT_THAT((std::vector{Verdict(Refresh(second.refresh)), Opens(first.token), Opens(second.token)}),
              Each("401 UNAUTHENTICATED"));
  EXPECT_EQ(Opens(other.token), "200");
}

TEST_F(TokenRoutesTest, a_lost_answer_to_a_refresh_does_not_sign_the_user_out) {
  const Tokens first = Issue("ann");
  const HttpResponse answer = Refresh(first.refresh);
  const Tokens second = TokensFrom(answer);
  world_->Advance(5000);
  EXPECT_EQ(Refresh(first.refresh).body, answer.body) << "the same three values";
  world_.Restart();
  world_->Advance(4000);
  EXPECT_EQ(Refresh(first.refresh).body, answer.body);
  EXPECT_EQ(Opens(second.token), "200");
  const Tokens third = TokensFrom(Refresh(second.refresh));
  EXPECT_EQ(Verdict(Refresh(first.refresh)), "401 UNAUTHENTICATED") << "its successor was used";
  EXPECT_EQ(Opens(third.token), "401 UNAUTHENTICATED");
}

TEST_F(TokenRoutesTest, a_tenant_sets_how_long_a_refresh_can_be_repeated) {
  int64_t version = 2;
  const auto set = [&](const char* seconds) {
    return Verdict(Ask("PATCH", "/v1/tenants/acme",
                       R"({"version":)" + std::to_string(version) + R"(,"settings":{"refreshGraceSeconds":)" +
                           seconds + "}}"));
  };
  for (const char* wrong : {"-1", "61", "1.5", "\"10\""}) EXPECT_EQ(set(wrong), "400 BAD_REQUEST") << wrong;
  const auto again_after = [&](int64_t ms) {
    const Tokens tokens = Issue("ann");
    EXPECT_EQ(Verdict(Refresh(tokens.refresh)), "200");
    world_->Advance(ms);
    return Verdict(Refresh(tokens.refresh));
  };
  ASSERT_EQ(set("60"), "200");
  EXPECT_EQ(again_after(59'999), "200");
  EXPECT_EQ(again_after(60'000), "401 UNAUTHENTICATED");
  ++version;
  ASSERT_EQ(set("0"), "200");
  EXPECT_EQ(again_after(0), "401 UNAUTHENTICATED");
}

TEST_F(TokenRoutesTest, two_simultaneous_refreshes_get_the_same_tokens) {
  const Tokens first = Issue("ann");
  const auto refresh = [&] {
    return world_->transport().Http(
        {"POST", "/v1/tokens/refresh", Args({{"refreshToken", first.refresh}}), "192.0.2.7", {}});
  };
  const auto one = refresh(), two = refresh();
  world_->Settle();
  const Tokens next = TokensFrom(**one);
  EXPECT_EQ((*two)->body, (*one)->body);
  EXPECT_EQ(Opens(next.token), "200");
  EXPECT_EQ(Verdict(Refresh(next.refresh)), "200");
}

TEST_F(TokenRoutesTest, a_refresh_needs_no_other_credential_and_ignores_any) {
  const Tokens tokens = Issue("ann");
  EXPECT_EQ(Verdict(Refresh(tokens.refresh, {{"Authorization", "Bearer nonsense"}})), "200");
  for (const std::string& wrong :
       {std::string("x"), "prt_" + std::string(64, 'a'), back_end_, tokens.token.substr(0, 100)})
    EXPECT_EQ(Verdict(Refresh(wrong)), "401 UNAUTHENTICATED") << wrong;
  EXPECT_EQ(Verdict(Send("", "POST", "/v1/tokens/refresh", "{}")), "400 BAD_REQUEST");
}

// Made-up, used or revoked.
TEST_F(TokenRoutesTest, invalid_refresh_tokens_count_as_guesses_like_other_bad_credentials) {
  const Tokens used = Issue("ann");
  EXPECT_EQ(Verdict(Refresh(used.refresh)), "200");
  world_->Advance(10'000);
  const std::string guess = "prt_" + std::string(64, 'a');
  const auto revoke = [&] {
    return Verdict(Send("", "POST", "/v1/tokens/revoke", Args({{"refreshToken", guess}})));
  };
  for (int i = 0; i < 98; ++i) {
    ASSERT_EQ(Verdict(Refresh(guess)), "401 UNAUTHENTICATED");
    ASSERT_EQ(revoke(), "401 UNAUTHENTICATED");
    ASSERT_EQ(Opens("ptk_guess"), "401 UNAUTHENTICATED");
  }
  EXPECT_EQ(Verdict(Refresh(used.refresh)), "401 UNAUTHENTICATED") << "as much as five";
  EXPECT_EQ(Verdict(Refresh(used.refresh)), "429 RATE_LIMITED") << "a slow hash is more than what is left";
  EXPECT_EQ(Verdict(Refresh(guess)), "401 UNAUTHENTICATED");
  EXPECT_EQ(Verdict(Refresh(guess)), "429 RATE_LIMITED") << "300 in a minute";
  EXPECT_EQ(revoke(), "429 RATE_LIMITED");
  EXPECT_EQ(Opens(back_end_), "429 RATE_LIMITED") << "of whatever kind";
  world_->Advance(200);
  EXPECT_EQ(Verdict(Ask("GET", "/v1/users")), "200");
}

TEST_F(TokenRoutesTest, a_refresh_from_a_foreign_page_is_refused_and_not_charged) {
  const Tokens tokens = Issue("ann");
  const FakeServer::Headers foreign = {{"Origin", "https://evil.example"}, {"Host", "chat.example"}};
  EXPECT_EQ(Verdict(Refresh(tokens.refresh, foreign)), "403 FORBIDDEN");
  EXPECT_EQ(Verdict(Refresh(tokens.refresh)), "200");
}

TEST_F(TokenRoutesTest, only_tokens_of_active_tenants_are_issued_and_refreshed) {
  const Tokens tokens = Issue("ann");
  SetStatus("suspend");
  EXPECT_EQ(Verdict(Refresh(tokens.refresh)), "403 FORBIDDEN");
  EXPECT_EQ(Verdict(Ask("POST", "/v1/tokens", R"({"userId":"ann"})")), "403 FORBIDDEN");
  EXPECT_EQ(Verdict(Ask("GET", "/v1/users")), "200");
  EXPECT_EQ(Verdict(Ask("POST", "/v1/users", "{}")), "403 FORBIDDEN");
  SetStatus("activate");
  EXPECT_EQ(Verdict(Refresh(tokens.refresh)), "200");
}

TEST_F(TokenRoutesTest, the_holder_can_revoke_the_tokens_of_a_sign_in) {
  const Tokens tokens = Issue("ann"), other = Issue("ann");
  FakeClient session = Connect(tokens.token);
  const auto revoke = [&](const std::string& credential) {
    return As(credential, "POST", "/v1/tokens/revoke", Args({{"refreshToken", tokens.refresh}}));
  };
  EXPECT_EQ(revoke("expired long ago"), "204");
  EXPECT_EQ(session.close_code(), 4401);
  EXPECT_EQ(Opens(tokens.token), "401 UNAUTHENTICATED");
  EXPECT_EQ(Opens(other.token), "200");
  EXPECT_EQ(revoke(""), "204") << "again";
}

TEST_F(TokenRoutesTest, a_back_end_revokes_all_tokens_of_a_user_but_not_their_keys) {
  const Tokens tokens = Issue("ann");
  const std::string key = MakeApiKey("ann");
  FakeClient by_token = Connect(tokens.token), by_key = Connect(key);
  const std::string body = R"({"userId":"ann"})", path = "/v1/tokens/revoke";
  EXPECT_EQ(As("", "POST", path, body), "401 UNAUTHENTICATED");
  EXPECT_EQ(As(tokens.token, "POST", path, body), "403 FORBIDDEN");
  EXPECT_EQ(As(back_end_, "POST", path, body), "204");
  EXPECT_EQ(by_token.close_code(), 4401);
  EXPECT_EQ(by_key.close_code(), 0);
  EXPECT_EQ(Opens(tokens.token), "401 UNAUTHENTICATED");
  EXPECT_EQ(Opens(key), "200");
  EXPECT_EQ(Opens(Issue("ann").token), "200");
  for (const std::string& wrong :
       {std::string("{}"), Args({{"userId", "ann"}, {"refreshToken", tokens.refresh}})})
    EXPECT_EQ(As(back_end_, "POST", path, wrong), "400 BAD_REQUEST") << wrong;
}

TEST_F(TokenRoutesTest, a_first_sign_in_creates_a_record_if_the_tenant_allows_it) {
  const std::string secret(32, 's');
  EXPECT_EQ(
      Verdict(Ask("PUT", "/v1/tenants/acme/signing-keys/k", R"({"alg":"HS256","secret":")" + secret + "\"}")),
      "200");
  const auto token = [&](const char* user) {
    accounts::Claims claims;
    claims.sub = user;
    claims.tid = "acme";
    claims.role = "support";
    claims.iat_s = world_.clock().Now().ms / 1000;
    claims.exp_s = *claims.iat_s + 600;
    return accounts::SignHs256(claims, secret, "k");
  };
  Connect(token("ann"));
  EXPECT_EQ(Verdict(Ask("GET", "/v1/users/ann")), "404 NOT_FOUND");
  const std::string version = std::to_string(Body(Ask("GET", "/v1/tenants/acme")).Int("tenant.version"));
  EXPECT_EQ(Verdict(Ask("PATCH", "/v1/tenants/acme",
                        R"({"version":)" + version + R"(,"settings":{"autoProvision":true}})")),
            "200");
  Connect(token("ann"));
  EXPECT_EQ(Body(Ask("GET", "/v1/users/ann")).Text("user.role"), "support");
  EXPECT_EQ(Opens(token("bob")), "200");
  EXPECT_EQ(Verdict(Ask("GET", "/v1/users/bob")), "200");
}

}  // namespace
}  // namespace parley::gateway_test
