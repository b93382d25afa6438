// A tenant with a text policy, users who violate it, and staff who decide.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {

inline constexpr int64_t kMinute = 60'000, kHour = 60 * kMinute;
inline constexpr const char* kPolicyOn = R"({"safety":{"textPolicy":"default"}})";

class PolicyStop : public testing::Test {
 protected:
  explicit PolicyStop(const gateway::Config& config = DemoConfig()) : world_(config) {
    world_.SetDemoSettings(kPolicyOn);
  }
  static std::string Code(const Frame& reply) { return reply.ok() ? "ok" : reply.error(); }
  FakeClient Staff(const std::string& role = "moderator") {
    FakeClient staff = world_->Connect();
    EXPECT_TRUE(staff.Hello(world_->Token("sue_" + role, role)).ok());
    return staff;
  }
  std::string Make(const std::string& kind) {
    const std::string sides = R"("buyerUserId":"ann","sellerUserId":"bob")", other = R"({"userId":"bob"})";
    const bool has_sides = kind == "inquiry" || kind == "project";
    const Frame made = world_->Join("ann").Ask(
        "thread.create", R"({"kind":")" + kind + R"(","clientId":")" + kind + "\"," +
                             (has_sides ? sides : R"("participants":[)" + other + "]") + "}");
    EXPECT_TRUE(made.ok()) << made.Json();
    return made.Text("ok.thread.threadId");
  }
  std::string Say(const std::string& who, const std::string& thread, const std::string& body) {
    return Code(world_->Join(who).Ask("message.send", Args({{"threadId", thread},
                                                            {"clientId", "m" + std::to_string(++said_)},
                                                            {"type", "text"},
                                                            {"body", body}})));
  }
  // Sends two refused texts, which stops the author.
  void Stop(const std::string& thread) {
    EXPECT_EQ(Say("ann", thread, "paypal?"), "MSG_POLICY_BLOCKED");
    world_->Advance(kMinute);
    EXPECT_EQ(Say("ann", thread, "then zelle"), "MSG_POLICY_BLOCKED");
    world_->Settle();
  }
  std::string OnlyCase() {
    const Frame queue = Staff().Ask("moderation.queue", R"({"status":"pending"})");
    EXPECT_EQ(queue.Size("ok.cases"), 1u) << queue.Json();
    return queue.Text("ok.cases.0.caseId");
  }
  std::string Decide(const std::string& id, const std::string& decision) {
    const std::string code = Code(
        Staff().Ask("moderation.decide", Args({{"caseId", id}, {"decision", decision}, {"notes", "seen"}})));
    world_->Settle();
    return code;
  }
  std::string StatusOf(const std::string& id) {
    return Staff().Ask("moderation.case", Args({{"caseId", id}})).Text("ok.case.status");
  }
  void ExpectSound() { EXPECT_THAT(world_.Verify(), testing::IsEmpty()); }

  World world_;
  int said_ = 0;
};

}  // namespace parley::gateway_test
