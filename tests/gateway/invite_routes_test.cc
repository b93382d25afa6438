// Invitations over HTTP: permissions, arguments and answers. tests/accounts/ covers the decisions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accounts/users/user_changes.h"
#include "features/host/records.h"
#include "gateway/app/node.h"
#include "tests/gateway/grant_scene.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;

const std::string kInvites = "/v1/invites";

class InviteRoutesTest : public GrantsTest {
 protected:
  void SetUp() override {
    MakeUser("ann", "ann@example.com");
    MakeUser("bob", "bob@example.com");
  }
  void MakeUser(const std::string& id, const std::string& email) {
    accounts::NewUser asked;
    asked.user_id = protocol::UserId::FromText(id);
    asked.email.emplace().value = email;
    std::string said = "nothing";
    features::DecideRecords<accounts::User>(
        world_->node().io(), kTenant,
        [asked](accounts::RecordTransaction& tx) {
          return accounts::MakeUser(tx, {}, asked, protocol::Ulid{});
        },
        [&](const protocol::Result<accounts::User>& made) {
          said = made.ok() ? "ok" : made.error().message;
        });
    world_->Settle();
    ASSERT_EQ(said, "ok");
  }
  HttpResponse Invite(const std::string& who, const std::string& email, const std::string& more = "",
                      FakeServer::Headers headers = {}) {
    return Ask(who, "POST", kInvites, R"({"email":")" + email + R"(","level":"write")" + more + "}",
               std::move(headers));
  }
  std::string Accept(const std::string& who, const std::string& token) {
    const HttpResponse answer = Ask(who, "POST", kInvites + "/accept", Args({{"token", token}}));
    return answer.status == 200 ? Body(answer).Text("permission.level") : Verdict(answer);
  }
  std::vector<std::string> States(const std::string& query = "") {
    return Walk("service", kInvites + query, "state");
  }
};

TEST_F(InviteRoutesTest, the_token_with_the_invited_address_grants_the_level_once) {
  const HttpResponse made = Invite("service", " Ann@Example.com");
  EXPECT_EQ(Verdict(made), "201");
  EXPECT_EQ(Body(made).Text("invite.email"), "ann@example.com");
  EXPECT_EQ(Body(made).Text("invite.resource"), "tenant");
  const std::string token = Body(made).Text("token");
  EXPECT_EQ(Accept("bob", token), "403 FORBIDDEN");
  EXPECT_EQ(Accept("service", token), "403 FORBIDDEN");
  EXPECT_EQ(Accept("ann", token), "write");
  EXPECT_EQ(Accept("ann", token), "404 NOT_FOUND");
  EXPECT_EQ(Accept("ann", "inv_" + std::string(64, '0')), "404 NOT_FOUND");
  EXPECT_THAT(States(), ElementsAre("accepted"));
  EXPECT_THAT(Walk("ann", kPermissions + "?userId=ann", "level"), ElementsAre("write"));
  EXPECT_EQ(Verdict(Invite("service", "ann@example.com")), "409 ALREADY_EXISTS");
}

TEST_F(InviteRoutesTest, a_repeat_is_answered_without_the_token) {
  const HttpResponse first = Invite("service", "ann@example.com", "", {{"Idempotency-Key", "k"}});
  const HttpResponse again = Invite("service", "ann@example.com", "", {{"Idempotency-Key", "k"}});
  EXPECT_EQ(Verdict(again), "201");
  EXPECT_EQ(Body(again).Json("invite"), Body(first).Json("invite"));
  EXPECT_FALSE(Body(again).Has("token"));
  EXPECT_EQ(Verdict(Invite("service", "bob@example.com", "", {{"Idempotency-Key", "k"}})),
            "409 IDEMPOTENCY_CONFLICT");
  EXPECT_EQ(Verdict(Invite("service", "ann@example.com")), "409 ALREADY_EXISTS");
  EXPECT_EQ(States().size(), 1u);
}

TEST_F(InviteRoutesTest, can_be_revoked_and_expire) {
  const Frame revoked = Body(Invite("service", "ann@example.com"));
  const std::string revoke = kInvites + "/" + revoked.Text("invite.inviteId") + "/revoke";
  EXPECT_EQ(Body(Ask("service", "POST", revoke)).Text("invite.state"), "revoked");
  EXPECT_EQ(Judge("service", "POST", revoke), "200");
  EXPECT_EQ(Accept("ann", revoked.Text("token")), "404 NOT_FOUND");
  world_->Advance(1);
  const Frame lapsed = Body(Invite("service", "ann@example.com", R"(,"ttlSeconds":1)"));
  world_->Advance(1000);
  EXPECT_EQ(Accept("ann", lapsed.Text("token")), "422 ACTION_INVALID_STATE");
  EXPECT_EQ(Verdict(Invite("service", "ann@example.com", R"(,"resource":"projects/p1")")), "201");
  EXPECT_THAT(States("?limit=1"), ElementsAre("pending", "expired", "revoked"));
  EXPECT_THAT(States("?resource=tenant"), ElementsAre("expired", "revoked"));
  EXPECT_THAT(States("?resource=projects/p1"), ElementsAre("pending"));
}

TEST_F(InviteRoutesTest, are_only_for_services_and_owners_of_the_resource) {
  Ask("service", "PUT", kPermissions, R"({"resource":"projects/p1","userId":"ann","level":"owner"})");
  const std::string there = R"(,"resource":"projects/p1")";
  const HttpResponse made = Invite("ann", "bob@example.com", there);
  EXPECT_EQ(Verdict(made), "201");
  for (const char* who : {"bob", "admin"}) {
    EXPECT_EQ(Verdict(Invite(who, "cem@example.com", there)), "403 FORBIDDEN") << who;
    EXPECT_EQ(Judge(who, "GET", kInvites), "403 FORBIDDEN") << who;
    EXPECT_EQ(
        WithoutCorrId(Ask(who, "POST", kInvites + "/" + Body(made).Text("invite.inviteId") + "/revoke")),
        WithoutCorrId(Ask(who, "POST", kInvites + "/none/revoke")));
  }
  EXPECT_EQ(Verdict(Invite("ann", "cem@example.com")), "403 FORBIDDEN") << "to the tenant";
  EXPECT_EQ(Judge("ann", "GET", kInvites), "403 FORBIDDEN");
  EXPECT_EQ(Walk("ann", kInvites + "?resource=projects/p1", "email").size(), 1u);
  EXPECT_EQ(Accept("bob", Body(made).Text("token")), "write");
}

TEST_F(InviteRoutesTest, malformed_requests_are_refused) {
  const std::string level = R"(,"level":"read")", email = R"({"email":"ann@example.com")";
  for (const std::string& body :
       {std::string("{}"), R"({"email":"")" + level + "}", R"({"email":"ann")" + level + "}",
        R"({"email":7)" + level + "}", email + "}", email + R"(,"level":"all"})",
        email + level + R"(,"ttlSeconds":0})", email + level + R"(,"ttlSeconds":7776001})",
        email + level + R"(,"resource":"x"})", email + level + R"(,"token":"x"})",
        email + level + R"(,"resource":"threads/thrd_)" + std::string(26, '0') + R"("})"})
    EXPECT_EQ(Judge("service", "POST", kInvites, body), "400 BAD_REQUEST") << body;
  EXPECT_EQ(Judge("ann", "POST", kInvites + "/accept", "{}"), "400 BAD_REQUEST");
}

}  // namespace
}  // namespace parley::gateway_test
