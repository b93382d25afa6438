// Barriers that stop users from writing, for every op that writes, decided over rows in memory.
#include "tests/threads/scene.h"

namespace parley::threads {
namespace {

using protocol::UserState;

constexpr const char* kBlocked = "MSG_BLOCKED_BY_USER";

class Barred : public testing::Test {
 protected:
  void Block(const std::string& who, const std::string& whom) { scene.blocks.insert({who, whom}); }
  void Decide(const std::string& user, UserState state, std::optional<protocol::Time> until = {}) {
    scene.sanctions[user] = {state, until};
  }
  // One line for each op by which a party can write in T.
  static std::vector<std::string> WaysOf(const std::string& user) {
    return {user + " message.send body=new clientId=w",
            user + " message.edit messageId=M1 body=y",
            user + " message.react messageId=M1 emoji=\xF0\x9F\x91\x8D on=true",
            user + " message.pin messageId=M1 pinned=true",
            user + " thread.update version=1 subject=s",
            user + " card.create type=CANCEL_REQUEST",
            user + " card.act messageId=M2 intent=approve",
            user + " card.act messageId=M2 intent=decline",
            user + R"( tab.put tab=brief version=0 content={"title":"x"})"};
  }
  void GivenProject() {
    scene.Given("buyer thread.create kind=project");
    scene.Given("seller message.send body=x; buyer card.create type=CANCEL_REQUEST");
  }
  Scene scene;
};

TEST_F(Barred, a_block_stops_every_op_that_writes_in_both_directions) {
  GivenProject();
  for (const auto& [who, whom] : {std::pair("buyer", "seller"), std::pair("seller", "buyer")}) {
    scene.blocks = {{who, whom}};
    for (const char* writer : {"seller", "service(seller)"}) {
      for (const std::string& way : WaysOf(writer)) EXPECT_EQ(scene.Do(way), kBlocked) << who << ": " << way;
    }
    EXPECT_EQ(scene.Do("buyer message.send body=x clientId=b"), kBlocked) << who;
  }
}

TEST_F(Barred, a_block_allows_reports_disputes_and_removing_ones_own) {
  GivenProject();
  Block("buyer", "seller");
  EXPECT_EQ(scene.Do("seller message.delete messageId=M1"), "7 message.updated M1 seller '' deleted");
  scene.Given("seller card.create type=DISPUTE_OPEN");
  scene.Given("seller card.create type=SAFETY");
}

TEST_F(Barred, a_block_does_not_apply_to_third_parties_or_the_back_end) {
  GivenProject();
  scene.Given("buyer participant.add userId=carol");
  Block("buyer", "carol");
  Block("buyer", "seller");
  scene.Given("carol message.send body=z");
  scene.Given("service tab.put tab=docs version=0 content={\"envelopes\":[]}");
  scene.Given("ann(support) card.act messageId=M2 intent=decline reason=r");
}

TEST_F(Barred, a_pending_request_accepts_one_message_from_its_sender_until_it_expires) {
  scene.tenant_policy.requests.enabled = true;
  scene.Given("buyer thread.create kind=inquiry; +47h");
  EXPECT_EQ(scene.Do("buyer thread.update version=1 subject=s"), "MSG_GATE_REQUIRED");
  EXPECT_EQ(scene.Do("seller message.send body=x"), "MSG_GATE_REQUIRED");
  scene.Do("+1h");  // the clock has not run yet
  EXPECT_EQ(scene.Do("buyer message.send body=x"), "MSG_GATE_REQUIRED");
  scene.Do("-1m");
  scene.Given("buyer message.send body=x");
  EXPECT_EQ(scene.Do("buyer message.send body=y"), "MSG_GATE_REQUIRED");
  EXPECT_EQ(scene.Do("buyer message.edit messageId=M1 body=z"), "MSG_GATE_REQUIRED");
}

TEST_F(Barred, a_block_applies_in_a_direct_thread_and_an_inquiry_but_not_in_a_group) {
  for (const char* kind : {"direct", "inquiry", "group"}) {
    scene.blocks.clear();
    const std::string with = kind[0] == 'i' ? "" : " with=seller";
    scene.Given("buyer thread.create kind=" + std::string(kind) + with);
    Block("seller", "buyer");
    const std::string thread = scene.names.IdOf(kind[0] == 'd' ? "T" : kind[0] == 'i' ? "T2" : "T3");
    const std::string said = scene.Do("buyer message.send body=x threadId=" + thread);
    if (kind[0] == 'g') {
      EXPECT_TRUE(scene.accepted) << said;
    } else {
      EXPECT_EQ(said, kBlocked) << kind;
    }
  }
}

TEST_F(Barred, an_active_booking_continues_despite_a_block_until_it_is_closed) {
  scene.Given("service thread.create kind=project lbgId=lbg_1");
  Block("seller", "buyer");
  scene.Given("buyer message.send body=x");
  EXPECT_EQ(scene.Do("buyer thread.setBooking state=closed"), "FORBIDDEN");
  EXPECT_EQ(scene.Do("ann(support) thread.setBooking state=closed"), "FORBIDDEN");
  scene.Given("service thread.setBooking state=closed");
  EXPECT_TRUE(scene.decision.events.empty()) << "nobody is told";
  EXPECT_EQ(scene.decision.changed, 0) << "by no entry either";
  EXPECT_EQ(scene.decision.several, std::vector{UserId{"seller"}}) << "but the one who blocks";
  EXPECT_TRUE(scene.Member("seller").hidden.blocked_until && !scene.Member("buyer").hidden.blocked_until);
  EXPECT_EQ(scene.Do("buyer message.send body=y"), kBlocked);
  EXPECT_EQ(scene.Do("service thread.setBooking state=closed"), "nothing");
  scene.Given("service thread.setBooking state=live");
  scene.Given("buyer message.send body=z");
}

TEST_F(Barred, an_inquiry_that_becomes_a_booking_is_active) {
  scene.Given("buyer thread.create");
  Block("seller", "buyer");
  EXPECT_EQ(scene.Do("service thread.setBooking state=live"), "FORBIDDEN") << "it is no project";
  EXPECT_EQ(scene.Do("buyer message.send body=x"), kBlocked);
  scene.Given("service thread.promote legId=leg_1 eventId=e1");
  scene.Given("buyer message.send body=y");
}

TEST_F(Barred, a_block_stops_starts_and_adding_each_other_to_groups) {
  scene.Given("buyer thread.create kind=group with=carol");
  Block("seller", "buyer");
  for (const char* what :
       {"buyer thread.create", "seller thread.create", "buyer thread.create kind=project lbgId=lbg_1",
        "buyer thread.create kind=direct with=seller", "seller thread.create kind=direct with=buyer",
        "buyer thread.create kind=group with=carol,seller", "service(buyer) thread.create",
        "buyer participant.add userId=seller"})
    EXPECT_EQ(scene.Do(what), kBlocked) << what;
  scene.Given("carol thread.create kind=group with=buyer,seller");
  scene.Given("service thread.create kind=project lbgId=lbg_2");
}

TEST_F(Barred, a_thread_started_during_a_block_shows_it_to_the_blocker) {
  Block("seller", "buyer");
  scene.Given("service thread.create");
  EXPECT_TRUE(scene.Member("seller").hidden.blocked_until && !scene.Member("buyer").hidden.blocked_until);
  scene.Given("service participant.remove userId=seller; service participant.add userId=seller");
  EXPECT_TRUE(scene.Member("seller").hidden.blocked_until) << "and to one who comes back";
  Block("carol", "buyer");
  scene.Given("service participant.add userId=carol");
  EXPECT_FALSE(scene.Member("carol").hidden.blocked_until) << "who is no party";
  scene.Given("service thread.create kind=project lbgId=lbg_1");
  const auto booked =
      scene.Rows(TenantId{"demo"}).Participant(scene.ThreadNamed("T2"), UserId{"seller"}).value();
  EXPECT_FALSE(booked->hidden.blocked_until) << "a live booking";
}

TEST_F(Barred, a_thread_started_during_a_block_shows_it_whichever_of_the_two_blocks) {
  Block("buyer", "seller");
  scene.Given("service thread.create");
  EXPECT_TRUE(scene.Member("buyer").hidden.blocked_until && !scene.Member("seller").hidden.blocked_until);
}

// The reservation was committed and the thread was not, so no client has an answer.
TEST_F(Barred, a_start_interrupted_by_a_crash_is_not_completed_despite_a_block) {
  for (const char* start :
       {"buyer thread.create clientId=i", "buyer thread.create kind=group with=seller clientId=g",
        "buyer thread.create kind=direct with=seller clientId=d"}) {
    scene.blocks.clear();
    scene.lose_next = true;
    EXPECT_EQ(scene.Do(start), "lost");
    Block("seller", "buyer");
    EXPECT_EQ(scene.Do(start), kBlocked) << start;
    scene.blocks.clear();
    scene.Given(start);
  }
}

TEST_F(Barred, returning_to_a_direct_thread_during_a_block_starts_and_sends_nothing) {
  scene.Given("buyer thread.create kind=direct with=seller");
  Block("seller", "buyer");
  EXPECT_EQ(scene.Do("buyer thread.create kind=direct with=seller"), "nothing");
}

TEST_F(Barred, a_muted_or_suspended_user_cannot_write_anywhere_until_it_ends) {
  GivenProject();
  for (const UserState state : {UserState::kMuted, UserState::kSuspended}) {
    Decide("seller", state);
    for (const std::string& way : WaysOf("seller")) EXPECT_EQ(scene.Do(way), "FORBIDDEN") << way;
    for (const char* what : {"seller thread.create", "seller thread.create kind=group with=carol",
                             "seller participant.add userId=carol"})
      EXPECT_EQ(scene.Do(what), "FORBIDDEN") << what;
  }
  scene.Given("seller card.create type=SAFETY");
  scene.sanctions.clear();
  Decide("buyer", UserState::kMuted, protocol::Time{scene.clock.Now().ms + 60'000});
  EXPECT_EQ(scene.Do("buyer thread.update version=1 subject=s"), "FORBIDDEN");
  scene.Do("+1m");
  EXPECT_NE(scene.Do("buyer thread.update version=1 subject=s"), "FORBIDDEN") << "it is over";
}

TEST_F(Barred, messages_of_a_shadowed_user_are_visible_only_to_them) {
  GivenProject();
  const ThreadRow before = scene.Head();
  Decide("seller", UserState::kShadow);
  scene.Given("seller message.send body=y");
  EXPECT_EQ(scene.decision.events.front().only_for.value, UserId{"seller"});
  EXPECT_EQ(scene.Head().hidden.last_message->message_id, before.hidden.last_message->message_id);
  EXPECT_EQ(scene.UnreadOf("buyer"), 0) << "they wrote last";
  for (const char* what :
       {"seller message.edit messageId=M1 body=z", "seller message.pin messageId=M1 pinned=true",
        "seller message.react messageId=M1 emoji=\xF0\x9F\x91\x8D on=true"}) {
    EXPECT_EQ(scene.Do(what), "nothing") << what;
    EXPECT_TRUE(scene.accepted) << what << ": they are not told";
  }
  scene.Given("seller message.edit messageId=M3 body=z");
  EXPECT_EQ(scene.decision.events.front().only_for.value, UserId{"seller"});
  scene.Given("seller message.delete messageId=M1");
  EXPECT_FALSE(scene.decision.events.front().only_for.value) << "what others see may go";
  scene.Given("seller thread.create kind=direct with=dan firstMessage=x");
  EXPECT_TRUE(scene.decision.events.back().only_for.value.has_value());
  Decide("seller", UserState::kOk);
  scene.Given("seller message.send body=w");
  EXPECT_FALSE(scene.decision.events.front().only_for.value);
}

TEST_F(Barred, a_warning_does_not_stop_writing) {
  GivenProject();
  Decide("seller", UserState::kWarned);
  scene.Given("seller message.send body=y");
}

TEST_F(Barred, a_switch_stops_all_users_everywhere_or_in_a_city) {
  scene.Given("buyer thread.create kind=project city=Bonn");
  scene.Given("seller message.send body=x; buyer card.create type=CANCEL_REQUEST");
  for (const Messaging left : {Messaging::kReadOnly, Messaging::kDisabled}) {
    scene.messaging = left;
    for (const std::string& way : WaysOf("seller")) EXPECT_EQ(scene.Do(way), "UNAVAILABLE") << way;
    for (const char* what : {"seller thread.create", "seller message.delete messageId=M1",
                             "buyer participant.add userId=carol", "seller card.create type=SAFETY"})
      EXPECT_EQ(scene.Do(what), "UNAVAILABLE") << what;
    scene.messaging = Messaging::kOpen;
    scene.switched = {{"Bonn", left}};
    EXPECT_EQ(scene.Do("seller message.send body=y"), "UNAVAILABLE");
    EXPECT_EQ(scene.Do("seller thread.create city=Bonn"), "UNAVAILABLE");
    scene.switched = {{"Ulm", left}};
    scene.Given(
        "ann(support) thread.setStatus status=locked reason=r; "
        "ann(support) thread.setStatus status=open reason=r");
    scene.Given("seller message.send body=y" + std::to_string(static_cast<int>(left)));
  }
}

}  // namespace
}  // namespace parley::threads
