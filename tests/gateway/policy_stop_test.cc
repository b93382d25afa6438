// A stop by the text policy: the back end's events of refused texts, the SAFETY card of the case, and the end
// of both when the case is decided.
#include "protocol/audit.h"
#include "tests/gateway/policy_scene.h"

namespace parley::gateway_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class StopTest : public PolicyStop {
 protected:
  StopTest() {
    world_.SetDemoSettings(R"({"safety":{"textPolicy":"default"},"events":{"types":["message.blocked"]}})");
  }

  // Starts a thread; returns the error code or the thread's id.
  std::string Start(const std::string& first) {
    const Frame made = world_->Join("dora").Ask("thread.create", Args({{"kind", "inquiry"},
                                                                       {"buyerUserId", "dora"},
                                                                       {"sellerUserId", "bob"},
                                                                       {"firstMessage", first},
                                                                       {"clientId", first}}));
    return made.ok() ? made.Text("ok.thread.threadId") : made.error();
  }
  static std::string CardsIn(FakeClient who, const std::string& thread) {
    const Frame list = who.Ask("message.list", Args({{"threadId", thread}}));
    std::string out;
    for (size_t i = 0; i < list.Size("ok.messages"); ++i) {
      const std::string at = "ok.messages." + std::to_string(i);
      if (list.Text(at + ".type") == "action")
        out += list.Text(at + ".action.type") + " " + list.Text(at + ".action.state") + ";";
    }
    return out;
  }
  Frame Events() {
    const auto answer =
        world_->Http("GET", "/v1/inbox", "", {{"Authorization", "Bearer " + world_->service_key()}});
    EXPECT_EQ(answer.status, 200) << answer.body;
    return Frame(protocol::Encoding::kJson, answer.body);
  }
};

TEST_F(StopTest, TheBackEndGetsOneEventForEachRefusedTextWithoutTheText) {
  const std::string thread = Make("inquiry");
  Stop(thread);
  const Frame events = Events();
  ASSERT_EQ(events.Size("items"), 2u) << events.Json();
  for (const char* at : {"items.0", "items.1"}) {
    const std::string in = at;
    EXPECT_EQ(events.Text(in + ".type"), "message.blocked");
    EXPECT_EQ(events.Text(in + ".payload.threadId"), thread);
    EXPECT_FALSE(events.Has(in + ".payload.seq"));
    EXPECT_EQ(events.Text(in + ".payload.item.userId"), "ann");
    EXPECT_EQ(events.Text(in + ".payload.item.rules"), "payments");
    EXPECT_EQ(events.Text(in + ".payload.item.auditId"), events.Text(in + ".payload.auditId"));
  }
  EXPECT_EQ(events.Text("items.0.payload.item.content"), protocol::AuditHash("paypal?"));
  EXPECT_EQ(events.Json("items.0.payload.item.stopped"), "false");
  EXPECT_EQ(events.Json("items.1.payload.item.stopped"), "true");
  EXPECT_THAT(events.Json(), Not(HasSubstr("paypal")));
  ExpectSound();
}

TEST_F(StopTest, ARefusedStartIsAnEventWithoutAThread) {
  EXPECT_EQ(Start("zelle me"), "MSG_POLICY_BLOCKED");
  const Frame events = Events();
  ASSERT_EQ(events.Size("items"), 1u) << events.Json();
  EXPECT_EQ(events.Text("items.0.type"), "message.blocked");
  EXPECT_FALSE(events.Has("items.0.payload.threadId"));
  EXPECT_EQ(events.Text("items.0.payload.item.userId"), "dora");
  ExpectSound();
}

TEST_F(StopTest, AStopOpensASafetyCardVisibleToItsAuthorAndStaff) {
  for (const char* kind : {"inquiry", "project", "direct"}) {
    SCOPED_TRACE(kind);
    const std::string thread = Make(kind);
    Stop(thread);
    EXPECT_EQ(CardsIn(world_->Join("ann"), thread), "SAFETY OPEN;");
    EXPECT_EQ(CardsIn(Staff(), thread), "SAFETY OPEN;");
    EXPECT_EQ(CardsIn(world_->Join("bob"), thread), "");
    EXPECT_EQ(Say("ann", thread, "hello"), "SAFETY_SOFT_BLOCK");
    EXPECT_EQ(Say("bob", thread, "hello"), "ok") << "a stop keeps nobody else from writing";
    // One case only, although a card of this type otherwise opens one.
    EXPECT_EQ(Decide(OnlyCase(), "reject"), "ok");
    EXPECT_EQ(Say("ann", thread, "hello"), "ok");
    ExpectSound();
    world_->Advance(72 * kHour);
  }
}

TEST_F(StopTest, TheCardAndTheStopEndWithTheirCase) {
  const std::string thread = Make("project");
  Stop(thread);
  FakeClient sue = Staff("admin");
  const Frame cards = sue.Ask("card.list", Args({{"threadId", thread}}));
  EXPECT_EQ(cards.Json("ok.cards.0.allowed"), "[]");
  const Frame act = sue.Ask("card.act", Args({{"threadId", thread},
                                              {"messageId", cards.Text("ok.cards.0.messageId")},
                                              {"intent", "resolve"},
                                              {"version", 1},
                                              {"clientId", "a1"},
                                              {"reason", "r"}}));
  EXPECT_EQ(act.error(), "ACTION_INVALID_STATE") << act.Json();
  EXPECT_EQ(act.Text("error.hint"), "This ends when its case is decided.");
  EXPECT_EQ(Decide(OnlyCase(), "reject"), "ok");
  EXPECT_EQ(CardsIn(world_->Join("ann"), thread), "SAFETY RESOLVED;");
  EXPECT_EQ(Say("ann", thread, "hello"), "ok");
  EXPECT_EQ(Say("ann", thread, "cashapp?"), "MSG_POLICY_BLOCKED") << "what was found keeps its points";
  EXPECT_EQ(Say("ann", thread, "hello"), "SAFETY_SOFT_BLOCK");
  ExpectSound();
}

TEST_F(StopTest, AStopOfStartsEndsWithItsCaseToo) {
  EXPECT_EQ(Start("zelle me"), "MSG_POLICY_BLOCKED");
  world_->Advance(kMinute);
  EXPECT_EQ(Start("venmo then"), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Start("hello"), "SAFETY_SOFT_BLOCK");
  EXPECT_EQ(Decide(OnlyCase(), "reject"), "ok");
  EXPECT_THAT(Start("hello again"), HasSubstr("thrd_"));
  ExpectSound();
}

TEST_F(StopTest, AStopOfAMemberWhoHasLeftOpensOnlyACase) {
  const std::string thread = Make("group");
  EXPECT_EQ(Say("ann", thread, "paypal?"), "MSG_POLICY_BLOCKED");
  world_->Advance(kMinute);
  FakeClient ann = world_->Join("ann");
  // Both are decided before the relay opens the case.
  ann.Send("message.send",
           Args({{"threadId", thread}, {"clientId", "s"}, {"type", "text"}, {"body", "zelle"}}));
  ann.Send("participant.remove", Args({{"threadId", thread}, {"userId", "ann"}}));
  world_->Settle();
  EXPECT_EQ(CardsIn(Staff(), thread), "");
  EXPECT_EQ(Decide(OnlyCase(), "approve"), "ok");
  ExpectSound();
}

}  // namespace
}  // namespace parley::gateway_test
