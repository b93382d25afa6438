// The text policy as clients see it: texts that are refused, delivered with a hint, or redacted, and the
// consequences.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accounts/tenants/demo.h"
#include "features/text_policy/text_policies.h"
#include "gateway/app/node.h"
#include "protocol/audit.h"
#include "storage/overlay.h"
#include "tests/gateway/fake_server_support.h"
#include "threads/judge/judge_rows.h"

namespace parley::gateway_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class TextPolicyTest : public testing::Test {
 protected:
  TextPolicyTest() : world_(DemoConfig()) { Set(R"({"safety":{"textPolicy":"default"}})"); }

  void Set(const std::string& settings) { world_.SetDemoSettings(settings); }
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
  FakeClient Staff(const std::string& user) {
    FakeClient staff = world_->Connect();
    EXPECT_TRUE(staff.Hello(world_->Token(user, "moderator")).ok());
    return staff;
  }
  // "ok", or the error.
  std::string Outcome(const Frame& reply) { return reply.ok() ? "ok" : reply.error(); }
  std::string Bodies(FakeClient& client, const std::string& thread) {
    return client.Ask("message.list", Args({{"threadId", thread}})).Json("ok.messages");
  }
  std::vector<std::pair<protocol::ThreadId, threads::StrikesRow>> StrikesOfUser(const std::string& user) {
    const threads::RowReader rows(world_.table(), protocol::TenantId{"demo"});
    return *threads::ReadStrikesOfUser(rows, protocol::UserId{user.c_str()});
  }

  World world_;
  int sent_ = 0;
};

TEST_F(TextPolicyTest, AHardPatternIsRefusedWithItsRuleAndNotStored) {
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

TEST_F(TextPolicyTest, EveryOpThatWritesATextIsJudged) {
  FakeClient anna = world_->Join("usr_anna");
  const std::string thread = Inquiry(anna);
  const Frame said = Send(anna, thread, "hello");
  EXPECT_EQ(
      Outcome(anna.Ask(
          "message.edit",
          Args({{"threadId", thread}, {"messageId", said.Text("ok.messageId")}, {"body", "zelle me"}}))),
      "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Outcome(world_->Join("usr_carl")
                        .Ask("thread.create", Args({{"kind", "inquiry"},
                                                    {"buyerUserId", "usr_carl"},
                                                    {"sellerUserId", "usr_bob"},
                                                    {"firstMessage", "do you take cashapp"},
                                                    {"clientId", "x"}}))),
            "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Outcome(world_->Join("usr_dora")
                        .Ask("thread.create", Args({{"kind", "inquiry"},
                                                    {"buyerUserId", "usr_dora"},
                                                    {"sellerUserId", "usr_bob"},
                                                    {"subject", "my onlyfans"},
                                                    {"clientId", "x"}}))),
            "MSG_POLICY_BLOCKED");
  FakeClient emil = world_->Join("usr_emil");
  const std::string group =
      emil.Ask("thread.create", Args({{"kind", "group"}, {"clientId", "g"}})).Text("ok.thread.threadId");
  EXPECT_EQ(Outcome(emil.Ask("thread.update",
                             Args({{"threadId", group}, {"version", 1}, {"subject", "whatsapp group"}}))),
            "MSG_POLICY_BLOCKED");
}

TEST_F(TextPolicyTest, ASoftPatternIsDeliveredWithAHintAndTheSecondIsRefused) {
  FakeClient anna = world_->Join("usr_anna"), bob = world_->Join("usr_bob");
  const std::string thread = Inquiry(anna);
  const Frame nudged = Send(anna, thread, "call me tonight", "n1");
  ASSERT_TRUE(nudged.ok()) << nudged.Json();
  EXPECT_EQ(nudged.Text("ok.nudge.hints.0"), "soft_contact");
  EXPECT_THAT(nudged.Text("ok.nudge.message"), HasSubstr("until the booking"));
  EXPECT_THAT(Bodies(bob, thread), HasSubstr("\"policyHints\":[\"soft_contact\"]"));
  EXPECT_THAT(Bodies(bob, thread), HasSubstr("call me tonight"));
  EXPECT_TRUE(Send(anna, thread, "call me tonight", "n1").Bool("ok.duplicate")) << "a repeat is no second";
  EXPECT_EQ(Outcome(Send(anna, thread, "or text me")), "MSG_POLICY_BLOCKED");
  world_->Advance(6 * kHourMs);
  anna = world_->Join("usr_anna");
  EXPECT_EQ(Outcome(Send(anna, thread, "text me")), "ok");
}

