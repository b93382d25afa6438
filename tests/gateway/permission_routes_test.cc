// Permissions over HTTP: permissions to change them, arguments, answers and paging. tests/accounts/ covers
// the decisions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accounts/users/user_changes.h"
#include "tests/gateway/grant_scene.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;

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

TEST_F(PermissionRoutesTest, levels_can_be_set_raised_and_removed) {
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

TEST_F(PermissionRoutesTest, the_last_owner_cannot_be_lowered_or_removed) {
  Put("service", "projects/p1", "ann", "owner");
  EXPECT_EQ(LevelAfter(Put("service", "projects/p1", "ann", "write")), "403 FORBIDDEN");
  EXPECT_EQ(Delete("ann", "projects/p1", "ann"), "403 FORBIDDEN");
  Put("ann", "projects/p1", "bob", "owner");
  EXPECT_EQ(Delete("ann", "projects/p1", "ann"), "204");
  EXPECT_EQ(Delete("bob", "projects/p1", "bob"), "403 FORBIDDEN");
}

TEST_F(PermissionRoutesTest, are_only_for_owners_admins_and_services) {
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

TEST_F(PermissionRoutesTest, only_the_caller_can_continue_a_list) {
  for (const char* user : {"u1", "u2", "u3", "u4", "u5"}) Put("service", "projects/p1", user, "read");
  const std::string list = kPermissions + "?resource=projects/p1&limit=2";
  EXPECT_THAT(Walk("service", list, "userId"), ElementsAre("u1", "u2", "u3", "u4", "u5"));
  const std::string cursor = "&cursor=" + Body(Ask("service", "GET", list)).Text("cursor");
  EXPECT_EQ(Judge("admin", "GET", list + cursor), "400 BAD_REQUEST");
  EXPECT_EQ(Judge("service", "GET", kPermissions + "?resource=projects/p2" + cursor), "400 BAD_REQUEST");
  EXPECT_EQ(Judge("service", "GET", kPermissions + "?userId=u1" + cursor), "400 BAD_REQUEST");
}

TEST_F(PermissionRoutesTest, malformed_requests_are_refused_for_every_caller) {
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

TEST_F(PermissionRoutesTest, users_with_read_on_the_tenant_only_read_also_in_sessions) {
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

// The permissions of a thread are those of its participants and are stored nowhere else.
TEST_F(PermissionRoutesTest, of_a_thread_equal_those_of_its_participants) {
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

TEST_F(PermissionRoutesTest, of_a_thread_are_hidden_from_strangers_and_changed_only_by_owners) {
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

TEST_F(PermissionRoutesTest, of_a_suspended_tenant_are_readable_and_its_threads_are_not) {
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

}  // namespace
}  // namespace parley::gateway_test
