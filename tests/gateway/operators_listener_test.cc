// If operators have their own listener, the public one ignores the operator key on every route.
#include <gmock/gmock.h>

#include "gateway/ops/router.h"
#include "tests/gateway/every_op.h"
#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

gateway::Config TwoListeners() {
  gateway::Config config = DemoConfig();
  config.admin_listen = "127.0.0.1:1";
  return config;
}

class OperatorsListener : public testing::Test {
 protected:
  // "404 NOT_FOUND"
  std::string Reported(bool admin, const std::string& method, const std::string& target,
                       const std::string& body) {
    gateway::HttpRequest request{method, target, body, "192.0.2.7", {}};
    request.headers.emplace_back("Authorization", "Bearer " + FakeServer::operator_key());
    request.admin = admin;
    const auto answer = world_->transport().Http(std::move(request));
    world_->Settle();
    EXPECT_TRUE(answer->has_value());
    return Verdict(answer->value_or(HttpResponse()));
  }
  World world_{TwoListeners()};
};

TEST_F(OperatorsListener, the_public_listener_answers_404_to_operator_ops_and_routes) {
  for (const auto& [op, args] :
       EveryOpAbout({"thrd_01k9zzzzzzzzzzzzzzzzzzzzzz", "msg_01k9zzzzzzzzzzzzzzzzzzzzzz", "lbg_1", "bob"})) {
    if (gateway::FindOp(op)->kind == protocol::OpKind::kSession) continue;
    for (const char* query : {"?tenant=demo", ""})
      EXPECT_EQ(Reported(false, "POST", "/v1/ops/" + op + query, args), "404 NOT_FOUND") << op << query;
  }
  EXPECT_EQ(Reported(true, "POST", "/v1/ops/thread.byProject?tenant=demo", R"({"lbgId":"lbg_1"})"), "200");
  EXPECT_EQ(Reported(false, "GET", "/v1/users?tenant=demo", ""), "404 NOT_FOUND");
  EXPECT_EQ(Reported(true, "GET", "/v1/users?tenant=demo", ""), "200");
  EXPECT_EQ(Reported(false, "GET", "/v1/tenants", ""), "404 NOT_FOUND");
  EXPECT_EQ(Reported(true, "GET", "/v1/tenants", ""), "200");
  EXPECT_EQ(Reported(false, "POST", "/v1/clock/confirm", ""), "404 NOT_FOUND");
}

}  // namespace
}  // namespace parley::gateway_test
