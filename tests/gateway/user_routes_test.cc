// Users and their API keys over HTTP, and the sessions that end with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accounts/users/user_keys.h"
#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class UserRoutesTest : public TenantScene {};

TEST_F(UserRoutesTest, a_user_is_created_found_changed_and_deleted) {
  const HttpResponse made = Ask("POST", "/v1/users",
                                R"({"userId":"ann","email":"Ann@Example.com","displayName":"Ann",)"
                                R"("channelIdentities":{"slack":"U1"},"attributes":{"adult":true}})");
  ASSERT_EQ(Verdict(made), "201");
  EXPECT_EQ(Body(made).Text("user.email"), "ann@example.com");
  EXPECT_EQ(Body(made).Int("user.version"), 1);
  EXPECT_EQ(Ask("GET", "/v1/users/ann").body, made.body);

  const HttpResponse changed =
      Ask("PATCH", "/v1/users/ann", R"({"version":1,"displayName":"Anna","email":null})");
  EXPECT_EQ(Verdict(changed), "200");
  EXPECT_EQ(Body(changed).Text("user.displayName"), "Anna");
  EXPECT_EQ(Body(changed).Json("user.email"), "null");
  const HttpResponse late = Ask("PATCH", "/v1/users/ann", R"({"version":1,"displayName":"Annie"})");
  EXPECT_EQ(Verdict(late), "409 VERSION_CONFLICT");
  EXPECT_EQ(Body(late).Text("error.current.displayName"), "Anna");

  const HttpResponse gone = Ask("DELETE", "/v1/users/ann");
  EXPECT_EQ(gone.status, 204);
  EXPECT_EQ(gone.body, "");
  for (const char* method : {"GET", "DELETE"})
    EXPECT_EQ(Verdict(Ask(method, "/v1/users/ann")), "404 NOT_FOUND") << method;
  EXPECT_EQ(Verdict(Ask("PATCH", "/v1/users/ann", R"({"version":2})")), "404 NOT_FOUND");
}

TEST_F(UserRoutesTest, unique_fields_belong_to_one_user) {
  EXPECT_EQ(Verdict(Ask("POST", "/v1/users",
                        R"({"userId":"ann","email":"a@b.example","channelIdentities":{"slack":"U1"}})")),
            "201");
  for (const char* body :
       {R"({"userId":"ann"})", R"({"email":"A@B.example"})", R"({"channelIdentities":{"slack":"U1"}})"})
    EXPECT_EQ(Verdict(Ask("POST", "/v1/users", body)), "409 ALREADY_EXISTS") << body;
  EXPECT_THAT(Body(Ask("POST", "/v1/users", "{}")).Text("user.userId"), HasSubstr("usr_"));
}

TEST_F(UserRoutesTest, the_list_is_in_order_and_paged) {
  for (const char* id : {"bo", "al", "carl", "cat", "cy"}) MakeUser(id);
  std::vector<std::string> seen;
  std::string cursor;
  for (int pages = 1;; ++pages) {
    const Frame page =
        Body(Ask("GET", "/v1/users?prefix=c&limit=1" + (cursor.empty() ? "" : "&cursor=" + cursor)));
    seen.push_back(page.Text("items.0.userId"));
    if (page.Json("cursor") == "null") break;
    ASSERT_LT(pages, 4);
    cursor = page.Text("cursor");
  }
  EXPECT_THAT(seen, ElementsAre("carl", "cat", "cy"));
  EXPECT_EQ(Verdict(Ask("GET", "/v1/users?cursor=" + cursor)), "400 BAD_REQUEST") << "of another list";
  EXPECT_EQ(Body(Ask("GET", "/v1/users?limit=5")).Json("cursor"), "null") << "nothing follows";
  EXPECT_EQ(Body(Ask("GET", "/v1/users")).Size("items"), 5u);
}

