// The text policy as clients meet it: what is refused, delivered with a hint, or redacted, and what follows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accounts/tenants/demo.h"
#include "gateway/text_policies.h"
#include "storage/overlay.h"
#include "tests/gateway/fake_server_support.h"
#include "threads/policy/policy_rows.h"

namespace parley::gateway_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kMinute = 60'000, kHour = 60 * kMinute;

class TextPolicyTest : public testing::Test {
 protected:
  TextPolicyTest() : world_(DemoConfig()) { Set(R"({"safety":{"textPolicy":"default"}})"); }

  void Set(const std::string& settings) {
    accounts::TenantDirectory& tenants = world_->node().tenants();
    auto tenant = std::make_shared<accounts::Tenant>(*tenants.Find(accounts::kDemoTenant));
    auto read = accounts::ParseSettings(settings);
    ASSERT_TRUE(read.ok()) << settings;
    tenant->settings = *std::move(read);
    tenant->settings_json = settings;
    tenants.Publish(std::move(tenant), ++changes_);
  }
  std::string Inquiry(FakeClient& anna, const std::string& other = "usr_bob") {
    const Frame made = anna.Ask("thread.create", Args({{"kind", "inquiry"},
                                                       {"buyerUserId", "usr_anna"},
                                                       {"sellerUserId", other},
                                                       {"clientId", "c" + std::to_string(++sent_)}}));
    EXPECT_TRUE(made.ok()) << made.Json();
    return made.Text("ok.thread.threadId");
  }
  Frame Send(FakeClient& client, const std::string& thread, const std::string& body, std::string id = "") {
    if (id.empty()) id = "m" + std::to_string(++sent_);
    return client.Ask("message.send",
                      Args({{"threadId", thread}, {"clientId", id}, {"type", "text"}, {"body", body}}));
  }
  // "ok", or the error.
  std::string Told(const Frame& reply) { return reply.ok() ? "ok" : reply.error(); }
  std::string Bodies(FakeClient& client, const std::string& thread) {
    return client.Ask("message.list", Args({{"threadId", thread}})).Json("ok.messages");
  }
  std::vector<std::pair<protocol::ThreadId, threads::LadderRow>> LaddersOf(const std::string& user) {
    const threads::RowReader rows(world_.table(), protocol::TenantId{"demo"});
    return *threads::ReadLadders(rows, protocol::UserId{user.c_str()});
  }

  World world_;
  uint64_t changes_ = 1000;
  int sent_ = 0;
};

TEST_F(TextPolicyTest, behaviour_093_AHardPatternIsRefusedWithItsRuleAndStoredNowhere) {
  FakeClient anna = world_->Join("usr_anna"), bob = world_->Join("usr_bob");
  const std::string thread = Inquiry(anna);
  bob.TakeEvents();
  const Frame refused = Send(anna, thread, "send it by v3nm0 please");
  EXPECT_EQ(refused.error(), "MSG_POLICY_BLOCKED");
  EXPECT_THAT(refused.Text("error.hint"), HasSubstr("Payments stay on the platform"));
  EXPECT_TRUE(refused.Has("error.fields.payments")) << refused.Json();
  EXPECT_THAT(refused.Json(), Not(HasSubstr("v3nm0")));
  EXPECT_EQ(Bodies(bob, thread), "[]");
  EXPECT_TRUE(bob.TakeEvents().empty());
  EXPECT_EQ(anna.Ask("thread.get", Args({{"threadId", thread}})).Int("ok.lastSeq"), 3) << "no seq was taken";
}

TEST_F(TextPolicyTest, behaviour_093_EveryWayToWriteATextIsJudged) {
  FakeClient anna = world_->Join("usr_anna");
  const std::string thread = Inquiry(anna);
  const Frame said = Send(anna, thread, "hello");
  EXPECT_EQ(
      Told(anna.Ask(
          "message.edit",
          Args({{"threadId", thread}, {"messageId", said.Text("ok.messageId")}, {"body", "zelle me"}}))),
      "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Told(world_->Join("usr_carl")
                     .Ask("thread.create", Args({{"kind", "inquiry"},
                                                 {"buyerUserId", "usr_carl"},
                                                 {"sellerUserId", "usr_bob"},
                                                 {"firstMessage", "do you take cashapp"},
                                                 {"clientId", "x"}}))),
            "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Told(world_->Join("usr_dora")
                     .Ask("thread.create", Args({{"kind", "inquiry"},
                                                 {"buyerUserId", "usr_dora"},
                                                 {"sellerUserId", "usr_bob"},
                                                 {"subject", "my onlyfans"},
                                                 {"clientId", "x"}}))),
            "MSG_POLICY_BLOCKED");
  FakeClient emil = world_->Join("usr_emil");
  const std::string group =
      emil.Ask("thread.create", Args({{"kind", "group"}, {"clientId", "g"}})).Text("ok.thread.threadId");
  EXPECT_EQ(Told(emil.Ask("thread.update",
                          Args({{"threadId", group}, {"version", 1}, {"subject", "whatsapp group"}}))),
            "MSG_POLICY_BLOCKED");
}

