// Permissions, invitations and integration events over HTTP. What is decided is tested in accounts/; here it
// is who may, what is taken and answered, and how lists go on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accounts/users/user_changes.h"
#include "gateway/records.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using gateway::HttpResponse;
using testing::ElementsAre;
using testing::HasSubstr;

const protocol::TenantId kTenant{"demo"};
const std::string kPermissions = "/v1/permissions", kInvites = "/v1/invites", kEvents = "/v1/events";
const std::string kInbox = "/v1/inbox";

Frame Body(const HttpResponse& response) {
  return Frame(protocol::Encoding::kJson, response.body);
}
// "404 NOT_FOUND", or "201".
std::string Verdict(const HttpResponse& response) {
  const std::string code = response.status < 300 ? "" : " " + Body(response).error();
  return std::to_string(response.status) + code;
}
// A refusal without what tells one from the other.
std::string WithoutCorrId(const HttpResponse& response) {
  const std::string id = Body(response).Text("error.corrId");
  std::string out = response.body;
  out.replace(out.find(id), id.size(), "");
  return out;
}

class GrantsTest : public testing::Test {
 protected:
  HttpResponse Ask(const std::string& who, const std::string& method, const std::string& target,
                   const std::string& body = "", FakeServer::Headers headers = {}) {
    headers.emplace_back("Authorization", "Bearer " + Credential(who));
    return world_->Http(method, target, body, std::move(headers));
  }
  std::string Credential(const std::string& who) {
    if (who == "service") return world_->service_key();
    return world_->Token(who, who.starts_with("admin") ? "admin" : "member");
  }
  std::string Judge(const std::string& who, const std::string& method, const std::string& target,
                    const std::string& body = "") {
    return Verdict(Ask(who, method, target, body));
  }
  // All of a list, page by page: the text at `member` of each item.
  std::vector<std::string> Walk(const std::string& who, const std::string& target,
                                const std::string& member) {
    std::vector<std::string> out;
    std::string cursor;
    do {
      const bool asks = target.find('?') != std::string::npos;
      const Frame page = Body(Ask(who, "GET", target + (cursor.empty() ? "" : (asks ? "&" : "?") + cursor)));
      for (size_t i = 0; i < page.Size("items"); ++i)
        out.push_back(page.Text("items." + std::to_string(i) + "." + member));
      cursor = page.Json("cursor") == "null" ? "" : "cursor=" + page.Text("cursor");
    } while (!cursor.empty() && out.size() < 1000);
    return out;
  }
  void SetStatus(accounts::TenantStatus status) {
    accounts::TenantDirectory& tenants = world_->node().tenants();
    auto tenant = std::make_shared<accounts::Tenant>(*tenants.Find("demo"));
    tenant->status = status;
    tenants.Publish(std::move(tenant), ++changes_);
  }

  World world_{DemoConfig()};
  uint64_t changes_ = 1'000'000;
};

// --- permissions

class PermissionRoutesTest : public GrantsTest {
 protected:
  HttpResponse Put(const std::string& who, const std::string& resource, const std::string& user,
                   const std::string& level, const std::string& mode = "set") {
    return Ask(who, "PUT", kPermissions,
               Args({{"resource", resource}, {"userId", user}, {"level", level}, {"mode", mode}}));
  }
  std::string LevelAfter(const HttpResponse& response) {
    return response.status == 200 ? Body(response).Text("permission.level") : Verdict(response);
  }
  std::string Delete(const std::string& who, const std::string& resource, const std::string& user) {
    return Judge(who, "DELETE", kPermissions + "?resource=" + resource + "&userId=" + user);
  }
  std::vector<std::string> MembersOf(const std::string& resource, const std::string& who = "service") {
    return Walk(who, kPermissions + "?resource=" + resource, "userId");
  }
};