TEST_F(UserRoutesTest, a_user_is_found_by_address_and_by_identity) {
  EXPECT_EQ(Verdict(Ask("POST", "/v1/users",
                        R"({"userId":"ann","email":"a@b.example","channelIdentities":{"sms":"+1:2"}})")),
            "201");
  MakeUser("bo");
  EXPECT_EQ(Body(Ask("GET", "/v1/users?email=A@B.example")).Text("items.0.userId"), "ann");
  EXPECT_EQ(Body(Ask("GET", "/v1/users?identity=sms:%2B1:2")).Text("items.0.userId"), "ann");
  for (const char* query : {"?email=x@b.example", "?email=none", "?identity=sms:9", "?identity=slack:1"})
    EXPECT_EQ(Body(Ask("GET", std::string("/v1/users") + query)).Size("items"), 0u) << query;
  for (const char* query : {"?identity=sms", "?email=a@b.example&prefix=a", "?limit=0", "?name=x"})
    EXPECT_EQ(Verdict(Ask("GET", std::string("/v1/users") + query)), "400 BAD_REQUEST") << query;
}

TEST_F(UserRoutesTest, users_see_and_change_themselves_and_admins_others) {
  MakeUser("ann");
  MakeUser("bo");
  MakeUser("ada", "admin");
  const std::string ann = Issue("ann").token, ada = Issue("ada").token;
  EXPECT_EQ(As(ann, "GET", "/v1/users/ann"), "200");
  EXPECT_EQ(As(ann, "PATCH", "/v1/users/ann", R"({"version":1,"displayName":"Ann","preferences":{"x":1}})"),
            "200");
  EXPECT_THAT(
      (std::vector{As(ann, "GET", "/v1/users/bo"), As(ann, "GET", "/v1/users/nobody"),
                   As(ann, "GET", "/v1/users"), As(ann, "PATCH", "/v1/users/bo", R"({"version":1})"),
                   As(ann, "DELETE", "/v1/users/ann"),
                   As(ann, "PATCH", "/v1/users/ann", R"({"version":2,"role":"admin"})"),
                   As(ann, "PATCH", "/v1/users/ann", R"({"version":2,"email":"a@b.example"})"),
                   As(ann, "POST", "/v1/users", "{}"), As(ada, "POST", "/v1/users", R"({"role":"admin"})"),
                   As(ada, "PATCH", "/v1/users/bo", R"({"version":1,"attributes":{"adult":true}})")}),
      Each("403 FORBIDDEN"));
  EXPECT_EQ(As(ada, "POST", "/v1/users", R"({"userId":"mo","role":"moderator"})"), "201");
  EXPECT_EQ(As(ada, "GET", "/v1/users"), "200");
  EXPECT_EQ(As(ada, "PATCH", "/v1/users/bo", R"({"version":1,"role":"moderator"})"), "200");
  EXPECT_EQ(As(ada, "DELETE", "/v1/users/bo"), "204");
}

TEST_F(UserRoutesTest, a_repeat_creates_no_second_user) {
  const auto make = [&](const std::string& body) {
    return Send(back_end_, "POST", "/v1/users", body, {{"Idempotency-Key", "k1"}});
  };
  const HttpResponse first = make(R"({"displayName":"A"})"), again = make(R"({"displayName":"A"})");
  EXPECT_EQ(Verdict(again), "201");
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(Verdict(make(R"({"displayName":"B"})")), "409 IDEMPOTENCY_CONFLICT");
  EXPECT_EQ(Body(Ask("GET", "/v1/users")).Size("items"), 1u);
}

TEST_F(UserRoutesTest, a_new_role_ends_sessions_and_a_new_name_does_not) {
  MakeUser("ann");
  FakeClient client = Connect(Issue("ann").token);
  Ask("PATCH", "/v1/users/ann", R"({"version":1,"displayName":"Ann"})");
  EXPECT_EQ(client.close_code(), 0);
  Ask("PATCH", "/v1/users/ann", R"({"version":2,"role":"support"})");
  EXPECT_EQ(client.close_code(), 4401);
}

