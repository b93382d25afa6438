// A safety report as a decision: the audience of its events, the rows that it leaves unchanged, and the ops
// that it stops.
#include "tests/threads/cards/card_rows.h"
#include "tests/threads/scene.h"
#include "threads/inbox/entry.h"

namespace parley::threads {
namespace {

class SafetyReport : public testing::Test {
 protected:
  SafetyReport() { scene.Given("buyer thread.create kind=project; buyer participant.add userId=carol"); }
  // The audience of each event of the last decision; "all" for all members.
  std::string Audience() const {
    std::string out;
    for (const SharedChange& event : scene.decision.events)
      out += (event.only_for.value ? event.only_for.value->value : "all") + " ";
    return out;
  }
  Scene scene;
};

TEST_F(SafetyReport, and_its_later_events_are_only_for_its_creator) {
  scene.Given("buyer card.create type=SAFETY");
  EXPECT_EQ(Audience(), "buyer buyer ");
  scene.Given("ann(support) card.act intent=escalate reason=r");
  EXPECT_EQ(Audience(), "buyer ");
  scene.Given("ann(support) card.act intent=resolve version=2 reason=r");
  EXPECT_EQ(Audience(), "buyer buyer ") << "the system message of its outcome, too";
  scene.Given("seller card.create type=DISPUTE_OPEN");
  EXPECT_EQ(Audience(), "all all ");
}

TEST_F(SafetyReport, does_not_count_as_unread_and_changes_no_entry) {
  scene.Given("seller message.send body=x; carol inbox.set archived=true");
  const ThreadRow before = scene.Head();
  scene.Do("+1m");
  scene.Given("buyer card.create type=SAFETY; ann(support) card.act messageId=M2 intent=resolve reason=r");
  const ThreadRow after = scene.Head();
  EXPECT_EQ(after.item.last_msg_no, 3);
  EXPECT_EQ(after.item.last_message_at, before.item.last_message_at);
  EXPECT_EQ(after.hidden.last_message->message_id, before.hidden.last_message->message_id);
  for (const char* who : {"seller", "carol"}) EXPECT_EQ(scene.UnreadOf(who), who[0] == 'c' ? 1 : 0) << who;
  EXPECT_TRUE(IsArchived(after, scene.Member("carol")));
  scene.Given("carol message.send body=y");
  EXPECT_FALSE(IsArchived(scene.Head(), scene.Member("seller")));
  EXPECT_FALSE(IsArchived(scene.Head(), scene.Member("carol")));
  EXPECT_EQ(scene.UnreadOf("seller"), 1);
  EXPECT_GT(scene.MessageNamed("M4"), scene.MessageNamed("M3"));
}

TEST_F(SafetyReport, is_hidden_from_the_reported_user) {
  scene.Given("buyer card.create type=SAFETY; carol message.send body=x");
  for (const char* who : {"seller", "carol", "service(seller)"}) {
    for (const char* what :
         {" message.react messageId=M1 emoji=\xF0\x9F\x91\x8D on=true",
          " message.pin messageId=M1 pinned=true", " message.edit messageId=M1 body=x",
          " message.delete messageId=M1", " read.mark messageId=M1", " card.act messageId=M1 intent=resolve"})
      EXPECT_EQ(scene.Do(who + std::string(what)), "NOT_FOUND") << who << what;
  }
  EXPECT_EQ(scene.Do("carol message.send body=y replyTo=M1"), "NOT_FOUND");
}

TEST_F(SafetyReport, is_not_revealed_by_later_ops_of_its_creator) {
  scene.Given("seller message.send body=x; buyer card.create type=SAFETY");
  EXPECT_EQ(scene.Do("buyer message.pin messageId=M2 pinned=true"), "SAFETY_SOFT_BLOCK");
  scene.Given("buyer read.mark messageId=M2");
  EXPECT_EQ(scene.Member("buyer").item.last_read_msg_id, scene.MessageNamed("M1"));
  scene.Given("ann(support) card.act messageId=M2 intent=resolve reason=r");
  EXPECT_EQ(scene.Do("buyer message.pin messageId=M2 pinned=true"), "FORBIDDEN");
  EXPECT_EQ(scene.Do("buyer message.send body=y replyTo=M2"), "NOT_FOUND");
}

TEST_F(SafetyReport, stops_marks_and_subjects_but_not_withdrawals) {
  scene.Given("seller message.send body=x; seller message.react messageId=M1 emoji=\xF0\x9F\x91\x8D on=true");
  scene.Given("buyer card.create type=SAFETY");
  for (const char* who : {"buyer", "seller", "service(seller)"}) {
    for (const char* what : {" message.react messageId=M1 emoji=\xF0\x9F\x91\x8E on=true",
                             " message.pin messageId=M1 pinned=true", " thread.update version=1 subject=s",
                             " thread.update version=1 city=c", " message.send body=y"})
      EXPECT_EQ(scene.Do(who + std::string(what)), "SAFETY_SOFT_BLOCK") << who << what;
  }
  scene.Given("seller message.react messageId=M1 emoji=\xF0\x9F\x91\x8D on=false");
  scene.Given("carol message.react messageId=M1 emoji=\xF0\x9F\x91\x8D on=true; carol message.send body=z");
  scene.Given("seller thread.update version=1 safeModeRequired=true");
}

TEST_F(SafetyReport, applies_to_all_threads_and_starts_of_the_pair_until_the_last_report_ends) {
  scene.Given("seller thread.create kind=project buyerUserId=seller sellerUserId=buyer clientId=other");
  scene.Given("buyer thread.create kind=project buyerUserId=buyer sellerUserId=carol clientId=third");
  scene.Given("buyer card.create type=SAFETY; seller card.create type=SAFETY threadId=T2");
  const auto both = [&](const std::string& expected) {
    for (const char* line :
         {"seller message.send body=x threadId=T2", "buyer message.send body=x threadId=T2",
          "buyer thread.create kind=inquiry", "seller thread.create kind=inquiry"})
      EXPECT_EQ(scene.Do(line), expected) << line;
  };
  both("SAFETY_SOFT_BLOCK");
  scene.Given("buyer message.send body=x threadId=T3");
  scene.Given("ann(support) card.act messageId=M1 intent=resolve reason=r");
  both("SAFETY_SOFT_BLOCK");
  EXPECT_EQ(scene.Do("seller message.send body=x"), "SAFETY_SOFT_BLOCK") << "for the one in the other thread";
  scene.Given("ann(support) card.act threadId=T2 messageId=T2.M1 intent=resolve reason=r");
  scene.Given("seller message.send body=x; buyer message.send body=x threadId=T2");
  scene.Given("buyer thread.create kind=inquiry clientId=fourth");
}

}  // namespace
}  // namespace parley::threads