TEST_F(PermissionRoutesTest, levels_are_set_raised_and_taken_away) {
  const HttpResponse put = Put("service", "projects/p1", "ann", "write");
  const std::string now = protocol::FormatTime(world_.clock().Now());
  EXPECT_EQ(put.body,
            R"({"permission":{"resource":"projects/p1","userId":"ann","level":"write","createdAt":")" + now +
                R"(","updatedAt":")" + now + R"("}})");
  EXPECT_EQ(LevelAfter(Put("service", "projects/p1", "ann", "read", "raise")), "write");
  EXPECT_EQ(LevelAfter(Put("service", "projects/p1", "ann", "read")), "read");
  EXPECT_EQ(Delete("service", "projects/p1", "ann"), "204");
  EXPECT_EQ(Delete("service", "projects/p1", "ann"), "404 NOT_FOUND");
  EXPECT_THAT(MembersOf("projects/p1"), ElementsAre());
}

TEST_F(PermissionRoutesTest, the_last_owner_is_neither_lowered_nor_removed) {
  Put("service", "projects/p1", "ann", "owner");
  EXPECT_EQ(LevelAfter(Put("service", "projects/p1", "ann", "write")), "403 FORBIDDEN");
  EXPECT_EQ(Delete("ann", "projects/p1", "ann"), "403 FORBIDDEN");
  Put("ann", "projects/p1", "bob", "owner");
  EXPECT_EQ(Delete("ann", "projects/p1", "ann"), "204");
  EXPECT_EQ(Delete("bob", "projects/p1", "bob"), "403 FORBIDDEN");
}

TEST_F(PermissionRoutesTest, are_for_owners_admins_and_services) {
  Put("service", "projects/p1", "ann", "owner");
  Put("service", "projects/p1", "bob", "write");
  const std::string list = kPermissions + "?resource=projects/p1";
  for (const char* who : {"service", "admin", "ann"}) {
    EXPECT_EQ(Judge(who, "GET", list), "200") << who;
    EXPECT_EQ(LevelAfter(Put(who, "projects/p1", "cem", "read")), "read") << who;
    EXPECT_EQ(Delete(who, "projects/p1", "cem"), "204") << who;
  }
  for (const char* who : {"bob", "eve"}) {
    EXPECT_EQ(Judge(who, "GET", list), "403 FORBIDDEN") << who;
    EXPECT_EQ(LevelAfter(Put(who, "projects/p1", who, "owner")), "403 FORBIDDEN") << who;
    EXPECT_EQ(Delete(who, "projects/p1", "ann"), "403 FORBIDDEN") << who;
  }
  EXPECT_EQ(WithoutCorrId(Ask("eve", "GET", list)),
            WithoutCorrId(Ask("eve", "GET", kPermissions + "?resource=projects/none")));
}

TEST_F(PermissionRoutesTest, users_see_their_own) {
  Put("service", "tenant", "bob", "write");
  Put("service", "projects/p1", "bob", "write");
  EXPECT_THAT(Walk("bob", kPermissions + "?userId=bob", "resource"), ElementsAre("projects/p1", "tenant"));
  EXPECT_EQ(Judge("eve", "GET", kPermissions + "?userId=bob"), "403 FORBIDDEN");
  const std::string both = kPermissions + "?resource=projects/p1&userId=";
  EXPECT_THAT(Walk("bob", both + "bob", "level"), ElementsAre("write"));
  EXPECT_THAT(Walk("service", both + "cem", "level"), ElementsAre());
  EXPECT_EQ(Judge("eve", "GET", both + "bob"), "403 FORBIDDEN");
}

TEST_F(PermissionRoutesTest, lists_come_in_pages_that_only_their_caller_can_go_on_with) {
  for (const char* user : {"u1", "u2", "u3", "u4", "u5"}) Put("service", "projects/p1", user, "read");
  const std::string list = kPermissions + "?resource=projects/p1&limit=2";
  EXPECT_THAT(Walk("service", list, "userId"), ElementsAre("u1", "u2", "u3", "u4", "u5"));
  const std::string cursor = "&cursor=" + Body(Ask("service", "GET", list)).Text("cursor");
  EXPECT_EQ(Judge("admin", "GET", list + cursor), "400 BAD_REQUEST");
  EXPECT_EQ(Judge("service", "GET", kPermissions + "?resource=projects/p2" + cursor), "400 BAD_REQUEST");
  EXPECT_EQ(Judge("service", "GET", kPermissions + "?userId=u1" + cursor), "400 BAD_REQUEST");
}

