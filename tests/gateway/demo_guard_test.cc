// A demo serves its own machine only. It gives no token and no session to a web page whose host name was
// pointed at this machine, or to a page of another origin.
#include "gateway/net/demo_guard.h"

#include <gtest/gtest.h>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using gateway::NamesThisMachine;

TEST(DemoGuard, knows_the_names_of_this_machine) {
  for (const char* host :
       {"localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:8080", "127.255.1.2:1", "[::1]", "[::1]:65535"})
    EXPECT_TRUE(NamesThisMachine(host)) << host;
  for (const char* host :
       {"", "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "127.1",
        "127.0.0.1:", "127.0.0.1:80:80", "localhost:x", "128.0.0.1", "0.0.0.0", "::1", "[::2]", "[::1",
        "10.0.0.1", "localhost,evil.example", "user@localhost", "localhost/", "[::1]x"})
    EXPECT_FALSE(NamesThisMachine(host)) << host;
}

class DemoGuardRoutes : public testing::Test {
 protected:
  int Http(const std::string& method, const std::string& target, FakeServer::Headers headers) {
    return world_->Http(method, target, method == "POST" ? R"({"userId":"ana"})" : "", std::move(headers))
        .status;
  }
  int Upgrade(FakeServer::Headers headers) {
    return world_->transport()
        .Connect({"GET", "/v1/ws", "", "192.0.2.7", std::move(headers)}, {})
        .refusal.status;
  }
  static constexpr int kAccepted = 200;  // status of an upgrade: no refusal was set

  World world_{DemoConfig()};
};

TEST_F(DemoGuardRoutes, every_route_refuses_a_host_that_is_not_this_machine) {
  for (const char* target : {"/healthz", "/readyz", "/metrics", "/", "/v1/ws", "/none"})
    EXPECT_EQ(Http("GET", target, {{"Host", "evil.example:8080"}}), 403) << target;
  for (const char* target : {"/v1/demo/token", "/v1/ops/thread.get"})
    EXPECT_EQ(Http("POST", target, {{"Host", "evil.example"}}), 403) << target;
  EXPECT_EQ(Upgrade({{"Host", "evil.example"}}), 403);
  EXPECT_EQ(Http("POST", "/v1/demo/token", {{"Host", "127.0.0.1:8080"}}), 200);
  EXPECT_EQ(Upgrade({{"Host", "localhost:8080"}}), kAccepted);
}

TEST_F(DemoGuardRoutes, every_route_refuses_an_origin_that_is_not_this_machine) {
  for (const char* origin : {"https://evil.example", "null", "", "http://localhost.evil.example",
                             "http://localhost, https://evil.example"}) {
    EXPECT_EQ(Http("POST", "/v1/demo/token", {{"Host", "localhost"}, {"Origin", origin}}), 403) << origin;
    EXPECT_EQ(Http("GET", "/healthz", {{"Host", "localhost"}, {"Origin", origin}}), 403) << origin;
    EXPECT_EQ(Upgrade({{"Host", "localhost"}, {"Origin", origin}}), 403) << origin;
  }
  EXPECT_EQ(Http("POST", "/v1/demo/token", {{"Host", "localhost"}, {"Origin", "http://localhost:5173"}}),
            200);
  EXPECT_EQ(Upgrade({{"Host", "localhost"}, {"Origin", "http://[::1]:8080"}}), kAccepted);
}

TEST(DemoGuard, a_server_without_demo_answers_to_any_host_name) {
  World world;
  EXPECT_EQ(world->Http("GET", "/healthz", "", {{"Host", "chat.example"}}).status, 200);
}

}  // namespace
}  // namespace parley::gateway_test