TEST_F(TextPolicyTest, behaviour_094_ASoftPatternIsDeliveredWithAHintAndTheSecondIsRefused) {
  FakeClient anna = world_->Join("usr_anna"), bob = world_->Join("usr_bob");
  const std::string thread = Inquiry(anna);
  const Frame nudged = Send(anna, thread, "call me tonight", "n1");
  ASSERT_TRUE(nudged.ok()) << nudged.Json();
  EXPECT_EQ(nudged.Text("ok.nudge.hints.0"), "soft_contact");
  EXPECT_THAT(nudged.Text("ok.nudge.message"), HasSubstr("until the booking"));
  EXPECT_THAT(Bodies(bob, thread), HasSubstr("\"policyHints\":[\"soft_contact\"]"));
  EXPECT_THAT(Bodies(bob, thread), HasSubstr("call me tonight"));
  EXPECT_TRUE(Send(anna, thread, "call me tonight", "n1").Bool("ok.duplicate")) << "a repeat is no second";
  EXPECT_EQ(Told(Send(anna, thread, "or text me")), "MSG_POLICY_BLOCKED");
  world_->Advance(6 * kHour);
  anna = world_->Join("usr_anna");
  EXPECT_EQ(Told(Send(anna, thread, "text me")), "ok");
}

TEST_F(TextPolicyTest, behaviour_095_ThreePointsAreARestWithoutLinksAndTheNextAStop) {
  FakeClient anna = world_->Join("usr_anna"), bob = world_->Join("usr_bob");
  const std::string thread = Inquiry(anna);
  EXPECT_EQ(Told(Send(anna, thread, "paypal?")), "MSG_POLICY_BLOCKED");
  const Frame rests = Send(anna, thread, "hello");
  EXPECT_EQ(rests.error(), "RATE_LIMITED");
  EXPECT_EQ(rests.Int("error.retryAfterMs"), 30'000);
  EXPECT_EQ(Told(Send(bob, thread, "hello")), "ok") << "the other is free";
  world_->Advance(30'000);
  EXPECT_EQ(Told(Send(anna, thread, "hello")), "ok");
  EXPECT_EQ(Told(Send(anna, thread, "see example.com")), "MSG_POLICY_BLOCKED") << "links are off";
  EXPECT_EQ(Told(Send(anna, thread, "then zelle")), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Told(Send(anna, thread, "hello")), "SAFETY_SOFT_BLOCK");
  world_->Advance(24 * kHour);
  anna = world_->Join("usr_anna");
  EXPECT_EQ(Told(Send(anna, thread, "hello")), "ok");
}

TEST_F(TextPolicyTest, behaviour_097_TheLadderIsKeptPerAuthorAndThreadAndSurvivesARestart) {
  FakeClient anna = world_->Join("usr_anna");
  const std::string thread = Inquiry(anna), other = Inquiry(anna, "usr_carl");
  EXPECT_EQ(Told(Send(anna, thread, "paypal?")), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Told(Send(anna, other, "hello")), "ok") << "another thread";
  world_.Restart();
  Set(R"({"safety":{"textPolicy":"default"}})");
  anna = world_->Join("usr_anna");
  EXPECT_EQ(Told(Send(anna, thread, "hello")), "RATE_LIMITED");
  const auto ladders = LaddersOf("usr_anna");
  ASSERT_EQ(ladders.size(), 1u);
  EXPECT_EQ(ladders[0].first.ToText(), thread);
  EXPECT_EQ(ladders[0].second.milli, 3000);
  EXPECT_EQ(Told(Send(anna, other, "paypal?")), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Told(Send(anna, other, "hello")), "SAFETY_SOFT_BLOCK") << "what was elsewhere counts with it";
}

TEST_F(TextPolicyTest, behaviour_097_ARefusedRequestThatIsSentAgainAddsNothing) {
  FakeClient anna = world_->Join("usr_anna");
  const std::string thread = Inquiry(anna);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Told(Send(anna, thread, "paypal?", "same")), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(LaddersOf("usr_anna").at(0).second.milli, 3000);
}

TEST_F(TextPolicyTest, behaviour_098_ContactDataIsRedactedForEverybodyAndItsOriginalSealed) {
  FakeClient anna = world_->Join("usr_anna"), bob = world_->Join("usr_bob");
  const std::string thread = Inquiry(anna);
  const Frame sent = Send(anna, thread, "mail jane.doe@gmail.com or +1 555 234 8891, ok?");
  ASSERT_TRUE(sent.ok()) << sent.Json();
  EXPECT_TRUE(sent.Bool("ok.nudge.redacted"));
  for (FakeClient* one : {&anna, &bob}) {
    EXPECT_THAT(Bodies(*one, thread), HasSubstr("mail [removed] or [removed], ok?"));
    EXPECT_THAT(Bodies(*one, thread), Not(HasSubstr("gmail")));
  }
  EXPECT_THAT(bob.Ask("inbox.list").Json(), Not(HasSubstr("gmail")));
  const auto id = *protocol::ThreadId::FromText(thread);
  const auto message = *protocol::MessageId::FromText(sent.Text("ok.messageId"));
  const auto sort = threads::OriginalKey(message, sent.Int("ok.seq"));
  const protocol::TenantId demo{"demo"};
  std::optional<storage::Row> row;
  ASSERT_TRUE(world_.table().Get(threads::ThreadPartition(demo, id), sort, &row).ok());
  ASSERT_TRUE(row.has_value());
  EXPECT_THAT(row->payload, Not(HasSubstr("gmail")));
  EXPECT_EQ(world_->node().sealer().Open(storage::SealPurpose::kAttributes,
                                         threads::OriginalPlace(demo, id, sort), row->payload),
            "mail jane.doe@gmail.com or +1 555 234 8891, ok?");
}

TEST_F(TextPolicyTest, behaviour_098_WhoHasBookedMayExchangeContactData) {
  FakeClient anna = world_->Join("usr_anna"), bob = world_->Join("usr_bob");
  const std::string thread = world_.NewThread(anna, "usr_anna", "usr_bob");
  EXPECT_EQ(Told(Send(anna, thread, "mail jane.doe@gmail.com and call me")), "ok");
  EXPECT_THAT(Bodies(bob, thread), HasSubstr("jane.doe@gmail.com"));
  EXPECT_EQ(Told(Send(anna, thread, "and paypal")), "MSG_POLICY_BLOCKED") << "payments stay, all the same";
}

TEST_F(TextPolicyTest, StaffAndWhoeverIsNoMemberAreAnsweredAsWithoutAPolicy) {
  FakeClient anna = world_->Join("usr_anna"), eve = world_->Join("usr_eve");
  const std::string thread = Inquiry(anna);
  EXPECT_EQ(Told(Send(eve, thread, "paypal")), "THREAD_NOT_MEMBER");
  EXPECT_TRUE(LaddersOf("usr_eve").empty());
}

TEST_F(TextPolicyTest, TheSetsOfATenantCountAndTheDemoTenantHasNoneUnlessItSaysSo) {
  FakeClient anna = world_->Join("usr_anna");
  const std::string thread = Inquiry(anna);
  Set(R"({"safety":{"textPolicy":{"defaults":false,"sets":[
      {"name":"rivals","action":"block","hint":"No rivals.","terms":["gigbay"]}]}}})");
  EXPECT_EQ(Told(Send(anna, thread, "paypal")), "ok");
  EXPECT_EQ(Send(anna, thread, "on g1gbay").Text("error.hint"), "No rivals.");
  Set("{}");
  world_->Advance(kMinute);
  anna = world_->Join("usr_anna");
  EXPECT_EQ(Told(Send(anna, thread, "gigbay, paypal, whatsapp")), "ok");
}

TEST_F(TextPolicyTest, SettingsThatCannotBeUsedAreRefusedByTheirPlace) {
  const auto bad = [](const std::string& settings) {
    const auto made = gateway::MakeTextPolicy(settings, true);
    return made.ok() ? "ok" : made.error().fields.at(0).first;
  };
  EXPECT_EQ(
      bad(R"({"safety":{"textPolicy":{"sets":[{"name":"x","action":"block","hint":"","terms":["ab"]}]}}})"),
      "settings.safety.textPolicy.sets.0.terms.0");
  EXPECT_EQ(bad(R"({"safety":{"textPolicy":7}})"), "settings.safety.textPolicy");
  EXPECT_EQ(bad(R"({"safety":{"textPolicy":"off"}})"), "ok");
  EXPECT_FALSE(accounts::ParseSettings(R"({"safety":{"textPolicy":{"colour":"red"}}})").ok());
}

}  // namespace
}  // namespace parley::gateway_test
