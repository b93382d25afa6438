// Tests the recipients and the order of live delivery.
#include "fanout/live_delivery.h"

#include "tests/fanout/fanout_scene.h"

namespace parley::fanout {
namespace {

class LiveTest : public testing::Test {
 protected:
  void Settle() {
    scene.core.Step();
    scene.Deliver();
  }
  FanoutScene scene;
};

TEST_F(LiveTest, every_session_of_every_member_receives_each_change_in_seq_order) {
  Listener& buyer = scene.Listen("buyer");
  Listener& phone = scene.Listen("buyer");
  Listener& seller = scene.Listen("seller");
  Listener& dan = scene.Listen("dan");
  Listener& elsewhere = scene.Listen("seller@acme");
  scene.Do("buyer thread.create; buyer message.send body=x; seller message.edit messageId=M1 body=no");
  scene.Do(
      "seller message.send body=y; seller message.delete messageId=M2; buyer thread.update version=1 "
      "city=Rome");
  Settle();
  const std::string received =
      "T 1 thread.created inquiry v1\nT 2 participant.added buyer buyer/owner\n"
      "T 3 participant.added seller seller/owner\nT 4 message.created M1 buyer 'x'\n"
      "T 5 message.created M2 seller 'y'\nT 6 message.updated M2 seller '' deleted\n"
      "T 7 thread.updated inquiry v2 city='Rome'\n";
  EXPECT_EQ(buyer.Take(), received);
  EXPECT_EQ(phone.Take(), received);
  EXPECT_EQ(seller.Take(), received);
  EXPECT_EQ(dan.Take() + elsewhere.Take(), "");
}

TEST_F(LiveTest, a_stopped_fan_out_delivers_nothing_even_to_the_sender) {
  scene.Run("buyer thread.create");
  Listener& buyer = scene.Listen("buyer");
  Listener& seller = scene.Listen("seller");
  scene.live->Stop();
  EXPECT_EQ(scene.Do("buyer message.send body=x"), "ok") << "commands are still accepted";
  EXPECT_EQ(scene.Do("buyer read.mark messageId=M1"), "ok");
  scene.Deliver();
  EXPECT_EQ(buyer.Take() + seller.Take(), "");
  EXPECT_EQ(scene.Read("seller message.list", "messages.*.body"), "x");
  scene.live->Start();
  EXPECT_EQ(buyer.Take(), "T 4 message.created M1 buyer 'x'\nT read buyer M1\n");
  EXPECT_EQ(seller.Take(), "T 4 message.created M1 buyer 'x'\nT read buyer M1\n");
}

TEST_F(LiveTest, an_event_is_encoded_once_per_encoding_and_its_bytes_are_shared) {
  scene.Run("buyer thread.create");
  Listener& a = scene.Listen("buyer");
  Listener& b = scene.Listen("seller");
  Listener& c = scene.Listen("seller", protocol::Encoding::kJson);
  Listener& d = scene.Listen("buyer", protocol::Encoding::kJson);
  scene.frames_made = 0;
  scene.Do("buyer message.send body=x");
  scene.Deliver();
  EXPECT_EQ(scene.frames_made, 4) << "alone and in its run, in two encodings";
  ASSERT_EQ(a.frames.size(), 1u);
  EXPECT_EQ(a.runs, b.runs);
  EXPECT_EQ(c.runs, d.runs);
  EXPECT_EQ(a.frames, b.frames);
  EXPECT_EQ(c.frames, d.frames);
  EXPECT_NE(a.frames, c.frames);
  EXPECT_NE(c.Take().find("\"ev\":\"message.created\""), std::string::npos);
}

TEST_F(LiveTest, a_safety_report_is_encoded_once_for_those_who_see_it_and_once_for_those_who_skip_it) {
  scene.Run("buyer thread.create kind=project; buyer participant.add userId=carol");
  Listener& buyer = scene.Listen("buyer");
  Listener& phone = scene.Listen("buyer");
  Listener& seller = scene.Listen("seller");
  Listener& carol = scene.Listen("carol");
  scene.frames_made = 0;
  scene.Do("buyer card.create type=SAFETY");
  scene.Deliver();
  EXPECT_EQ(scene.frames_made, 6) << "two events, each alone and both in their run, in two classes";
  EXPECT_EQ(buyer.runs, phone.runs);
  EXPECT_EQ(seller.runs, carol.runs);
  EXPECT_NE(buyer.runs, seller.runs);
  EXPECT_EQ(seller.frames, carol.frames);
}

TEST_F(LiveTest, nothing_is_encoded_for_unused_encodings_or_threads) {
  scene.Run("buyer thread.create");
  scene.frames_made = 0;
  scene.Do("buyer message.send body=x");
  scene.Deliver();
  EXPECT_EQ(scene.frames_made, 0);
  scene.Listen("buyer");
  scene.Do("buyer message.send body=y");
  scene.Deliver();
  EXPECT_EQ(scene.frames_made, 2) << "alone and in its run";
}

TEST_F(LiveTest, a_burst_in_a_thread_is_one_run_though_other_threads_were_busy_between) {
  scene.Run("buyer thread.create; buyer thread.create");
  Listener& seller = scene.Listen("seller");
  for (const char* line : {"buyer message.send threadId=T body=a", "buyer message.send threadId=T2 body=b",
                           "seller message.send threadId=T body=c", "buyer message.send threadId=T2 body=d"})
    scene.core.Submit(line);
  scene.core.executor->Step();
  scene.Deliver();
  EXPECT_EQ(seller.runs.size(), 2u);
  EXPECT_EQ(seller.Take(),
            "T 4 message.created M1 buyer 'a'\nT 5 message.created M2 seller 'c'\n"
            "T2 4 message.created T2.M1 buyer 'b'\nT2 5 message.created T2.M2 buyer 'd'\n");
}

TEST_F(LiveTest, a_run_ends_when_the_members_change_or_it_is_long_enough) {
  scene.Run("buyer thread.create");
  Listener& seller = scene.Listen("seller");
  for (const char* line :
       {"buyer message.send body=a", "buyer participant.add userId=carol", "buyer message.send body=b"})
    scene.core.Submit(line);
  scene.core.executor->Step();
  scene.Deliver();
  EXPECT_EQ(seller.runs.size(), 2u) << "the addition and later events have the same recipients";
  seller.runs.clear();
  for (int i = 0; i < 130; ++i) scene.core.Submit("buyer message.send body=x" + std::to_string(i));
  while (scene.core.executor->Step()) {
  }
  scene.Deliver();
  EXPECT_EQ(seller.runs.size(), 3u) << "64, 64, 2";
}

TEST_F(LiveTest, a_removed_member_receives_their_removal_and_nothing_later) {
  scene.Run("buyer thread.create; buyer participant.add userId=carol");
  Listener& carol = scene.Listen("carol");
  Listener& seller = scene.Listen("seller");
  scene.Do("buyer message.send body=a; buyer participant.remove userId=carol; buyer message.send body=b");
  scene.Deliver();
  EXPECT_EQ(carol.Take(),
            "T 5 message.created M1 buyer 'a'\nT 6 participant.removed carol buyer/write gone\n");
  EXPECT_EQ(seller.Take(),
            "T 5 message.created M1 buyer 'a'\nT 6 participant.removed carol buyer/write gone\n"
            "T 7 message.created M2 buyer 'b'\n");
}

TEST_F(LiveTest, an_added_member_starts_at_their_own_addition) {
  scene.Run("buyer thread.create");
  Listener& carol = scene.Listen("carol");
  scene.Do("buyer message.send body=a; buyer participant.add userId=carol; buyer message.send body=b");
  scene.Do(
      "buyer participant.remove userId=carol; buyer message.send body=c; buyer participant.add userId=carol");
  scene.Deliver();
  EXPECT_EQ(carol.Take(),
            "T 5 participant.added carol buyer/write\nT 6 message.created M2 buyer 'b'\n"
            "T 7 participant.removed carol buyer/write gone\nT 9 participant.added carol buyer/write\n");
}

TEST_F(LiveTest, recipients_are_the_members_at_each_change_within_one_batch) {
  scene.Run("buyer thread.create");
  Listener& carol = scene.Listen("carol");
  Listener& dan = scene.Listen("dan");
  for (const char* line :
       {"buyer participant.add userId=carol", "buyer message.send body=a", "buyer participant.add userId=dan",
        "buyer participant.remove userId=carol", "buyer message.send body=b",
        "dan participant.remove userId=dan", "buyer message.send body=c"})
    scene.core.Submit(line);
  scene.core.executor->Step();
  scene.Deliver();
  EXPECT_EQ(carol.Take(),
            "T 4 participant.added carol buyer/write\nT 5 message.created M1 buyer 'a'\n"
            "T 6 participant.added dan buyer/write\nT 7 participant.removed carol buyer/write gone\n");
  EXPECT_EQ(dan.Take(),
            "T 6 participant.added dan buyer/write\nT 7 participant.removed carol buyer/write gone\n"
            "T 8 message.created M2 buyer 'b'\nT 9 participant.removed dan buyer/write gone\n");
}

// Members named at creation receive all events from seq 1, for any number of members.
TEST_F(LiveTest, every_member_named_at_creation_receives_all_its_events) {
  std::string list;
  for (int i = 0; i < 300; ++i)
    list += (i ? ",{\"userId\":\"u" : "{\"userId\":\"u") + std::to_string(i) + "\"}";
  Listener& last = scene.Listen("u299");
  Listener& first = scene.Listen("u0");
  scene.Do("buyer thread.create firstMessage=hi participants=[" + list + "]");
  scene.Deliver();
  const std::string received = last.Take();
  EXPECT_TRUE(
      received.starts_with("T 1 thread.created inquiry v1\nT 2 participant.added buyer buyer/owner\n"));
  EXPECT_TRUE(received.ends_with("T 304 message.created M1 buyer 'hi'\n"));
  EXPECT_EQ(std::count(received.begin(), received.end(), '\n'), 304);
  EXPECT_EQ(first.Take(), received);
}

TEST_F(LiveTest, receipts_reach_all_members_and_personal_flags_only_their_user) {
  scene.Run("buyer thread.create; seller message.send body=x");
  Listener& buyer = scene.Listen("buyer");
  Listener& seller = scene.Listen("seller");
  scene.Do("buyer read.mark messageId=M1; buyer read.mark messageId=M1; buyer inbox.set pinned=true");
  scene.Do("buyer participant.mute muted=true");
  scene.Deliver();
  EXPECT_EQ(buyer.Take(), "T read buyer M1\n");
  EXPECT_EQ(seller.Take(), "T read buyer M1\n");
  scene.Settle();
  EXPECT_EQ(buyer.Take(), "inbox T unread=0!\n");
  EXPECT_EQ(seller.Take(), "");
}

TEST_F(LiveTest, an_entry_is_announced_when_no_thread_event_implies_it) {
  Listener& buyer = scene.Listen("buyer");
  Listener& seller = scene.Listen("seller");
  Listener& carol = scene.Listen("carol");
  const auto entries = [&](std::string_view line) {
    scene.Do(line);
    scene.Deliver();
    buyer.Take(), seller.Take(), carol.Take();
    scene.Settle();
    return buyer.Take() + "/" + seller.Take() + "/" + carol.Take();
  };
  EXPECT_EQ(entries("buyer thread.create"), "inbox T unread=0!\n/inbox T unread=0!\n/") << "new to both";
  EXPECT_EQ(entries("seller message.send body=x"), "inbox T unread=1\n/inbox T unread=0\n/");
  EXPECT_EQ(entries("buyer inbox.set pinned=true"), "inbox T unread=1!\n//") << "personal";
  EXPECT_EQ(entries("buyer participant.add userId=carol"),
            "inbox T unread=1\n/inbox T unread=0\n/inbox T unread=0!\n");
  EXPECT_EQ(entries("buyer participant.remove userId=carol"), "inbox T unread=1\n/inbox T unread=0\n/");
  EXPECT_EQ(entries("service thread.promote legId=G1 eventId=e; service thread.promote legId=G1 eventId=f"),
            "inbox T unread=2\n/inbox T unread=1\n/");
  EXPECT_EQ(entries("service thread.promote legId=G1 eventId=g"), "//") << "nothing changed";
}

TEST_F(LiveTest, a_closed_session_receives_nothing_and_others_continue) {
  scene.Run("buyer thread.create");
  Listener& one = scene.Listen("buyer");
  Listener& two = scene.Listen("buyer");
  scene.hub->OpenThread(&one, scene.core.ThreadNamed("T"));
  EXPECT_EQ(scene.hub->sessions(), 2u);
  scene.Hangup(one);
  EXPECT_EQ(scene.hub->sessions(), 1u);
  EXPECT_TRUE(scene.hub->Openers(TenantId{"demo"}, scene.core.ThreadNamed("T")).empty());
  scene.Do("seller message.send body=x");
  scene.Deliver();
  EXPECT_EQ(two.Take(), "T 4 message.created M1 seller 'x'\n");
  EXPECT_TRUE(scene.hub->Wants(TenantId{"demo"}, UserId{"buyer"}));
  scene.Hangup(two);
  EXPECT_FALSE(scene.hub->Wants(TenantId{"demo"}, UserId{"buyer"}));
}

TEST_F(LiveTest, a_session_is_among_the_openers_of_a_thread_once_until_it_closes_the_thread) {
  scene.Run("buyer thread.create");
  const ThreadId thread = scene.core.ThreadNamed("T");
  Listener& buyer = scene.Listen("buyer");
  Listener& seller = scene.Listen("seller");
  Listener& phone = scene.Listen("seller");
  scene.hub->OpenThread(&buyer, thread);
  scene.hub->OpenThread(&seller, thread);
  scene.hub->OpenThread(&seller, thread);
  const auto openers = [&] { return scene.hub->Openers(TenantId{"demo"}, thread); };
  EXPECT_EQ(openers(), (std::vector<Subscriber*>{&buyer, &seller}));
  scene.hub->CloseThread(&seller, thread);
  scene.hub->CloseThread(&phone, thread);
  EXPECT_EQ(openers(), std::vector<Subscriber*>{&buyer});
}

}  // namespace
}  // namespace parley::fanout
