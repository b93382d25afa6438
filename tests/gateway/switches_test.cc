// The tenant's switches, for ops other than sending a message or starting a conversation.
#include <gmock/gmock.h>

#include "accounts/tenants/demo.h"
#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

class Switches : public testing::Test {
 protected:
  static gateway::Config Asking() {
    gateway::Config config = DemoConfig();
    config.message_requests = true;
    return config;
  }
  void Set(const std::string& safety) {
    accounts::TenantDirectory& tenants = world_->node().tenants();
    auto tenant = std::make_shared<accounts::Tenant>(*tenants.Find(accounts::kDemoTenant));
    tenant->settings =
        *accounts::ParseSettings(R"({"messageRequests":{"enabled":true},"safety":)" + safety + "}");
    tenants.Publish(std::move(tenant), ++changes_);
  }
  static std::string In(const std::string& thread, const std::string& more = "") {
    return R"({"threadId":")" + thread + "\"" + more + "}";
  }
  // A booking of ann and bob, created by the tenant's back end.
  std::string Booking(const std::string& city = "Rome") {
    const auto made = world_->Http(
        "POST", "/v1/ops/thread.create",
        R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob","city":)" + Quoted(city) + "}",
        {{"Authorization", "Bearer " + world_->service_key()}});
    return Frame(protocol::Encoding::kJson, made.body).Text("thread.threadId");
  }
  std::string Asked(const std::string& by) {
    FakeClient who = world_->Join(by);
    return who
        .Ask("thread.create", R"({"kind":"direct","participants":[{"userId":"bob"}],"firstMessage":"hello"})")
        .Text("ok.thread.threadId");
  }

  World world_{Asking()};
  FakeClient bob_ = world_->Join("bob");
  uint64_t changes_ = 1000;
  int sent_ = 0;
};

TEST_F(Switches, a_request_can_only_be_blocked_while_writes_are_off) {
  const std::string one = Asked("ann"), other = Asked("eve");
  for (const char* safety : {R"({"readOnly":true})", R"({"messagingDisabled":true})"}) {
    Set(safety);
    EXPECT_EQ(bob_.Ask("request.accept", In(one)).error(), "UNAVAILABLE") << safety;
    EXPECT_EQ(bob_.Ask("request.decline", In(one)).error(), "UNAVAILABLE") << safety;
  }
  EXPECT_TRUE(bob_.Ask("request.block", In(other)).ok());
  Set("{}");
  EXPECT_TRUE(bob_.Ask("request.accept", In(one)).ok());
}

TEST_F(Switches, personal_settings_are_refused_while_messaging_is_disabled) {
  FakeClient ann = world_->Join("ann");
  const std::string thread = Booking();
  const std::string message = world_.Say(ann, thread, "secret").Text("ok.messageId");
  Set(R"({"messagingDisabled":true})");
  for (const auto& [op, more] :
       std::vector<std::pair<const char*, std::string>>{{"inbox.set", R"(,"pinned":true)"},
                                                        {"participant.mute", R"(,"muted":true)"},
                                                        {"read.mark", R"(,"messageId":")" + message + "\""}})
    EXPECT_EQ(bob_.Ask(op, In(thread, more)).error(), "UNAVAILABLE") << op;
  Set(R"({"readOnly":true})");
  EXPECT_TRUE(bob_.Ask("inbox.set", In(thread, R"(,"pinned":true)")).ok());
}

TEST_F(Switches, a_resume_gets_a_reset_while_messaging_is_disabled) {
  FakeClient ann = world_->Join("ann");
  const std::string thread = Booking();
  const auto seq = bob_.Ask("thread.get", In(thread)).Int("ok.lastSeq");
  world_.Say(ann, thread, "secret");
  const auto resume = [&] {
    FakeClient back = world_->Connect();
    const Frame hello = back.Hello(world_->Token("bob"),
                                   R"("resume":)" + Args({{"epoch", world_.table().identity().epoch},
                                                          {"threads", JsonArg::Raw(Args({{thread, seq}}))}}));
    EXPECT_TRUE(hello.ok()) << hello.Json();
    std::string out = hello.Text("ok.resumed." + thread);
    for (const Frame& event : back.TakeEvents()) out += event.Json();
    return out;
  };
  Set(R"({"messagingDisabled":true})");
  EXPECT_EQ(resume(), "reset") << "they read it anew when it is on again";
  Set("{}");
  EXPECT_THAT(resume(), testing::HasSubstr("secret"));
}

// Equal for people: case, surrounding spaces, decomposed and wide letters.
TEST_F(Switches, a_city_matches_in_every_spelling) {
  FakeClient ann = world_->Join("ann");
  const auto write = [&](const std::string& city) {
    const std::string thread = Booking(city);
    Set(R"({"cities":{" KÖLN ":{"readOnly":true},"bonn":{}}})");
    const Frame said = ann.Ask("message.send", In(thread, R"(,"type":"text","body":"x","clientId":"c)" +
                                                              std::to_string(++sent_) + "\""));
    Set("{}");
    return said.ok() ? "ok" : said.error();
  };
  for (const char* city : {"Köln", "köln", "Ko\u0308ln", "  KÖLN", "Ｋöln"})
    EXPECT_EQ(write(city), "UNAVAILABLE") << city;
  for (const char* city : {"Koln", "Köln-Deutz", "Bonn"}) EXPECT_EQ(write(city), "ok") << city;
}

}  // namespace
}  // namespace parley::gateway_test