TEST_F(PermissionRoutesTest, malformed_wishes_are_refused_whoever_asks) {
  for (const char* query :
       {"", "?resource=", "?resource=a", "?resource=a/b/c", "?resource=threads/x", "?resource=tenant/x",
        "?userId=", "?userId=a%20b", "?resource=tenant&limit=201", "?resource=tenant&colour=red"})
    EXPECT_EQ(Judge("service", "GET", kPermissions + query), "400 BAD_REQUEST") << query;
  for (const char* body :
       {"{}", R"({"resource":"tenant","userId":"ann"})", R"({"resource":1,"userId":"ann","level":"read"})",
        R"({"resource":"tenant","userId":"ann","level":"admin"})",
        R"({"resource":"tenant","userId":"ann","level":"read","mode":"lower"})"})
    EXPECT_EQ(Judge("eve", "PUT", kPermissions, body), "400 BAD_REQUEST") << body;
}

TEST_F(PermissionRoutesTest, with_read_on_the_tenant_users_only_read_and_so_do_their_sessions) {
  FakeClient ann = world_->Join("ann");
  Put("service", "tenant", "ann", "write");
  EXPECT_EQ(ann.close_code(), 0);
  Put("service", "tenant", "ann", "read");
  EXPECT_EQ(ann.close_code(), 4401);
  EXPECT_EQ(LevelAfter(Put("ann", "projects/p1", "ann", "owner")), "403 FORBIDDEN");
  FakeClient again = world_->Join("ann");
  EXPECT_EQ(again.Ask("thread.create", R"({"kind":"group"})").error(), "FORBIDDEN");
  Put("service", "tenant", "ann", "read");
  EXPECT_EQ(again.close_code(), 0) << "nothing has changed";
  EXPECT_EQ(Delete("service", "tenant", "ann"), "204");
  EXPECT_EQ(again.close_code(), 4401);
  EXPECT_TRUE(world_->Join("ann").Ask("thread.create", R"({"kind":"group"})").ok());
}

// A thread's permissions are what its participants have, and are kept nowhere else.
TEST_F(PermissionRoutesTest, of_a_thread_are_those_of_its_participants) {
  FakeClient ann = world_->Join("ann");
  const std::string thread = world_.NewThread(ann, "ann", "bob");
  const std::string resource = "threads/" + thread;
  EXPECT_THAT(MembersOf(resource), ElementsAre("ann", "bob"));
  EXPECT_EQ(LevelAfter(Put("service", resource, "cem", "write")), "write");
  EXPECT_THAT(MembersOf(resource + "&limit=1", "ann"), ElementsAre("ann", "bob", "cem"));
  const auto in_thread = [&] {
    return ann.Ask("participant.list", Args({{"threadId", thread}})).Text("ok.participants.2.permission");
  };
  EXPECT_EQ(in_thread(), "write");
  EXPECT_EQ(LevelAfter(Put("ann", resource, "cem", "read", "raise")), "write");
  EXPECT_EQ(LevelAfter(Put("ann", resource, "cem", "read")), "read");
  EXPECT_EQ(in_thread(), "read");
  EXPECT_EQ(LevelAfter(Put("ann", resource, "cem", "owner", "raise")), "owner");
  EXPECT_THAT(Walk("service", kPermissions + "?resource=" + resource + "&userId=cem", "level"),
              ElementsAre("owner"));
  EXPECT_THAT(Walk("cem", kPermissions + "?userId=cem", "resource"), ElementsAre());
  EXPECT_EQ(Delete("ann", resource, "cem"), "204");
  EXPECT_THAT(MembersOf(resource), ElementsAre("ann", "bob"));
  EXPECT_EQ(Delete("ann", resource, "zoe"), "404 NOT_FOUND");
}

