// Settings of a tenant apply to its users at once, and the tenant of a demo is like any other.
#include <gmock/gmock.h>

#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

constexpr char kStandard[] = "all unread pinned archived requests action snoozed spam";

gateway::Config WithStarred() {
  gateway::Config config = DemoConfig();
  config.folders = "starred";
  return config;
}

class DemoSettings : public testing::Test {
 protected:
  HttpResponse Operator(const std::string& method, const std::string& target, const std::string& body = "") {
    return world_->Http(method, target, body, {{"Authorization", "Bearer " + FakeServer::operator_key()}});
  }
  HttpResponse Patch(int64_t version, const std::string& settings) {
    return Operator("PATCH", "/v1/tenants/demo",
                    R"({"version":)" + std::to_string(version) + R"(,"settings":)" + settings + "}");
  }
  Frame Demo() { return Body(Operator("GET", "/v1/tenants/demo")); }
  std::string Folders(FakeClient& client) {
    const Frame counts = client.Ask("inbox.counts");
    std::string out;
    for (size_t i = 0; i < counts.Size("ok.folders"); ++i)
      out += (i ? " " : "") + counts.Text("ok.folders." + std::to_string(i) + ".folder");
    return out;
  }
  static std::string Listed(FakeClient& client, const std::string& folder) {
    const Frame reply = client.Ask("inbox.list", Args({{"folder", folder}}));
    return reply.ok() ? "ok" : reply.error();
  }

  World world_{WithStarred()};
};

// --- folders

TEST_F(DemoSettings, a_tenant_offers_its_own_folders_instead_of_the_servers) {
  FakeClient ann = world_->Join("ann");
  EXPECT_EQ(Folders(ann), std::string(kStandard) + " starred");
  EXPECT_EQ(Listed(ann, "offers"), "BAD_REQUEST");
  ASSERT_EQ(Patch(1, R"({"folders":["offers","invites"]})").status, 200);
  EXPECT_EQ(Folders(ann), std::string(kStandard) + " invites offers") << "from the next request on";
  EXPECT_EQ(Listed(ann, "offers"), "ok");
  EXPECT_EQ(Listed(ann, "starred"), "BAD_REQUEST");
  ASSERT_EQ(Patch(2, R"({"folders":["g3"]})").status, 200);
  EXPECT_EQ(Folders(ann), std::string(kStandard) + " bookings offers") << "a set of folders";
  ASSERT_EQ(Patch(3, R"({"folders":[]})").status, 200);
  EXPECT_EQ(Folders(ann), kStandard) << "none is not the same as not set";
  ASSERT_EQ(Patch(4, R"({"folders":null})").status, 200);
  EXPECT_EQ(Folders(ann), std::string(kStandard) + " starred");
}

TEST_F(DemoSettings, an_unknown_folder_is_refused_when_it_is_set) {
  for (const char* folders : {R"(["later"])", R"(["starred",""])", R"("g2")", R"([7])"}) {
    const HttpResponse refused = Patch(1, R"({"folders":)" + std::string(folders) + "}");
    EXPECT_EQ(Verdict(refused), "400 BAD_REQUEST") << folders;
    EXPECT_THAT(refused.body, testing::HasSubstr("settings.folders")) << folders;
  }
}

// --- a new tenant

TEST_F(DemoSettings, a_new_tenant_admits_only_users_with_a_record_into_threads_by_default) {
  const auto made = [this](const std::string& id, const std::string& settings) {
    const HttpResponse answer = Operator(
        "POST", "/v1/tenants", R"({"tenantId":")" + id + R"(","name":"N","settings":)" + settings + "}");
    EXPECT_EQ(answer.status, 201) << answer.body;
    return Body(answer).Json("tenant.settings");
  };
  EXPECT_EQ(made("one", "{}"), R"({"knownUsersOnly":true})");
  EXPECT_EQ(made("two", R"({"knownUsersOnly":false})"), R"({"knownUsersOnly":false})");
  EXPECT_EQ(made("three", R"({"knownUsersOnly":null})"), "{}");
  EXPECT_EQ(Demo().Json("tenant.settings"), "{}") << "a demo has no records";
}

// --- the tenant of a demo