TEST_F(TextPolicyTest, ThreePointsForbidLinksForAWhileAndTheNextPointStopsTheAuthor) {
  FakeClient anna = world_->Join("usr_anna"), bob = world_->Join("usr_bob");
  const std::string thread = Inquiry(anna);
  EXPECT_EQ(Outcome(Send(anna, thread, "paypal?")), "MSG_POLICY_BLOCKED");
  const Frame rests = Send(anna, thread, "hello");
  EXPECT_EQ(rests.error(), "RATE_LIMITED");
  EXPECT_EQ(rests.Int("error.retryAfterMs"), 30'000);
  EXPECT_EQ(Outcome(Send(bob, thread, "hello")), "ok") << "the other is free";
  world_->Advance(30'000);
  EXPECT_EQ(Outcome(Send(anna, thread, "hello")), "ok");
  EXPECT_EQ(Outcome(Send(anna, thread, "see example.com")), "MSG_POLICY_BLOCKED") << "links are off";
  EXPECT_EQ(Outcome(Send(anna, thread, "then zelle")), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Outcome(Send(anna, thread, "hello")), "SAFETY_SOFT_BLOCK");
  world_->Advance(24 * kHourMs);
  anna = world_->Join("usr_anna");
  EXPECT_EQ(Outcome(Send(anna, thread, "hello")), "ok");
}

TEST_F(TextPolicyTest, StrikesAreKeptPerAuthorAndThreadAndSurviveARestart) {
  FakeClient anna = world_->Join("usr_anna");
  const std::string thread = Inquiry(anna), other = Inquiry(anna, "usr_carl");
  EXPECT_EQ(Outcome(Send(anna, thread, "paypal?")), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Outcome(Send(anna, other, "hello")), "ok") << "another thread";
  world_.Restart();
  Set(R"({"safety":{"textPolicy":"default"}})");
  anna = world_->Join("usr_anna");
  EXPECT_EQ(Outcome(Send(anna, thread, "hello")), "RATE_LIMITED");
  const auto strikes_of_threads = StrikesOfUser("usr_anna");
  ASSERT_EQ(strikes_of_threads.size(), 1u);
  EXPECT_EQ(strikes_of_threads[0].first.ToText(), thread);
  EXPECT_EQ(strikes_of_threads[0].second.milli, 3000);
  EXPECT_EQ(Outcome(Send(anna, other, "paypal?")), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Outcome(Send(anna, other, "hello")), "SAFETY_SOFT_BLOCK") << "what was elsewhere counts with it";
}

TEST_F(TextPolicyTest, ARepeatOfARefusedRequestAddsNoStrike) {
  FakeClient anna = world_->Join("usr_anna");
  const std::string thread = Inquiry(anna);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Outcome(Send(anna, thread, "paypal?", "same")), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(StrikesOfUser("usr_anna").at(0).second.milli, 3000);
}

TEST_F(TextPolicyTest, ContactDataIsRedactedForAllAndTheOriginalIsSealed) {
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

// The audit's entries about a user, newest first: "action by actor: reason".
std::vector<std::string> OnRecord(FakeClient& staff, const std::string& user) {
  std::vector<std::string> out;
  const Frame page = staff.Ask("moderation.audit", Args({{"userId", user}}));
  for (size_t i = 0; page.ok() && i < page.Size("ok.entries"); ++i) {
    const std::string at = "ok.entries." + std::to_string(i);
    if (page.Text(at + ".action").starts_with("look.")) continue;
    out.push_back(page.Text(at + ".action") + " by " + page.Text(at + ".actorRole") + ": " +
                  page.Text(at + ".reason"));
  }
  return out;
}

TEST_F(TextPolicyTest, ARefusedTextIsRecordedWithItsRulesAndItsHash) {
  FakeClient anna = world_->Join("usr_anna"), sue = Staff("sue");
  const std::string thread = Inquiry(anna);
  EXPECT_EQ(Outcome(Send(anna, thread, "paypal?", "same")), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Outcome(Send(anna, thread, "paypal?", "same")), "MSG_POLICY_BLOCKED");
  EXPECT_THAT(OnRecord(sue, "usr_anna"), ElementsAre("policy.block by member: payments")) << "once";
  const Frame page = sue.Ask("moderation.audit", Args({{"actor", "usr_anna"}}));
  EXPECT_EQ(page.Text("ok.entries.0.after.content"), protocol::AuditHash("paypal?"));
  EXPECT_EQ(page.Text("ok.entries.0.threadId"), thread);
  EXPECT_THAT(page.Json(), Not(HasSubstr("paypal")));
}

TEST_F(TextPolicyTest, ATextOfARefusedStartIsRecordedToo) {
  FakeClient dora = world_->Join("usr_dora"), sue = Staff("sue");
  const auto begin = [&](const std::string& id, const std::string& first) {
    return Outcome(dora.Ask("thread.create", Args({{"kind", "inquiry"},
                                                   {"buyerUserId", "usr_dora"},
                                                   {"sellerUserId", "usr_bob"},
                                                   {"firstMessage", first},
                                                   {"clientId", id}})));
  };
  EXPECT_EQ(begin("1", "zelle me"), "MSG_POLICY_BLOCKED");
  EXPECT_THAT(OnRecord(sue, "usr_dora"), ElementsAre("policy.block by member: payments"));
  world_->Advance(kMinuteMs);
  dora = world_->Join("usr_dora");
  sue = Staff("sue");
  EXPECT_EQ(begin("2", "venmo then"), "MSG_POLICY_BLOCKED");
  EXPECT_THAT(OnRecord(sue, "usr_dora"),
              ElementsAre("case.open by policy: text policy: payments", "policy.stop by member: payments",
                          "policy.block by member: payments"));
  const Frame queue = sue.Ask("moderation.queue", Args({{"userId", "usr_dora"}}));
  EXPECT_EQ(queue.Text("ok.cases.0.origin"), "policy");
  EXPECT_EQ(queue.Json("ok.cases.0.threadId"), "null");
}

TEST_F(TextPolicyTest, AStopOpensOneCaseForModerators) {
  FakeClient anna = world_->Join("usr_anna"), sue = Staff("sue");
  const std::string thread = Inquiry(anna);
  EXPECT_EQ(Outcome(Send(anna, thread, "paypal?")), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(sue.Ask("moderation.queue").Size("ok.cases"), 0u) << "a rest is no case";
  world_->Advance(kMinuteMs);
  anna = world_->Join("usr_anna");
  EXPECT_EQ(Outcome(Send(anna, thread, "then zelle")), "MSG_POLICY_BLOCKED");
  world_->Settle();
  sue = Staff("sue");
  const Frame queue = sue.Ask("moderation.queue");
  ASSERT_EQ(queue.Size("ok.cases"), 1u) << queue.Json();
  EXPECT_EQ(queue.Text("ok.cases.0.origin"), "policy");
  EXPECT_EQ(queue.Text("ok.cases.0.type"), "user");
  EXPECT_EQ(queue.Text("ok.cases.0.userId"), "usr_anna");
  EXPECT_EQ(queue.Text("ok.cases.0.threadId"), thread);
  const std::string id = queue.Text("ok.cases.0.caseId");
  EXPECT_TRUE(sue.Ask("moderation.case", Args({{"caseId", id}})).ok());
  // The next stop in the same thread joins the open case.
  for (int i = 0; i < 2; ++i) {
    world_->Advance(25 * kHourMs);
    anna = world_->Join("usr_anna");
    Send(anna, thread, "cashapp, then");
    world_->Advance(kMinuteMs);
    anna = world_->Join("usr_anna");
    Send(anna, thread, "or venmo");
  }
  world_->Settle();
  sue = Staff("sue");
  EXPECT_EQ(sue.Ask("moderation.queue").Size("ok.cases"), 1u);
}

TEST_F(TextPolicyTest, StaffReadStrikesAndResetThemInOneThreadOrEverywhere) {
  FakeClient anna = world_->Join("usr_anna"), sue = Staff("sue");
  const std::string thread = Inquiry(anna), other = Inquiry(anna, "usr_carl");
  EXPECT_EQ(Outcome(Send(anna, thread, "paypal?")), "MSG_POLICY_BLOCKED");
  const Frame seen = sue.Ask("moderation.user", Args({{"userId", "usr_anna"}}));
  ASSERT_EQ(seen.Size("ok.user.ladder"), 1u) << seen.Json();
  EXPECT_EQ(seen.Text("ok.user.ladder.0.threadId"), thread);
  EXPECT_EQ(seen.Int("ok.user.ladder.0.points"), 3);
  EXPECT_TRUE(seen.Has("ok.user.ladder.0.restsUntil"));
  EXPECT_EQ(Outcome(Send(anna, thread, "hello")), "RATE_LIMITED");

  const auto reset = [&](FakeClient& who, const std::string& more) {
    return Outcome(who.Ask("moderation.resetLadder", "{\"userId\":\"usr_anna\"" + more + "}"));
  };
  const std::string here = ",\"threadId\":\"" + thread + "\"", why = R"(,"reason":"a mistake")";
  EXPECT_EQ(reset(anna, why), "FORBIDDEN");
  EXPECT_EQ(reset(sue, ""), "BAD_REQUEST");
  EXPECT_EQ(reset(sue, R"(,"reason":"")"), "BAD_REQUEST");
  EXPECT_EQ(reset(sue, here + why), "ok");
  EXPECT_EQ(Outcome(Send(anna, thread, "hello")), "ok");
  EXPECT_THAT(OnRecord(sue, "usr_anna"), Contains("moderation.resetLadder by moderator: a mistake"));

  EXPECT_EQ(Outcome(Send(anna, thread, "zelle?")), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Outcome(Send(anna, other, "zelle?")), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Outcome(Send(anna, other, "hello")), "SAFETY_SOFT_BLOCK");
  EXPECT_EQ(reset(sue, why), "ok");
  EXPECT_EQ(Outcome(Send(anna, thread, "hello")), "ok");
  EXPECT_EQ(Outcome(Send(anna, other, "hello")), "ok");
  EXPECT_EQ(sue.Ask("moderation.user", Args({{"userId", "usr_anna"}})).Size("ok.user.ladder"), 0u);
  world_->Advance(1);
  EXPECT_EQ(Outcome(Send(anna, other, "paypal")), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Outcome(Send(anna, other, "hello")), "RATE_LIMITED") << "the count starts again at zero";
}

TEST_F(TextPolicyTest, StaffSeeTheOriginalUntilItIsRedacted) {
  FakeClient anna = world_->Join("usr_anna"), sue = Staff("sue");
  const std::string thread = Inquiry(anna);
  const Frame sent = Send(anna, thread, "mail jane.doe@gmail.com");
  const std::string message = sent.Text("ok.messageId");
  const std::string which = Args({{"threadId", thread}, {"messageId", message}});
  EXPECT_EQ(Outcome(anna.Ask("message.history", which)), "FORBIDDEN");
  const Frame history = sue.Ask("message.history", which);
  ASSERT_EQ(history.Size("ok.originals"), 1u) << history.Json();
  EXPECT_EQ(history.Text("ok.originals.0.body"), "mail jane.doe@gmail.com");
  EXPECT_EQ(history.Int("ok.originals.0.seq"), sent.Int("ok.seq"));
  EXPECT_TRUE(sue.Ask("moderation.message", Args({{"threadId", thread},
                                                  {"messageId", message},
                                                  {"moderation", "redacted"},
                                                  {"reason", "doxxing"}}))
                  .ok());
  EXPECT_EQ(sue.Ask("message.history", which).Size("ok.originals"), 0u);
  std::optional<storage::Row> row;
  const auto sort = threads::OriginalKey(*protocol::MessageId::FromText(message), sent.Int("ok.seq"));
  ASSERT_TRUE(
      world_.table()
          .Get(threads::ThreadPartition(protocol::TenantId{"demo"}, *protocol::ThreadId::FromText(thread)),
               sort, &row)
          .ok());
  EXPECT_FALSE(row.has_value());
}

TEST_F(TextPolicyTest, TextsSentWithACardAreJudgedUnlessItIsAReport) {
  FakeClient anna = world_->Join("usr_anna"), bob = world_->Join("usr_bob");
  const std::string thread = world_.NewThread(anna, "usr_anna", "usr_bob");
  const auto create = [&](const std::string& type, const std::string& payload) {
    return anna.Ask("card.create", "{\"threadId\":\"" + thread + "\",\"clientId\":\"c" +
                                       std::to_string(++sent_) + "\",\"type\":\"" + type +
                                       "\",\"payload\":" + payload + "}");
  };
  const auto act = [&](FakeClient& who, const Frame& card, const std::string& intent,
                       const std::string& data) {
    return Outcome(who.Ask("card.act", "{\"threadId\":\"" + thread + "\",\"clientId\":\"a" +
                                           std::to_string(++sent_) + "\",\"messageId\":\"" +
                                           card.Text("ok.messageId") + "\",\"intent\":\"" + intent +
                                           "\",\"version\":1,\"data\":" + data + "}"));
  };
  const Frame cancel = create("CANCEL_REQUEST", R"({"reason":"rain"})");
  ASSERT_TRUE(cancel.ok()) << cancel.Json();
  EXPECT_EQ(act(bob, cancel, "decline", R"({"note":"pay me by venmo"})"), "MSG_POLICY_BLOCKED");
  const Frame dispute = create("DISPUTE_OPEN", R"({"reason":"asked for paypal","details":"see above"})");
  ASSERT_TRUE(dispute.ok()) << dispute.Json();
  EXPECT_NE(act(anna, dispute, "escalate", R"({"note":"they said venmo"})"), "MSG_POLICY_BLOCKED");
}

TEST_F(TextPolicyTest, ABroadcastCountsInEachOfItsThreads) {
  FakeClient anna = world_->Join("usr_anna");
  std::vector<std::string> threads;
  for (const char* leg : {"leg_1", "leg_2"}) {
    threads.push_back(anna.Ask("thread.create", Args({{"kind", "project"},
                                                      {"buyerUserId", "usr_anna"},
                                                      {"sellerUserId", "usr_bob"},
                                                      {"lbgId", "lbg_1"},
                                                      {"legId", leg},
                                                      {"clientId", leg}}))
                          .Text("ok.thread.threadId"));
    world_->Advance(10);
  }
  const auto broadcast = [&](const std::string& id, const std::string& body) {
    return anna.Ask("thread.broadcast", Args({{"lbgId", "lbg_1"}, {"clientId", id}, {"body", body}}));
  };
  const Frame refused = broadcast("b1", "by paypal");
  ASSERT_EQ(refused.Size("ok.sent"), 2u) << refused.Json();
  EXPECT_EQ(refused.Text("ok.sent.0.error"), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(refused.Text("ok.sent.1.error"), "MSG_POLICY_BLOCKED");
  const auto strikes_of_threads = StrikesOfUser("usr_anna");
  ASSERT_EQ(strikes_of_threads.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(strikes_of_threads[i].first.ToText(), threads[i]);
    EXPECT_EQ(strikes_of_threads[i].second.milli, 3000);
    EXPECT_FALSE(strikes_of_threads[i].second.stopped_until.value);
  }
  EXPECT_EQ(broadcast("b2", "hello").Text("ok.sent.1.error"), "RATE_LIMITED");
}

TEST_F(TextPolicyTest, TheCityOfAThreadIsJudged) {
  FakeClient anna = world_->Join("usr_anna");
  const std::string thread = Inquiry(anna);
  EXPECT_EQ(
      Outcome(anna.Ask("thread.update", Args({{"threadId", thread}, {"version", 1}, {"city", "zelle"}}))),
      "MSG_POLICY_BLOCKED");
}

TEST_F(TextPolicyTest, BookedUsersMayExchangeContactData) {
  FakeClient anna = world_->Join("usr_anna"), bob = world_->Join("usr_bob");
  const auto made = world_->Http("POST", "/v1/ops/thread.create",
                                 R"({"kind":"project","buyerUserId":"usr_anna","sellerUserId":"usr_bob"})",
                                 {{"Authorization", "Bearer " + world_->service_key()}});
  const std::string thread = Frame(protocol::Encoding::kJson, made.body).Text("thread.threadId");
  EXPECT_EQ(Outcome(Send(anna, thread, "mail jane.doe@gmail.com and call me")), "ok");
  EXPECT_THAT(Bodies(bob, thread), HasSubstr("jane.doe@gmail.com"));
  EXPECT_EQ(Outcome(Send(anna, thread, "and paypal")), "MSG_POLICY_BLOCKED") << "payments stay, all the same";
}

TEST_F(TextPolicyTest, StaffAndNonMembersAreAnsweredAsWithoutAPolicy) {
  FakeClient anna = world_->Join("usr_anna"), eve = world_->Join("usr_eve");
  const std::string thread = Inquiry(anna);
  EXPECT_EQ(Outcome(Send(eve, thread, "paypal")), "THREAD_NOT_MEMBER");
  EXPECT_TRUE(StrikesOfUser("usr_eve").empty());
}

TEST_F(TextPolicyTest, ATenantsSetsCountAndTheDemoTenantHasNoneByDefault) {
  FakeClient anna = world_->Join("usr_anna");
  const std::string thread = Inquiry(anna);
  Set(R"({"safety":{"textPolicy":{"defaults":false,"sets":[
      {"name":"rivals","action":"block","hint":"No rivals.","terms":["gigbay"]}]}}})");
  EXPECT_EQ(Outcome(Send(anna, thread, "paypal")), "ok");
  EXPECT_EQ(Send(anna, thread, "on g1gbay").Text("error.hint"), "No rivals.");
  Set("{}");
  world_->Advance(kMinuteMs);
  anna = world_->Join("usr_anna");
  EXPECT_EQ(Outcome(Send(anna, thread, "gigbay, paypal, whatsapp")), "ok");
}

TEST_F(TextPolicyTest, InvalidSettingsAreRefusedWithTheirPaths) {
  const auto bad = [](const std::string& settings) {
    const auto made = features::MakeTextPolicy(settings, true);
    return made.ok() ? "ok" : made.error().fields.at(0).first;
  };
  EXPECT_EQ(
      bad(R"({"safety":{"textPolicy":{"sets":[{"name":"x","action":"block","hint":"","terms":["ab"]}]}}})"),
      "settings.safety.textPolicy.sets.0.terms.0");
  EXPECT_EQ(bad(R"({"safety":{"textPolicy":7}})"), "settings.safety.textPolicy");
  EXPECT_EQ(bad(R"({"safety":{"textPolicy":"off"}})"), "ok");
  EXPECT_EQ(bad(R"({"safety":{"textPolicy":{"colour":"red"}}})"), "settings.safety.textPolicy.colour");
}

}  // namespace
}  // namespace parley::gateway_test
