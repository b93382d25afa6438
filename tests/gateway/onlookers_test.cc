// Staff who open a thread receive its events like members, from the recorded look until they close it or lose
// the permission to look.
#include <gmock/gmock.h>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Onlookers : public testing::TestWithParam<const char*> {
 protected:
  explicit Onlookers(const gateway::Config& config = DemoConfig()) : world_(config) {
    thread_ = world_.NewThread(ann_, "ann", "bob");
    world_.Say(ann_, thread_, "before");
  }
  FakeClient Staff(const std::string& more = "") {
    FakeClient staff = world_->Connect();
    EXPECT_TRUE(staff.Hello(world_->Token("sue", "support"), more).ok());
    return staff;
  }
  std::string In(const std::string& more = "") { return "{\"threadId\":\"" + thread_ + "\"" + more + "}"; }
  size_t Looks(FakeClient& staff, const std::string& op) {
    const Frame audit = staff.Ask("thread.audit", In(R"(,"limit":200)"));
    size_t count = 0;
    for (size_t i = 0; i < audit.Size("ok.entries"); ++i) {
      const std::string at = "ok.entries." + std::to_string(i);
      count += audit.Text(at + ".what") == "looked" && audit.Text(at + ".op") == op;
    }
    return count;
  }
  std::string Resume(int64_t seq) {
    return R"("resume":)" + Args({{"epoch", world_.table().identity().epoch},
                                  {"threads", JsonArg::Raw(Args({{thread_, seq}}))}});
  }
  World world_;
  FakeClient ann_ = world_->Join("ann");
  std::string thread_;
};

INSTANTIATE_TEST_SUITE_P(Modes, Onlookers, testing::Values(R"("deliver":"all")", R"("deliver":"open")"),
                         [](const auto& one) {
                           return std::string(one.param).find("open") == std::string::npos ? "all" : "open";
                         });

TEST_P(Onlookers, receive_a_threads_events_from_opening_to_closing_it) {
  FakeClient sue = Staff(GetParam());
  world_.Say(ann_, thread_, "not yet");
  EXPECT_THAT(sue.TakeEvents(), IsEmpty());
  EXPECT_EQ(sue.Ask("thread.open", In()).Int("ok.lastSeq"), 5);
  world_.Say(ann_, thread_, "one");
  ann_.Ask("thread.update", In(R"(,"version":1,"subject":"s")"));
  EXPECT_THAT(Lines(sue.TakeEvents()), ElementsAre("message.created 6", "thread.updated 7"));
  EXPECT_EQ(Looks(sue, "thread.open"), 1u) << "once, not for each event";
  ASSERT_TRUE(sue.Ask("thread.close", In()).ok());
  world_.Say(ann_, thread_, "two");
  EXPECT_THAT(sue.TakeEvents(), IsEmpty());
  sue.Ask("thread.open", In());
  world_.Say(ann_, thread_, "three");
  EXPECT_THAT(Lines(sue.TakeEvents()), ElementsAre("message.created 9"));
  EXPECT_EQ(Looks(sue, "thread.open"), 2u);
}

TEST_P(Onlookers, give_a_reason_which_is_stored_with_the_look) {
  FakeClient sue = Staff(GetParam());
  ASSERT_TRUE(sue.Ask("thread.open", In(R"(,"reason":"case_1")")).ok());
  const Frame entries = sue.Ask("thread.audit", In());
  EXPECT_EQ(entries.Text("ok.entries.1.reason"), "case_1") << "0 is the look at the audit itself";
  EXPECT_EQ(sue.Ask("thread.open", In(",\"reason\":\"" + std::string(1001, 'x') + "\"")).error(),
            "BAD_REQUEST");
  EXPECT_EQ(Looks(sue, "thread.open"), 1u) << "what is refused is no look";
}

TEST_P(Onlookers, receive_each_event_once_as_members_and_none_after_removal) {
  FakeClient sue = Staff(GetParam());
  sue.Ask("thread.open", In());
  ann_.Ask("participant.add", In(R"(,"userId":"sue")"));
  world_.Say(ann_, thread_, "one");
  std::vector<std::string> received;
  for (const Frame& event : sue.TakeEvents()) {
    if (event.ev() != "inbox.updated" && event.ev() != "presence") received.push_back(event.Line());
  }
  EXPECT_THAT(received, ElementsAre("participant.added 5", "message.created 6"));
  ann_.Ask("participant.remove", In(R"(,"userId":"sue")"));
  world_.Say(ann_, thread_, "two");
  EXPECT_THAT(Lines(sue.TakeEvents()), ElementsAre("participant.removed 7"));
}

TEST_P(Onlookers, receive_what_only_staff_may_see) {
  FakeClient bob = world_->Join("bob");
  bob.Ask("card.create", In(R"(,"clientId":"c","type":"SAFETY","payload":{"reason":"r",)"
                            R"("severity":"low"})"));
  FakeClient sue = Staff(GetParam());
  sue.Ask("thread.open", In());
  bob.Ask("card.create",
          In(R"(,"clientId":"d","type":"SAFETY","payload":{"reason":"again","severity":"low"})"));
  EXPECT_THAT(Lines(sue.TakeEvents()), ElementsAre("message.created 7", "card.updated 8"));
}

