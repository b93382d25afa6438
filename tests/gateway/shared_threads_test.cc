// Bounds how long one tenant's most expensive requests delay another tenant, in steps of the threads that all
// tenants share. The clock does not move. Other tests bound a single step: the item writer
// (ItemEffortTest), the executor (ExecutorBounds), the fan-out worker (WorkerPass).
#include "gateway/app/node.h"
#include "gateway/app/read_pool.h"
#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

using Answer = std::shared_ptr<std::optional<HttpResponse>>;

class SharedThreads : public TenantScene {
 protected:
  void SetUp() override {
    TenantScene::SetUp();
    EXPECT_EQ(As(FakeServer::operator_key(), "POST", "/v1/tenants",
                 R"({"tenantId":"other","name":"Other","settings":{"limits":{"enabled":false}}})"),
              "201");
    EXPECT_EQ(As(FakeServer::operator_key(), "PATCH", "/v1/tenants/acme",
                 R"({"version":2,"settings":{"limits":{"enabled":false}}})"),
              "200");
    EXPECT_EQ(As(FakeServer::operator_key(), "POST", "/v1/tenants/other/activate"), "200");
    other_ = Secret(FakeServer::operator_key(), "/v1/tenants/other/keys", "{}");
  }
  // Sends without waiting.
  Answer Begin(const std::string& credential, const std::string& method, const std::string& target,
               const std::string& body = "") {
    return world_->transport().Http(
        {method, target, body, "192.0.2.7", {{"Authorization", "Bearer " + credential}}});
  }
  static int Answered(const std::vector<Answer>& answers) {
    return static_cast<int>(
        std::count_if(answers.begin(), answers.end(), [](const Answer& one) { return one->has_value(); }));
  }
  static int Status(const Answer& answer) { return answer->has_value() ? (*answer)->status : 0; }
  std::string KeyOf(const std::string& back_end, const std::string& user) {
    EXPECT_EQ(As(back_end, "POST", "/v1/users", Args({{"userId", user}})), "201");
    return Secret(back_end, "/v1/users/" + user + "/api-keys", "{}");
  }

  std::string other_;
};

// The credential-check pool: one tenant creates 230 keys, another uses six.
TEST_F(SharedThreads, credential_checks_of_one_tenant_delay_another_one_turn_each_without_refusals) {
  std::vector<std::string> keys;
  for (int i = 0; i < 6; ++i) keys.push_back(KeyOf(other_, "user" + std::to_string(i)));
  EXPECT_EQ(As(back_end_, "POST", "/v1/users", Args({{"userId", "greedy"}})), "201");
  world_->Advance(10 * 60'000);  // the cached checks expire
  world_->HoldProofs(true);
  std::vector<Answer> greedy, others;
  for (int i = 0; i < 230; ++i) greedy.push_back(Begin(back_end_, "POST", "/v1/users/greedy/api-keys", "{}"));
  world_->Settle();
  EXPECT_EQ(Answered(greedy), 30) << "what is more than one may have waiting is refused at once";
  for (const std::string& key : keys) others.push_back(Begin(key, "POST", "/v1/ops/inbox.list", "{}"));
  world_->Settle();
  EXPECT_EQ(Answered(others), 0) << "none is refused";
  for (int step = 0; step < 12; ++step) {
    EXPECT_TRUE(world_->node().password_hash_pool().Step());
    world_->Settle();
  }
  for (const Answer& one : others) EXPECT_EQ(Status(one), 200);
}

// The readers: one tenant makes hundreds of large reads.
TEST_F(SharedThreads, reads_of_one_tenant_delay_another_one_turn_each) {
  const std::string large = R"({"text":")" + std::string(200'000, 'x') + "\"}";
  for (const std::string& tenant : {back_end_, other_})
    EXPECT_EQ(As(tenant, "POST", "/v1/events?type=a", large), "201");
  world_->HoldReaders(true);
  std::vector<Answer> greedy, others;
  for (int i = 0; i < 300; ++i) greedy.push_back(Begin(back_end_, "GET", "/v1/events"));
  for (int i = 0; i < 3; ++i) others.push_back(Begin(other_, "GET", "/v1/events"));
  world_->Settle();
  EXPECT_EQ(Answered(greedy) + Answered(others), 0);
  // The loop does none of this work and answers small requests.
  EXPECT_EQ(As(other_, "GET", "/v1/users"), "200");
  auto& pool = world_->node().read_pool();
  int steps = 0;
  for (; Answered(others) < 3 && steps < 100; ++steps) {
    EXPECT_TRUE(pool.Step());
    world_->Settle();
  }
  EXPECT_LE(steps, 2 * 2 * 3) << "to read each and to put it into words, in turn with the other's";
  world_->HoldReaders(false);
  world_->Settle();
  for (const Answer& one : greedy) EXPECT_EQ(Status(one), 200);
}

}  // namespace
}  // namespace parley::gateway_test