TEST_F(UserRoutesTest, deleting_a_user_ends_their_sessions_tokens_and_keys) {
  MakeUser("ann");
  const Tokens tokens = Issue("ann");
  SignIn(60, {protocol::UserId{"ann"}});
  const std::string key = MakeApiKey("ann");
  FakeClient by_token = Connect(tokens.token), by_key = Connect(key);
  EXPECT_EQ(Verdict(Ask("DELETE", "/v1/users/ann")), "204");
  EXPECT_EQ(by_token.close_code(), 4401);
  EXPECT_EQ(by_key.close_code(), 4401);
  EXPECT_THAT((std::vector{Opens(tokens.token), Opens(key), Verdict(Refresh(tokens.refresh))}),
              Each("401 UNAUTHENTICATED"));
  EXPECT_EQ(CountStored(accounts::kApiKeyTable, accounts::ApiKeyHash(protocol::UserId{"ann"})), 0u);
  EXPECT_EQ(CountStored(accounts::kRefreshTokenTable, accounts::RefreshTokenHash(protocol::UserId{"ann"})),
            0u)
      << "in more than one step";
  EXPECT_EQ(Opens(Issue("ann").token), "200") << "whom the tenant names again is there again";
}

// --- API keys

TEST_F(UserRoutesTest, a_key_is_shown_once_and_acts_as_its_user) {
  MakeUser("ann");
  const std::string ann = Issue("ann").token;
  const HttpResponse made = Send(ann, "POST", "/v1/users/ann/api-keys", R"({"name":"laptop"})");
  ASSERT_EQ(Verdict(made), "201");
  const std::string secret = Body(made).Text("secret"), id = Body(made).Text("apiKey.keyId");
  EXPECT_THAT(secret, testing::StartsWith("pak_"));
  EXPECT_EQ(Opens(secret), "200");
  const HttpResponse list = Send(secret, "GET", "/v1/users/ann/api-keys");
  EXPECT_EQ(Body(list).Text("items.0.keyId"), id);
  EXPECT_EQ(Body(list).Text("items.0.name"), "laptop");
  EXPECT_NE(Body(list).Json("items.0.lastUsedAt"), "null");
  EXPECT_THAT(list.body, Not(HasSubstr(secret)));

  EXPECT_EQ(As(ann, "DELETE", "/v1/users/ann/api-keys/" + id), "204");
  EXPECT_EQ(Opens(secret), "401 UNAUTHENTICATED");
  EXPECT_EQ(As(ann, "DELETE", "/v1/users/ann/api-keys/" + id), "404 NOT_FOUND");
}

TEST_F(UserRoutesTest, users_cannot_create_a_key_that_acts_for_another) {
  MakeUser("ann");
  MakeUser("ada", "admin");
  MakeApiKey("ann");
  const std::string ada = Issue("ada").token;
  for (const char* user : {"ann", "nobody"}) {
    const std::string keys = std::string("/v1/users/") + user + "/api-keys";
    EXPECT_THAT(
        (std::vector{As(ada, "POST", keys, "{}"), As(ada, "GET", keys), As(ada, "DELETE", keys + "/x")}),
        Each("403 FORBIDDEN"));
  }
}

TEST_F(UserRoutesTest, a_repeat_shows_no_secret_again) {
  const auto make = [&] {
    return Send(back_end_, "POST", "/v1/users/ann/api-keys", "{}", {{"Idempotency-Key", "k1"}});
  };
  const HttpResponse first = make(), again = make();
  EXPECT_EQ(Verdict(again), "201");
  EXPECT_EQ(Body(again).Text("apiKey.keyId"), Body(first).Text("apiKey.keyId"));
  EXPECT_TRUE(Body(first).Has("secret"));
  EXPECT_FALSE(Body(again).Has("secret"));
}