TEST_P(Onlookers, resume_at_their_position_and_the_look_is_recorded) {
  {
    FakeClient sue = Staff(GetParam());
    EXPECT_EQ(sue.Ask("thread.open", In()).Int("ok.lastSeq"), 4);
    sue.connection().HangUp();
    world_->Settle();
  }
  world_.Say(ann_, thread_, "missed");
  FakeClient again = world_->Connect();
  world_->HoldExecutor(true);
  again.Send("session.hello", R"({"token":")" + world_->Token("sue", "support") + R"(",)" + Resume(4) + "," +
                                  GetParam() + "}");
  world_->Settle();
  const auto before = again.TakeAll();
  ASSERT_EQ(before.size(), 1u) << "what is not on record is not shown";
  EXPECT_EQ(before[0].Text("ok.resumed." + thread_), "ok");
  world_->HoldExecutor(false);
  world_->Settle();
  EXPECT_THAT(Lines(again.TakeEvents()), ElementsAre("message.created 5", "thread.synced 5"));
  world_.Say(ann_, thread_, "live");
  EXPECT_THAT(Lines(again.TakeEvents()), ElementsAre("message.created 6"));
  EXPECT_EQ(Looks(again, "session.hello"), 1u);
  again.Ask("thread.close", In());
  world_.Say(ann_, thread_, "closed");
  EXPECT_THAT(again.TakeEvents(), IsEmpty());
}

TEST_P(Onlookers, must_be_staff) {
  FakeClient eve = world_->Connect();
  ASSERT_TRUE(eve.Hello(world_->Token("eve"), Resume(4) + "," + GetParam()).ok());
  EXPECT_EQ(eve.Ask("thread.open", In()).error(), "THREAD_NOT_MEMBER");
  world_.Say(ann_, thread_, "x");
  EXPECT_THAT(eve.TakeEvents(), IsEmpty());
}

TEST_P(Onlookers, receive_nothing_after_they_cease_to_be_staff) {
  FakeClient sue = Staff(GetParam());
  sue.Ask("thread.open", In());
  ASSERT_TRUE(sue.Ask("session.refresh", Args({{"token", world_->Token("sue")}})).ok());
  world_.Say(ann_, thread_, "x");
  EXPECT_THAT(sue.TakeEvents(), IsEmpty());
}

class CaseBoundOnlookers : public Onlookers {
 protected:
  CaseBoundOnlookers() : Onlookers(ByCase()) {
    report_ = bob_.Ask("card.create", In(R"(,"clientId":"c","type":"SAFETY","payload":{"reason":"r",)"
                                         R"("severity":"low"})"))
                  .Text("ok.messageId");
  }
  void Close(FakeClient& staff) {
    ASSERT_TRUE(staff
                    .Ask("card.act", In(R"(,"messageId":")" + report_ +
                                        R"(","intent":"resolve","version":1,"clientId":"r","reason":"r")"))
                    .ok());
  }
  FakeClient bob_ = world_->Join("bob");
  std::string report_;
};
INSTANTIATE_TEST_SUITE_P(Modes, CaseBoundOnlookers,
                         testing::Values(R"("deliver":"all")", R"("deliver":"open")"), [](const auto& one) {
                           return std::string(one.param).find("open") == std::string::npos ? "all" : "open";
                         });

TEST_P(CaseBoundOnlookers, receive_a_threads_events_while_its_case_is_open) {
  FakeClient sue = Staff(GetParam());
  ASSERT_TRUE(sue.Ask("thread.open", In()).ok());
  ann_.Ask("participant.mute", In(R"(,"muted":true)"));
  bob_.Ask("thread.open", In());
  bob_.Ask("participant.add", In(R"(,"userId":"carol")"));
  EXPECT_THAT(Lines(sue.TakeEvents()), ElementsAre("participant.added 7"));
  FakeClient other = Staff(GetParam());
  Close(other);
  sue.TakeEvents();  // the event of the closing may or may not reach them
  bob_.Ask("participant.remove", In(R"(,"userId":"carol")"));
  bob_.Ask("typing.set", In(R"(,"typing":true)"));
  EXPECT_THAT(sue.TakeEvents(), IsEmpty());
  EXPECT_EQ(sue.Ask("thread.open", In()).error(), "THREAD_NOT_MEMBER");
}

TEST_P(CaseBoundOnlookers, cannot_resume_a_thread_whose_case_was_closed) {
  FakeClient other = Staff(GetParam());
  Close(other);
  FakeClient sue = world_->Connect();
  EXPECT_EQ(
      sue.Hello(world_->Token("sue", "support"), Resume(6) + "," + GetParam()).Text("ok.resumed." + thread_),
      "gone");
}

}  // namespace
}  // namespace parley::gateway_test
