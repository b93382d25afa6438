// Direct threads as decisions: two permanent members, and one such thread per pair.
#include "tests/threads/scene.h"

namespace parley::threads {
namespace {

constexpr std::string_view kDirectEvents =
    "1 thread.created direct v1; 2 participant.added ann member/write; 3 participant.added bob member/write";

TEST(DirectDecision, has_its_creator_and_exactly_one_other_member) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"ann thread.create kind=direct with=bob", std::string(kDirectEvents)},
      {"ann thread.create kind=direct with=bob,ann,bob", std::string(kDirectEvents)},
      {"service(ann) thread.create kind=direct with=bob", std::string(kDirectEvents)},
      {"ann(support) thread.create kind=direct with=bob", std::string(kDirectEvents)},
      {"service thread.create kind=direct with=bob", "FORBIDDEN"},
      {"ann thread.create kind=direct", "BAD_REQUEST participants"},
      {"ann thread.create kind=direct with=ann", "BAD_REQUEST participants"},
      {"ann thread.create kind=direct with=bob,carol", "BAD_REQUEST participants"},
      {"ann thread.create kind=direct with=bob firstMessage=hi subject=S city=C safeModeRequired=true",
       "1 thread.created direct v1 subject='S' city='C' safe; 2 participant.added ann member/write; "
       "3 participant.added bob member/write; 4 message.created M1 ann 'hi'"}};
  for (const auto& [when, then] : rows) {
    Scene scene;
    EXPECT_EQ(scene.Do(when), then) << when;
  }
}

TEST(DirectDecision, has_no_sides_no_booking_and_no_panel) {
  Scene scene;
  EXPECT_EQ(scene.Do("ann thread.create kind=direct with=bob buyerUserId=ann sellerUserId=bob"),
            "BAD_REQUEST buyerUserId sellerUserId");
  EXPECT_EQ(scene.Do("ann thread.create kind=direct with=bob role=model lbgId=L legId=G brief={}"),
            "BAD_REQUEST role lbgId legId brief");
  EXPECT_EQ(scene.Do("ann thread.create kind=direct participants=[{\"userId\":\"bob\",\"roleContext\":"
                     "\"seller\"}]"),
            "BAD_REQUEST participants");
  EXPECT_EQ(scene.Do("ann thread.create kind=direct with=bob subtype=invite"), "BAD_REQUEST subtype");
  EXPECT_EQ(scene.Do("buyer thread.create kind=inquiry buyerUserId=null"), "BAD_REQUEST buyerUserId");
  scene.Given("ann thread.create kind=direct with=bob");
  EXPECT_EQ(scene.Reply("thread.buyerUserId") + " " + scene.Reply("thread.sellerUserId"), "null null");
  for (const char* refused :
       {"ann card.create type=ACCEPTANCE_ACK", "ann card.create type=SAFETY",
        "ann tab.put tab=brief version=0 content={}", "service thread.promote legId=G eventId=e",
        "service thread.schedule meetingAt=2030-01-01T00:00:00.000Z"})
    EXPECT_EQ(scene.Do(refused), "FORBIDDEN") << refused;
}

TEST(DirectDecision, members_can_neither_be_added_nor_removed) {
  Scene scene;
  scene.Given("ann thread.create kind=direct with=bob");
  for (const char* who : {"ann", "bob", "service", "sam(admin)", "service(ann)"}) {
    for (const char* what : {"participant.add userId=carol", "participant.remove userId=bob",
                             "participant.remove userId=ann", "participant.add userId=bob"}) {
      const std::string line = std::string(who) + " " + what;
      EXPECT_EQ(scene.Do(line), "FORBIDDEN") << line;
    }
  }
  EXPECT_EQ(scene.Do("ann participant.update userId=bob permission=read"), "FORBIDDEN");
  EXPECT_EQ(scene.Do("ann participant.update userId=ann permission=owner"), "FORBIDDEN");
  EXPECT_EQ(scene.Do("carol participant.add userId=carol"), "THREAD_NOT_MEMBER");
  EXPECT_EQ(scene.Do("sam(admin) participant.update userId=bob permission=read"),
            "4 participant.updated bob member/read");
  EXPECT_EQ(scene.Do("sam(admin) participant.update userId=bob roleContext=buyer"),
            "BAD_REQUEST roleContext");
}

TEST(DirectDecision, a_second_create_from_either_side_returns_the_first_thread) {
  Scene scene;
  scene.Given("bob thread.create kind=direct with=ann clientId=b");
  for (const char* again : {"bob thread.create kind=direct with=ann clientId=b",
                            "ann thread.create kind=direct with=bob clientId=a",
                            "ann thread.create kind=direct with=bob clientId=a",
                            "ann thread.create kind=direct with=bob subject=S",
                            "service(ann) thread.create kind=direct with=bob"}) {
    EXPECT_EQ(scene.Do(again), "nothing") << again;
    EXPECT_EQ(scene.Reply("thread.threadId") + " " + scene.Reply("participants.*.userId"), "T ann bob");
  }
  EXPECT_EQ(scene.Do("ann thread.create kind=direct with=bob clientId=a subject=S"), "IDEMPOTENCY_CONFLICT");
  EXPECT_EQ(scene.Do("ann thread.create kind=direct with=carol").substr(0, 24), "1 thread.created direct ");
  EXPECT_NE(scene.Do("ann@acme thread.create kind=direct with=bob"), "nothing") << "another tenant's";
}