TEST_F(PermissionRoutesTest, of_a_thread_are_hidden_from_strangers_and_changed_by_owners_only) {
  FakeClient ann = world_->Join("ann");
  const std::string resource = "threads/" + world_.NewThread(ann, "ann", "bob", {"cem"});
  const std::string none =
      "threads/" + world_.NewThread(ann, "ann", "bob").substr(0, 10) + std::string(21, '0');
  ASSERT_TRUE(protocol::ThreadId::FromText(none.substr(8)));
  EXPECT_EQ(WithoutCorrId(Ask("eve", "GET", kPermissions + "?resource=" + resource)),
            WithoutCorrId(Ask("eve", "GET", kPermissions + "?resource=" + none)));
  EXPECT_EQ(WithoutCorrId(Put("eve", resource, "eve", "owner")),
            WithoutCorrId(Put("eve", none, "eve", "owner")));
  for (const char* mode : {"set", "raise"})
    EXPECT_EQ(LevelAfter(Put("cem", resource, "cem", "owner", mode)), "403 FORBIDDEN") << mode;
  EXPECT_EQ(LevelAfter(Put("cem", resource, "cem", "read", "raise")), "403 FORBIDDEN");
}

TEST_F(PermissionRoutesTest, of_a_suspended_tenant_are_only_looked_at_and_its_threads_are_not) {
  FakeClient ann = world_->Join("ann");
  const std::string thread = world_.NewThread(ann, "ann", "bob");
  Put("service", "projects/p1", "ann", "owner");
  SetStatus(accounts::TenantStatus::kSuspended);
  EXPECT_THAT(MembersOf("projects/p1"), ElementsAre("ann"));
  EXPECT_EQ(Judge("service", "GET", kPermissions + "?resource=threads/" + thread), "403 FORBIDDEN");
  EXPECT_EQ(LevelAfter(Put("service", "projects/p1", "bob", "read")), "403 FORBIDDEN");
  EXPECT_EQ(Judge("ann", "GET", kPermissions + "?userId=ann"), "403 FORBIDDEN");
  SetStatus(accounts::TenantStatus::kOnboarding);
  EXPECT_EQ(LevelAfter(Put("service", "projects/p1", "bob", "read")), "read");
  EXPECT_EQ(LevelAfter(Put("service", "threads/" + thread, "cem", "read")), "403 FORBIDDEN");
  EXPECT_EQ(Delete("service", "threads/" + thread, "bob"), "403 FORBIDDEN");
}