TEST_F(DemoSettings, the_tenant_of_a_demo_is_stored_and_changed_like_others) {
  const Frame before = Demo();
  EXPECT_EQ(before.Text("tenant.status"), "active");
  EXPECT_EQ(before.Int("tenant.version"), 1);
  EXPECT_EQ(before.Text("tenant.createdAt").substr(0, 4),
            protocol::FormatTime(world_.clock().Now()).substr(0, 4));
  const std::string token = world_->Token("ann"), key = world_->service_key();
  EXPECT_EQ(Verdict(Patch(1, R"({"userProjects":false})")), "200");
  EXPECT_EQ(Verdict(Patch(1, R"({"userProjects":true})")), "409 VERSION_CONFLICT");
  world_.Restart();
  EXPECT_EQ(Demo().Json("tenant.settings"), R"({"userProjects":false})");
  EXPECT_EQ(Demo().Int("tenant.version"), 2);
  EXPECT_EQ(Demo().Text("tenant.createdAt"), before.Text("tenant.createdAt"));
  FakeClient ann = world_->Connect();
  EXPECT_TRUE(ann.Hello(token).ok()) << "tokens outlive restarts and changes";
  EXPECT_EQ(world_->service_key(), key);
  EXPECT_EQ(
      ann.Ask("thread.create", R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob"})").error(),
      "FORBIDDEN");
}

TEST_F(DemoSettings, the_tenant_of_a_demo_has_keys_and_is_suspended_like_others) {
  const HttpResponse made = Operator("POST", "/v1/tenants/demo/keys", "{}");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(Verdict(Operator("PUT", "/v1/tenants/demo/signing-keys/k1",
                             R"({"alg":"HS256","secret":")" + std::string(32, 's') + R"("})")),
            "200");
  FakeClient ann = world_->Join("ann");
  EXPECT_EQ(Verdict(Operator("POST", "/v1/tenants/demo/suspend")), "200");
  EXPECT_EQ(ann.close_code(), 4403);
  world_.Restart();
  FakeClient again = world_->Connect();
  EXPECT_EQ(again.Hello(world_->Token("ann")).error(), "FORBIDDEN") << "a restart does not bring it back";
}

// Its tokens are free for anyone, so without demo mode they open nothing.
TEST(WithoutDemo, the_stored_tenant_of_a_demo_is_not_served) {
  FakeClock clock;
  FakeLoop loop(clock);
  const auto disk = storage::NewMemoryDisk({"epoch-1", std::string(32, 's')});
  const auto bearer = [](const std::string& credential) {
    return FakeServer::Headers{{"Authorization", "Bearer " + credential}};
  };
  std::string token, key;
  {
    const auto table = storage::OpenMemoryTable(disk);
    FakeServer demo(clock, loop, *table, DemoConfig(), 1);
    token = demo.Token("ann");
    key = Body(demo.Http("POST", "/v1/tenants/demo/keys", "{}", bearer(FakeServer::operator_key())))
              .Text("secret");
    EXPECT_EQ(demo.Http("POST", "/v1/ops/inbox.list", "{}", bearer(token)).status, 200);
    EXPECT_EQ(demo.Http("GET", "/v1/tenants/demo/keys", "", bearer(key)).status, 200);
  }
  const auto table = storage::OpenMemoryTable(disk);
  FakeServer server(clock, loop, *table, gateway::Config{}, 2);
  EXPECT_EQ(Verdict(server.Http("POST", "/v1/ops/inbox.list", "{}", bearer(token))), "401 UNAUTHENTICATED");
  EXPECT_EQ(Verdict(server.Http("GET", "/v1/tenants/demo/keys", "", bearer(key))), "401 UNAUTHENTICATED");
  const auto by_operator = bearer(FakeServer::operator_key());
  EXPECT_EQ(Verdict(server.Http("GET", "/v1/tenants/demo", "", by_operator)), "404 NOT_FOUND");
  EXPECT_EQ(Verdict(server.Http("POST", "/v1/tenants/demo/activate", "", by_operator)), "404 NOT_FOUND");
  EXPECT_THAT(server.Http("GET", "/readyz").body, testing::HasSubstr("no tenant exists"));
}

}  // namespace
}  // namespace parley::gateway_test
