// user.get over the wire, and threads in a tenant that knows all its users.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accounts/tenants/demo.h"
#include "accounts/users/user_changes.h"
#include "features/host/records.h"
#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

class UserNames : public testing::Test {
 protected:
  void Make(const std::string& id, const std::string& name) {
    accounts::NewUser asked;
    const std::string json = Args({{"userId", id}, {"displayName", name}});
    const Frame body(protocol::Encoding::kJson, json);
    ASSERT_TRUE(protocol::Bind(body.root(), &asked).ok());
    std::string said;
    features::DecideRecords<accounts::User>(
        world_->node().io(), protocol::TenantId{"demo"},
        [asked](accounts::RecordTransaction& tx) {
          return accounts::MakeUser(tx, {accounts::Editor::Kind::kService, {}}, asked, {});
        },
        [&](auto made) { said = made.ok() ? "ok" : made.error().message; });
    world_->Settle();
    EXPECT_EQ(said, "ok");
  }
  void AllowKnownUsersOnly() {
    gateway::Node& node = world_->node();
    auto tenant = accounts::MakeDemoTenant(node.table().identity().secret);
    tenant.settings.known_users_only.value = true;
    node.tenants().Publish(std::make_shared<const accounts::Tenant>(std::move(tenant)), 1000);
  }

  World world_{DemoConfig()};
};

TEST_F(UserNames, are_returned_to_any_user_of_the_tenant_in_the_requested_order) {
  Make("ann", "Ann Lee");
  FakeClient bob = world_->Join("bob");
  EXPECT_EQ(bob.Ask("user.get", R"({"userIds":["nobody","ann"]})").Json("ok.users"),
            R"([{"userId":"nobody","displayName":null,"known":false},)"
            R"({"userId":"ann","displayName":"Ann Lee","known":true}])");
  const auto http = world_->Http("POST", "/v1/ops/user.get", R"({"userIds":["ann"]})",
                                 {{"Authorization", "Bearer " + world_->service_key()}});
  EXPECT_EQ(http.body, R"({"users":[{"userId":"ann","displayName":"Ann Lee","known":true}]})");
}

TEST_F(UserNames, are_returned_for_at_most_a_hundred_at_once) {
  FakeClient bob = world_->Join("bob");
  const auto of = [](int n) {
    std::string ids;
    for (int i = 0; i < n; ++i) ids += (i ? ",\"u" : "\"u") + std::to_string(i) + "\"";
    return "{\"userIds\":[" + ids + "]}";
  };
  EXPECT_EQ(bob.Ask("user.get", of(100)).Size("ok.users"), 100u);
  EXPECT_EQ(bob.Ask("user.get", of(101)).error(), "BAD_REQUEST");
}

TEST_F(UserNames, decide_who_may_be_added_to_a_thread_if_the_tenant_requires_it) {
  Make("ann", "Ann Lee");
  FakeClient bob = world_->Join("bob");
  const auto group = [](const std::string& with) {
    return R"({"kind":"group","participants":[{"userId":")" + with + "\"}]}";
  };
  EXPECT_TRUE(bob.Ask("thread.create", group("nobody")).ok());
  AllowKnownUsersOnly();
  const Frame refused = bob.Ask("thread.create", group("nobody"));
  EXPECT_EQ(refused.error(), "NOT_FOUND");
  EXPECT_EQ(refused.Json("error.fields"), R"({"participants.0.userId":"there is no user nobody"})");
  const Frame made = bob.Ask("thread.create", group("ann"));
  ASSERT_TRUE(made.ok()) << made.Json();
  const std::string thread = made.Text("ok.thread.threadId");
  EXPECT_EQ(bob.Ask("participant.add", Args({{"threadId", thread}, {"userId", "zoe"}})).error(), "NOT_FOUND");
  Make("zoe", "Zoe");
  EXPECT_TRUE(bob.Ask("participant.add", Args({{"threadId", thread}, {"userId", "zoe"}})).ok());
}

}  // namespace
}  // namespace parley::gateway_test
