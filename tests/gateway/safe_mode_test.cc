// Safe-Mode by token, preference and hello.
#include <gtest/gtest.h>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

class SafeModeTest : public testing::Test {
 protected:
  // "2 true": bandMax and mayLift of the reply to a hello.
  std::string Hello(const std::string& token, const std::string& more_args = "") {
    FakeClient client = world_->Connect();
    const Frame reply = client.Hello(token, more_args);
    return reply.Json("ok.safeMode.bandMax") + " " + reply.Json("ok.safeMode.mayLift");
  }
  // Sets the user's preference, which is kept for all their devices.
  void Prefer(const std::string& user, const std::string& value) {
    const FakeServer::Headers headers = {{"Authorization", "Bearer " + world_->service_key()}};
    if (++version_ == 1) {
      EXPECT_EQ(world_->Http("POST", "/v1/users", R"({"userId":")" + user + "\"}", headers).status, 201);
    }
    const std::string change =
        R"({"version":)" + std::to_string(version_) + R"(,"preferences":{"safeMode":)" + value + "}}";
    EXPECT_EQ(world_->Http("PATCH", "/v1/users/" + user, change, headers).status, 200);
  }

  World world_{DemoConfig()};
  int version_ = 0;
};

TEST_F(SafeModeTest, is_on_for_all_and_switched_off_by_adults_only) {
  EXPECT_EQ(Hello(world_->Token("ann")), "1 false");
  EXPECT_EQ(Hello(world_->Token("ann"), R"("safeMode":false)"), "1 false");
  EXPECT_EQ(Hello(world_->AdultToken("ann")), "1 true");
  EXPECT_EQ(Hello(world_->AdultToken("ann"), R"("safeMode":false)"), "2 true");
  EXPECT_EQ(Hello(world_->Token("mo", "moderator")), "2 false");
}

TEST_F(SafeModeTest, follows_the_preference_unless_the_hello_says_otherwise) {
  Prefer("ann", R"("off")");
  EXPECT_EQ(Hello(world_->AdultToken("ann")), "2 true");
  EXPECT_EQ(Hello(world_->AdultToken("ann"), R"("safeMode":true)"), "1 true");
  EXPECT_EQ(Hello(world_->Token("ann")), "1 false") << "a minor";
  EXPECT_EQ(Hello(world_->AdultToken("bob")), "1 true") << "another user";
  Prefer("ann", R"("on")");
  EXPECT_EQ(Hello(world_->AdultToken("ann")), "1 true");
  EXPECT_EQ(Hello(world_->AdultToken("ann"), R"("safeMode":false)"), "2 true");
  Prefer("ann", R"("off")");
  Prefer("ann", "null");
  EXPECT_EQ(Hello(world_->AdultToken("ann")), "1 true");
}

}  // namespace
}  // namespace parley::gateway_test