TEST(DirectDecision, a_second_create_sends_its_first_message_there_once) {
  Scene scene;
  scene.Given("ann thread.create kind=direct with=bob clientId=a firstMessage=one");
  EXPECT_EQ(scene.Do("ann thread.create kind=direct with=bob clientId=a firstMessage=one"), "nothing")
      << "it came with the creation";
  EXPECT_EQ(scene.Do("bob thread.create kind=direct with=ann clientId=a firstMessage=two"),
            "5 message.created M2 bob 'two'");
  EXPECT_EQ(scene.Reply("thread.threadId") + " " + scene.Reply("thread.lastMsgNo"), "T 2");
  EXPECT_EQ(scene.UnreadOf("ann"), 1);
  EXPECT_EQ(scene.UnreadOf("bob"), 0);
  EXPECT_EQ(scene.Do("bob thread.create kind=direct with=ann clientId=a firstMessage=two"), "nothing");
  EXPECT_EQ(scene.Do("bob message.send clientId=a body=two"), "6 message.created M3 bob 'two'")
      << "the key of a creation is free for a send";
  EXPECT_EQ(scene.Do("bob thread.create kind=direct with=ann firstMessage=three"),
            "7 message.created M4 bob 'three'");
  EXPECT_EQ(scene.Do("bob thread.create kind=direct with=ann firstMessage=three"),
            "8 message.created M5 bob 'three'")
      << "nothing tells a repeat from another";
}

TEST(DirectDecision, a_client_id_names_its_first_message_for_two_days) {
  Scene scene;
  scene.Given("ann thread.create kind=direct with=bob clientId=a firstMessage=one; +47h");
  EXPECT_EQ(scene.Do("ann thread.create kind=direct with=bob clientId=a firstMessage=one"), "nothing");
  scene.Given("+1h");
  EXPECT_EQ(scene.Do("ann thread.create kind=direct with=bob clientId=a firstMessage=one"),
            "5 message.created M2 ann 'one'");
}

TEST(DirectDecision, a_repeat_completes_a_creation_that_a_crash_interrupted) {
  Scene scene;
  scene.lose_next = true;
  EXPECT_EQ(scene.Do("ann thread.create kind=direct with=bob clientId=a firstMessage=one"), "lost");
  EXPECT_EQ(scene.Do("bob thread.create kind=direct with=ann clientId=b firstMessage=two"),
            "1 thread.created direct v1; 2 participant.added bob member/write; "
            "3 participant.added ann member/write; 4 message.created M1 bob 'two'");
  EXPECT_EQ(scene.Do("ann thread.create kind=direct with=bob clientId=a firstMessage=one"),
            "5 message.created M2 ann 'one'");
  EXPECT_EQ(scene.Do("ann thread.create kind=direct with=bob clientId=a firstMessage=one"), "nothing");
  scene.lose_next = true;
  EXPECT_EQ(scene.Do("ann thread.create kind=direct with=bob clientId=c firstMessage=three"), "lost");
  EXPECT_EQ(scene.Do("ann thread.create kind=direct with=bob clientId=c firstMessage=three"),
            "6 message.created M3 ann 'three'");
}

TEST(DirectDecision, a_first_message_is_refused_if_the_thread_refuses_messages) {
  Scene scene;
  scene.Given("ann thread.create kind=direct with=bob; sam(admin) thread.setStatus status=locked reason=r");
  EXPECT_EQ(scene.Do("bob thread.create kind=direct with=ann firstMessage=hi"), "THREAD_LOCKED");
  EXPECT_EQ(scene.Do("bob thread.create kind=direct with=ann"), "nothing");
  EXPECT_EQ(scene.Do("bob thread.create kind=direct with=ann firstMessage=''"), "BAD_REQUEST firstMessage");
  EXPECT_EQ(scene.Do("bob thread.create kind=direct with=ann firstMessage=" + std::string(8193, 'x')),
            "TOO_LARGE");
}

TEST(DirectDecision, a_safety_report_between_the_two_stops_starts_and_messages) {
  Scene scene;
  scene.Given("buyer thread.create kind=project; buyer thread.create kind=direct with=seller");
  scene.Given("buyer card.create type=SAFETY threadId=T");
  EXPECT_EQ(scene.Do("seller message.send threadId=T2 body=x"), "SAFETY_SOFT_BLOCK");
  EXPECT_EQ(scene.Do("buyer message.send threadId=T2 body=x"), "SAFETY_SOFT_BLOCK");
  EXPECT_EQ(scene.Do("buyer thread.create kind=direct with=seller firstMessage=x"), "SAFETY_SOFT_BLOCK");
  EXPECT_EQ(scene.Do("buyer thread.create kind=direct with=seller"), "nothing") << "nothing is started";
  Scene fresh;
  fresh.Given("buyer thread.create kind=project; buyer card.create type=SAFETY");
  EXPECT_EQ(fresh.Do("seller thread.create kind=direct with=buyer"), "SAFETY_SOFT_BLOCK");
  EXPECT_EQ(fresh.Do("seller thread.create kind=group with=buyer").substr(0, 23), "1 thread.created group ");
  EXPECT_NE(fresh.Do("seller thread.create kind=direct with=carol"), "SAFETY_SOFT_BLOCK");
}

}  // namespace
}  // namespace parley::threads