// --- invitations

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
    gateway::DecideRecords<accounts::User>(
        world_->node().lane(), kTenant,
        [asked](accounts::RecordStage& stage) {
          return accounts::MakeUser(stage, {}, asked, protocol::Ulid{});
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

TEST_F(InviteRoutesTest, whoever_has_the_token_and_the_address_gets_the_level_once) {
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

TEST_F(InviteRoutesTest, end_by_revocation_and_by_time) {
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

TEST_F(InviteRoutesTest, are_for_services_and_owners_of_the_resource) {
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

TEST_F(InviteRoutesTest, malformed_wishes_are_refused) {
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

// --- events

class EventRoutesTest : public GrantsTest {
 protected:
  std::string Post(const std::string& json, const std::string& query = "") {
    const HttpResponse made = Ask("service", "POST", kEvents + query, json);
    EXPECT_EQ(Verdict(made), "201") << json;
    return Body(made).Text("eventId");
  }
  std::vector<std::string> PostMany(int n) {
    std::vector<std::string> out;
    for (int i = 0; i < n; ++i) {
      world_->Advance(1);
      out.push_back(Post("{}"));
    }
    return out;
  }
  std::vector<std::string> Ids(const std::string& target) { return Walk("service", target, "eventId"); }
  std::string Ask200(const std::string& method, const std::string& target, const std::string& body = "") {
    const HttpResponse answer = Ask("service", method, target, body);
    EXPECT_EQ(Verdict(answer), "200") << target;
    return answer.body;
  }
};

TEST_F(EventRoutesTest, are_given_back_exactly_as_they_came) {
  const std::string json = R"({"z":1.5,"big":12345678901234567890123456789,"deep":{"list":[true,null,"ü"]}})";
  const HttpResponse made = Ask("service", "POST", kEvents + "?type=order.paid", json);
  const std::string now = protocol::FormatTime(world_.clock().Now());
  const std::string id = Body(made).Text("eventId");
  EXPECT_EQ(made.body, R"({"eventId":")" + id + R"(","createdAt":")" + now + R"(","status":"undelivered"})");
  const std::string one = Ask200("GET", kEvents + "/" + id);
  EXPECT_THAT(one, HasSubstr(R"("type":"order.paid","status":"undelivered")"));
  EXPECT_THAT(one, HasSubstr(R"("big":12345678901234567890123456789)"));
  EXPECT_THAT(one, HasSubstr(R"("deep":{"list":[true,null,"ü"]})"));
  EXPECT_THAT(one, HasSubstr(R"("z":1.5)"));
  EXPECT_EQ(Ask200("GET", kInbox), R"({"items":[)" + one + R"(],"cursor":null})");
}

TEST_F(EventRoutesTest, take_their_type_from_the_query_or_from_themselves) {
  Post(R"({"type":"a"})");
  Post(R"({"type":"b"})", "?type=a");
  Post("{}");
  EXPECT_EQ(Ids(kEvents + "?type=a").size(), 2u);
  EXPECT_EQ(Ids(kEvents + "?type=b").size(), 0u);
  EXPECT_EQ(Ids(kEvents).size(), 3u);
}

TEST_F(EventRoutesTest, malformed_ones_are_refused) {
  for (const char* body : {"", "[]", "{", "7", "null", R"({"a":1}x)", R"({"type":"a#b"})"})
    EXPECT_EQ(Judge("service", "POST", kEvents, body), "400 BAD_REQUEST") << body;
  const std::string fits = R"({"a":")" + std::string(256 * 1024 - 8, 'x') + R"("})";
  EXPECT_EQ(fits.size(), size_t{256} * 1024);
  EXPECT_EQ(Judge("service", "POST", kEvents, fits), "201");
  EXPECT_EQ(Judge("service", "POST", kEvents, fits + " "), "413 TOO_LARGE");
  for (const char* query : {"?type=", "?type=a%23b", "?event=x", "?limit=1"})
    EXPECT_EQ(Judge("service", "POST", kEvents + query, "{}"), "400 BAD_REQUEST") << query;
  for (const char* target :
       {"/v1/inbox?limit=101", "/v1/inbox?limit=0", "/v1/inbox?leaseSeconds=0", "/v1/inbox?leaseSeconds=3601",
        "/v1/inbox?cursor=x", "/v1/inbox?status=delivered", "/v1/events?limit=201", "/v1/events?status=lost",
        "/v1/events?type=a%23"})
    EXPECT_EQ(Judge("service", "GET", target), "400 BAD_REQUEST") << target;
  for (const char* body : {"{}", R"({"eventIds":[]})", R"({"eventIds":"x"})", R"({"eventIds":[1]})"})
    EXPECT_EQ(Judge("service", "POST", kEvents + "/ack", body), "400 BAD_REQUEST") << body;
}

TEST_F(EventRoutesTest, are_for_back_ends_of_active_tenants) {
  const std::string id = Post("{}");
  for (const auto& [method, target] : {std::pair{"POST", kEvents},
                                       {"GET", kEvents},
                                       {"GET", kInbox},
                                       {"GET", kEvents + "/" + id},
                                       {"DELETE", kEvents + "/" + id},
                                       {"POST", kEvents + "/" + id + "/ack"}}) {
    const std::string body = std::string(method) == "POST" ? "{}" : "";
    EXPECT_EQ(Judge("admin", method, target, body), "403 FORBIDDEN") << target;
    SetStatus(accounts::TenantStatus::kOnboarding);
    EXPECT_EQ(Judge("service", method, target, body), "403 FORBIDDEN") << target;
    SetStatus(accounts::TenantStatus::kActive);
  }
}

TEST_F(EventRoutesTest, lists_go_on_where_they_ended_though_that_was_acknowledged) {
  const std::vector<std::string> made = PostMany(5);
  EXPECT_EQ(Ids(kInbox + "?limit=2"), made);
  const std::vector<std::string> newest(made.rbegin(), made.rend());
  EXPECT_EQ(Ids(kEvents + "?limit=2"), newest);
  const Frame page = Body(Ask("service", "GET", kInbox + "?limit=2"));
  EXPECT_EQ(Ask200("POST", kEvents + "/ack", R"({"eventIds":[")" + made[0] + R"(",")" + made[1] + R"("]})"),
            R"({"results":[{"eventId":")" + made[0] + R"(","status":"delivered"},{"eventId":")" + made[1] +
                R"(","status":"delivered"}]})");
  const std::string cursor = "&cursor=" + page.Text("cursor");
  EXPECT_EQ(Ids(kInbox + "?limit=3" + cursor), (std::vector{made[2], made[3], made[4]}));
  EXPECT_EQ(Judge("service", "GET", kEvents + "?status=undelivered" + cursor), "400 BAD_REQUEST");
  EXPECT_EQ(Ids(kEvents + "?status=delivered"), (std::vector{made[0], made[1]}));
}

TEST_F(EventRoutesTest, a_lease_hides_what_it_hands_out_but_not_from_a_head) {
  const std::vector<std::string> made = PostMany(3);
  EXPECT_EQ(Ask("service", "HEAD", kInbox + "?leaseSeconds=10").status, 200);
  EXPECT_EQ(Ids(kInbox), made);
  EXPECT_EQ(Body(Ask("service", "GET", kInbox + "?leaseSeconds=10&limit=2")).Size("items"), 2u);
  EXPECT_EQ(Ids(kInbox), (std::vector{made[2]}));
  EXPECT_EQ(Ids(kEvents + "?status=undelivered"), (std::vector{made[2]}));
  world_->Advance(10'000);
  EXPECT_EQ(Ids(kInbox), made);
}

// More than one look takes in are put back first.
TEST_F(EventRoutesTest, very_many_leases_that_end_at_once_are_all_back) {
  const std::vector<std::string> made = PostMany(190);
  for (int i = 0; i < 2; ++i) Ask200("GET", kInbox + "?leaseSeconds=10&limit=100");
  EXPECT_EQ(Ids(kInbox).size(), 0u);
  world_->Advance(10'000);
  EXPECT_EQ(Ids(kInbox + "?limit=100"), made);
}

TEST_F(EventRoutesTest, very_many_leases_that_end_at_once_can_be_leased_again) {
  const std::vector<std::string> made = PostMany(190);
  for (int i = 0; i < 2; ++i) Ask200("GET", kInbox + "?leaseSeconds=10&limit=100");
  world_->Advance(10'000);
  std::vector<std::string> again;
  for (int i = 0; i < 2; ++i) {
    const Frame page = Body(Ask("service", "GET", kInbox + "?leaseSeconds=10&limit=100"));
    for (size_t n = 0; n < page.Size("items"); ++n)
      again.push_back(page.Text("items." + std::to_string(n) + ".eventId"));
  }
  EXPECT_EQ(again, made);
}

TEST_F(EventRoutesTest, are_acknowledged_and_deleted_one_by_one) {
  const std::string id = Post("{}"), path = kEvents + "/" + id;
  world_->Advance(5);
  const std::string acked = Ask200("POST", path + "/ack");
  EXPECT_THAT(acked, HasSubstr(R"("status":"delivered")"));
  world_->Advance(5);
  EXPECT_EQ(Ask200("POST", path + "/ack"), acked);
  EXPECT_EQ(Ask200("GET", path), acked);
  EXPECT_EQ(Judge("service", "DELETE", path), "204");
  for (const char* method : {"GET", "DELETE"}) EXPECT_EQ(Judge("service", method, path), "404 NOT_FOUND");
  EXPECT_EQ(Judge("service", "POST", path + "/ack"), "404 NOT_FOUND");
  EXPECT_THAT(Ids(kEvents), ElementsAre());
}

TEST_F(EventRoutesTest, a_repeat_with_the_same_key_makes_no_second_one) {
  const auto post = [&](const std::string& body, const std::string& query = "") {
    return Ask("service", "POST", kEvents + query, body, {{"Idempotency-Key", "k"}});
  };
  const HttpResponse first = post(R"({"n":1})");
  world_->Advance(5);
  EXPECT_EQ(post(R"({"n":1})").body, first.body);
  EXPECT_EQ(Verdict(post(R"({"n":2})")), "409 IDEMPOTENCY_CONFLICT");
  EXPECT_EQ(Verdict(post(R"({"n":1})", "?type=a")), "409 IDEMPOTENCY_CONFLICT");
  EXPECT_EQ(Ids(kEvents).size(), 1u);
}

}  // namespace
}  // namespace parley::gateway_test