TEST_F(UserRoutesTest, deleting_a_key_ends_only_its_own_sessions_and_tokens) {
  const std::string key = MakeApiKey("ann");
  world_.clock().Advance(1);  // so that it is listed first
  const std::string other = MakeApiKey("ann");
  const Tokens from_key = TokensFrom(Send(key, "POST", "/v1/tokens", "{}"));
  const Tokens from_back_end = Issue("ann");
  FakeClient by_key = Connect(key), by_token = Connect(from_key.token), by_other = Connect(other);
  FakeClient by_back_end = Connect(from_back_end.token);
  const std::string id = Body(Ask("GET", "/v1/users/ann/api-keys")).Text("items.0.keyId");
  EXPECT_EQ(Verdict(Ask("DELETE", "/v1/users/ann/api-keys/" + id)), "204");
  EXPECT_EQ(by_key.close_code(), 4401);
  EXPECT_EQ(by_token.close_code(), 4401);
  EXPECT_EQ(by_other.close_code(), 0);
  EXPECT_EQ(by_back_end.close_code(), 0);
  EXPECT_EQ(Verdict(Refresh(from_key.refresh)), "401 UNAUTHENTICATED");
  EXPECT_EQ(Opens(other), "200");
}

TEST_F(UserRoutesTest, a_key_with_a_hundred_sign_ins_can_be_deleted) {
  MakeApiKey("ann");
  const std::string id = Body(Ask("GET", "/v1/users/ann/api-keys")).Text("items.0.keyId");
  accounts::SignIn asked{protocol::UserId{"ann"}};
  asked.key_id = id;
  SignIn(accounts::kLiveFamiliesMax, asked);
  EXPECT_EQ(Verdict(Ask("DELETE", "/v1/users/ann/api-keys/" + id)), "204");
}

TEST_F(UserRoutesTest, a_user_deleted_during_the_request_gets_no_key) {
  MakeUser("ann");
  const std::string ann = Issue("ann").token;
  world_->HoldProofs(true);
  const auto answer = world_->transport().Http(
      {"POST", "/v1/users/ann/api-keys", "{}", "192.0.2.7", {{"Authorization", "Bearer " + ann}}});
  world_->Settle();
  EXPECT_FALSE(answer->has_value());
  EXPECT_EQ(Verdict(Ask("DELETE", "/v1/users/ann")), "204");
  world_->HoldProofs(false);
  world_->Settle();
  ASSERT_TRUE(answer->has_value());
  EXPECT_EQ(Verdict(**answer), "401 UNAUTHENTICATED");
  EXPECT_EQ(Body(Ask("GET", "/v1/users/ann/api-keys")).Size("items"), 0u);
}

// --- the operator, and other tenants

TEST_F(UserRoutesTest, the_operator_names_the_tenant) {
  const std::string op = FakeServer::operator_key();
  EXPECT_EQ(As(op, "POST", "/v1/users?tenant=acme", R"({"userId":"ann"})"), "201");
  EXPECT_EQ(As(op, "GET", "/v1/users/ann?tenant=acme"), "200");
  EXPECT_EQ(As(op, "POST", "/v1/tokens/revoke?tenant=acme", R"({"userId":"ann"})"), "204");
  EXPECT_EQ(As(op, "GET", "/v1/users/ann"), "404 NOT_FOUND");
  EXPECT_EQ(As(op, "GET", "/v1/users/ann?tenant=other"), "404 NOT_FOUND");
}

TEST_F(UserRoutesTest, another_tenant_finds_nothing) {
  MakeUser("ann");
  const std::string op = FakeServer::operator_key();
  EXPECT_EQ(As(op, "POST", "/v1/tenants", R"({"tenantId":"else","name":"Else"})"), "201");
  const std::string other = Secret(op, "/v1/tenants/else/keys", "{}");
  EXPECT_EQ(As(other, "GET", "/v1/users/ann"), "404 NOT_FOUND");
  EXPECT_EQ(As(other, "GET", "/v1/users/ann?tenant=acme"), "404 NOT_FOUND");
  EXPECT_EQ(Body(Send(other, "GET", "/v1/users")).Size("items"), 0u);
  EXPECT_EQ(As(other, "POST", "/v1/users", R"({"userId":"ann"})"), "201") << "while it is not active yet";
  EXPECT_EQ(As(other, "POST", "/v1/tokens", R"({"userId":"ann"})"), "403 FORBIDDEN");
}

}  // namespace
}  // namespace parley::gateway_test
