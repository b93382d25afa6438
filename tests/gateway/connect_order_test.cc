// The order of the checks on a request, through the gateway: a request that fails several is refused for the
// first. tests/accounts/connect_test.cc covers the checks before the limits.
#include <gmock/gmock.h>

#include "accounts/users/user_standing.h"
#include "tests/accounts/suspension.h"
#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

constexpr char kPage[] = "https://app.acme.example";

class ConnectOrder : public TenantScene {
 protected:
  void SetUp() override {
    TenantScene::SetUp();
    Set(2, R"({"allowedOrigins":[")" + std::string(kPage) + R"("],"limits":{"requestsPerSecond":2}})");
    MakeUser("ann");
    token_ = Issue("ann").token;
  }
  void Set(int version, const std::string& settings) {
    EXPECT_EQ(As(FakeServer::operator_key(), "PATCH", "/v1/tenants/acme",
                 R"({"version":)" + std::to_string(version) + R"(,"settings":)" + settings + "}"),
              "200");
  }
  void Grant(const std::string& level) {
    const HttpResponse put =
        Ask("PUT", "/v1/permissions", Args({{"resource", "tenant"}, {"userId", "ann"}, {"level", level}}));
    EXPECT_EQ(put.status, 200) << put.body;
  }
  void Suspend(bool suspended) {
    Decide([&](accounts::RecordTransaction& tx) -> protocol::Status {
      const protocol::UserId ann{"ann"};
      if (!suspended) return accounts::ReinstateUser(tx, ann);
      PARLEY_CHECK_OK(accounts::SuspendUser(tx, ann));
      return protocol::Ok();
    });
  }
  // The answer to a write: "429 RATE_LIMITED: …"; the message only if it has details.
  std::string Write(const std::string& target, const std::string& body, const std::string& credential,
                    const std::string& origin) {
    const HttpResponse answer = Send(credential, "POST", target, body, {{"Origin", origin}});
    if (answer.status < 300) return "ok";
    return Body(answer).error() + ": " + Body(answer).Text("error.message");
  }

  std::string token_;
};

// Everything is wrong at first; each step corrects one thing.
TEST_F(ConnectOrder, credential_tenant_user_permission_origin_limits) {
  const std::pair<std::string, std::string> ways[] = {
      {"/v1/ops/thread.create", R"({"kind":"group","clientId":"c"})"},
      {"/v1/invites/accept", R"({"token":"inv_none"})"}};
  while (Opens(token_) == "200") {
  }
  Grant("read");
  Suspend(true);
  SetStatus("suspend");
  std::string credential = "none", origin = "https://evil.example";
  const auto expect = [&](const std::string& code, const std::string& message) {
    for (const auto& [target, body] : ways) {
      const std::string reported = Write(target, body, credential, origin);
      EXPECT_EQ(reported.substr(0, reported.find(':')), code) << target;
      EXPECT_THAT(reported, testing::HasSubstr(message)) << target;
    }
  };
  expect("UNAUTHENTICATED", "the credential is not valid");
  credential = token_;
  expect("FORBIDDEN", "the tenant is suspended");
  SetStatus("activate");
  expect("FORBIDDEN", "the user is suspended");
  Suspend(false);
  expect("FORBIDDEN", "the user may only read");
  Grant("write");
  expect("FORBIDDEN", "the tenant does not allow pages of this origin");
  origin = kPage;
  expect("RATE_LIMITED", "");
  world_->Advance(1000);
  EXPECT_EQ(Write(ways[0].first, ways[0].second, credential, origin), "ok");
}

// Refusals are not charged, so that bad requests in a user's name cannot lock them out.
TEST_F(ConnectOrder, a_refusal_before_the_limits_is_not_charged) {
  const auto write = [&](const std::string& origin) {
    return Write("/v1/ops/thread.create", R"({"kind":"group","clientId":"c"})", token_, origin);
  };
  for (int i = 0; i < 10; ++i) EXPECT_THAT(write("https://evil.example"), testing::StartsWith("FORBIDDEN"));
  EXPECT_EQ(write(kPage), "ok");
}

}  // namespace
}  // namespace parley::gateway_test
