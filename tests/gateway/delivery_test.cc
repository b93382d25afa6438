// Which session receives which change: `deliver: all` and `deliver: open`, opened threads, personal changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using protocol::Encoding;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr char kOpen[] = R"("deliver":"open")";

class DeliveryTest : public testing::TestWithParam<Encoding> {
 protected:
  FakeClient Join(const std::string& user, const std::string& more = "") {
    return world_->Join(user, GetParam(), more);
  }
  static std::string OfThread(const std::string& thread) { return Args({{"threadId", thread}}); }
  World world_{DemoConfig()};
};
INSTANTIATE_TEST_SUITE_P(Encodings, DeliveryTest, testing::Values(Encoding::kJson, Encoding::kMsgpack),
                         EncodingName);

// --- all

TEST_P(DeliveryTest, every_session_of_every_member_receives_a_shared_change_once_in_seq_order) {
  FakeClient ana = Join("ana"), phone = Join("ana"), bob = Join("bob"), eve = Join("eve");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  for (int i = 0; i < 3; ++i) world_.Say(ana, thread, "x");
  for (FakeClient* client : {&ana, &phone, &bob}) {
    std::vector<std::string> shared;
    for (const std::string& line : Lines(client->TakeEvents())) {
      if (line != "inbox.updated") shared.push_back(line);
    }
    EXPECT_THAT(shared, ElementsAre("thread.created 1", "participant.added 2", "participant.added 3",
                                    "message.created 4", "message.created 5", "message.created 6"));
  }
  EXPECT_THAT(eve.TakeEvents(), IsEmpty());
}

TEST_P(DeliveryTest, an_event_contains_its_item_and_the_senders_client_id) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  bob.TakeAll();
  ana.Ask("message.send", Args({{"threadId", thread},
                                {"clientId", "mine"},
                                {"type", "text"},
                                {"body", "gr\xc3\xbc\xc3\x9f \"dich\"\n\x01"}}));
  const auto events = bob.TakeEvents();
  ASSERT_THAT(Lines(events), ElementsAre("message.created 4"));
  EXPECT_EQ(events[0].Text("threadId"), thread);
  EXPECT_EQ(events[0].Text("at"), "2025-11-05T14:12:07.123Z");
  EXPECT_EQ(events[0].Text("item.body"), "gr\xc3\xbc\xc3\x9f \"dich\"\n\x01");
  EXPECT_EQ(events[0].Text("item.clientId"), "mine");
  EXPECT_EQ(events[0].Text("item.authorUserId"), "ana");
  EXPECT_EQ(events[0].Int("item.msgNo"), 1);
  EXPECT_EQ(events[0].Int("item.seq"), 4);
  EXPECT_EQ(events[0].Json("item.editedAt"), "null");
}

TEST_P(DeliveryTest, a_new_thread_is_announced_to_its_members_inboxes) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  world_.NewThread(ana, "ana", "bob");
  for (FakeClient* client : {&ana, &bob}) {
    EXPECT_THAT(Lines(client->TakeEvents()), ElementsAre("thread.created 1", "participant.added 2",
                                                         "participant.added 3", "inbox.updated"));
  }
}

TEST_P(DeliveryTest, an_inbox_change_implied_by_a_thread_event_is_not_sent) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  bob.TakeAll();
  world_.Say(ana, thread, "x");
  EXPECT_THAT(Lines(bob.TakeEvents()), ElementsAre("message.created 4"));
}

TEST_P(DeliveryTest, a_read_cursor_reaches_all_members_and_updates_the_owners_inbox) {
  FakeClient ana = Join("ana"), bob = Join("bob"), phone = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  const std::string message = world_.Say(ana, thread, "x").Text("ok.messageId");
  for (FakeClient* client : {&ana, &bob, &phone}) client->TakeAll();
  bob.Ask("read.mark", Args({{"threadId", thread}, {"messageId", message}}));
  const auto seen = ana.TakeEvents();
  ASSERT_THAT(Lines(seen), ElementsAre("participant.read"));
  EXPECT_EQ(seen[0].Text("userId"), "bob");
  EXPECT_EQ(seen[0].Text("lastReadMsgId"), message);
  for (FakeClient* client : {&bob, &phone}) {
    const auto own = client->TakeEvents();
    ASSERT_THAT(Lines(own), UnorderedElementsAre("participant.read", "inbox.updated"));
    EXPECT_EQ(own.back().Int("entry.unread"), 0);
  }
}

TEST_P(DeliveryTest, own_flags_reach_only_the_users_own_sessions) {
  FakeClient ana = Join("ana"), bob = Join("bob"), phone = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  for (FakeClient* client : {&ana, &bob, &phone}) client->TakeAll();
  bob.Ask("inbox.set", Args({{"threadId", thread}, {"pinned", true}}));
  bob.Ask("participant.mute", Args({{"threadId", thread}, {"muted", true}}));
  EXPECT_THAT(ana.TakeEvents(), IsEmpty());
  for (FakeClient* client : {&bob, &phone}) {
    const auto own = client->TakeEvents();
    ASSERT_THAT(Lines(own), ElementsAre("inbox.updated", "inbox.updated"));
    EXPECT_TRUE(own[1].Bool("entry.pinned"));
    EXPECT_TRUE(own[1].Bool("entry.muted"));
  }
}

TEST_P(DeliveryTest, a_removed_member_receives_the_removal_and_nothing_later) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "carl", {"bob"});
  ana.Ask("thread.open", OfThread(thread));
  bob.Ask("thread.open", OfThread(thread));
  ana.TakeAll();
  bob.TakeAll();
  ana.Ask("participant.remove", Args({{"threadId", thread}, {"userId", "bob"}}));
  world_.Say(ana, thread, "after");
  ana.Ask("typing.set", Args({{"threadId", thread}, {"typing", true}}));
  EXPECT_THAT(Lines(bob.TakeEvents()), ElementsAre("participant.removed 5"));
}

TEST_P(DeliveryTest, an_added_member_receives_changes_from_their_joining_on) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "carl");
  world_.Say(ana, thread, "before");
  ana.Ask("participant.add", Args({{"threadId", thread}, {"userId", "bob"}}));
  world_.Say(ana, thread, "after");
  const auto events = bob.TakeEvents();
  EXPECT_THAT(Lines(events), ElementsAre("participant.added 5", "inbox.updated", "message.created 6"));
  EXPECT_EQ(events[1].Int("entry.unread"), 0);
}

TEST_P(DeliveryTest, no_session_receives_events_while_live_delivery_is_stopped_not_even_the_sender) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  ana.TakeAll();
  bob.TakeAll();
  world_->node().io().live().Stop();
  EXPECT_TRUE(world_.Say(ana, thread, "x").ok());
  EXPECT_THAT(ana.TakeEvents(), IsEmpty());
  EXPECT_THAT(bob.TakeEvents(), IsEmpty());
  world_->node().io().live().Start();
  world_->Settle();
  EXPECT_THAT(Lines(ana.TakeEvents()), ElementsAre("message.created 4"));
  EXPECT_THAT(Lines(bob.TakeEvents()), ElementsAre("message.created 4"));
}

TEST_P(DeliveryTest, both_encodings_carry_the_same_maps) {
  FakeClient ana = Join("ana");
  FakeClient json = world_->Join("bob", Encoding::kJson), msgpack = world_->Join("bob", Encoding::kMsgpack);
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  world_.Say(ana, thread, "x");
  const auto one = json.TakeEvents(), other = msgpack.TakeEvents();
  ASSERT_EQ(one.size(), other.size());
  for (size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].Json(), other[i].Json());
}

// --- open

TEST_P(DeliveryTest, one_inbox_entry_summarizes_many_changes_of_a_thread_that_is_not_open) {
  FakeClient ana = Join("ana"), bob = Join("bob", kOpen);
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  bob.TakeAll();
  world_->HoldWorker(true);
  for (int i = 0; i < 5; ++i) world_.Say(ana, thread, "message " + std::to_string(i));
  world_->HoldWorker(false);
  world_->Settle();
  const auto events = bob.TakeEvents();
  ASSERT_THAT(Lines(events), ElementsAre("inbox.updated"));
  EXPECT_EQ(events[0].Text("entry.threadId"), thread);
  EXPECT_EQ(events[0].Int("entry.unread"), 5);
  EXPECT_EQ(events[0].Int("entry.lastSeq"), 8);
  EXPECT_EQ(events[0].Text("entry.lastMessage.preview"), "message 4");
}

TEST_P(DeliveryTest, an_opened_thread_delivers_every_change_until_it_is_closed) {
  FakeClient ana = Join("ana"), bob = Join("bob", kOpen);
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  bob.Ask("thread.open", OfThread(thread));
  bob.TakeAll();
  world_.Say(ana, thread, "x");
  EXPECT_THAT(Lines(bob.TakeEvents()), ElementsAre("message.created 4"));
  bob.Ask("thread.close", OfThread(thread));
  world_.Say(ana, thread, "y");
  EXPECT_THAT(Lines(bob.TakeEvents()), ElementsAre("inbox.updated"));
}

TEST_P(DeliveryTest, changes_in_the_reply_of_an_open_are_not_sent_again) {
  FakeClient ana = Join("ana"), bob = Join("bob", kOpen);
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  bob.TakeAll();
  world_->node().io().live().Stop();
  world_.Say(ana, thread, "before");
  const Frame opened = bob.Ask("thread.open", OfThread(thread));
  EXPECT_EQ(opened.Int("ok.lastSeq"), 4);
  EXPECT_EQ(opened.Size("ok.messages"), 1u);
  world_.Say(ana, thread, "after");
  bob.TakeAll();
  world_->node().io().live().Start();
  world_->Settle();
  EXPECT_THAT(Lines(bob.TakeEvents()), ElementsAre("message.created 5"));
}

TEST_P(DeliveryTest, opening_again_loses_no_change_in_flight) {
  FakeClient ana = Join("ana"), bob = Join("bob", kOpen);
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  bob.Ask("thread.open", OfThread(thread));
  bob.TakeAll();
  world_->node().io().live().Stop();
  world_.Say(ana, thread, "x");
  bob.Ask("thread.open", OfThread(thread));
  world_->node().io().live().Start();
  world_->Settle();
  EXPECT_THAT(Lines(bob.TakeEvents()), ElementsAre("message.created 4")) << "the session was live already";
}

TEST_P(DeliveryTest, a_removed_member_receives_the_removal_without_having_the_thread_open) {
  FakeClient ana = Join("ana"), bob = Join("bob", kOpen);
  const std::string thread = world_.NewThread(ana, "ana", "carl", {"bob"});
  bob.TakeAll();
  ana.Ask("participant.remove", Args({{"threadId", thread}, {"userId", "bob"}}));
  world_.Say(ana, thread, "after");
  EXPECT_THAT(Lines(bob.TakeEvents()), ElementsAre("participant.removed 5"));
}

// --- ephemeral

TEST_P(DeliveryTest, typing_reaches_sessions_with_the_thread_open_except_the_typists) {
  FakeClient ana = Join("ana"), bob = Join("bob"), phone = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  ana.Ask("thread.open", OfThread(thread));
  bob.Ask("thread.open", OfThread(thread));
  for (FakeClient* client : {&ana, &bob, &phone}) client->TakeAll();
  ana.Ask("typing.set", Args({{"threadId", thread}, {"typing", true}}));
  const auto received = bob.TakeEvents();
  ASSERT_THAT(Lines(received), ElementsAre("typing"));
  EXPECT_EQ(received[0].Json("userIds"), R"(["ana"])");
  EXPECT_THAT(phone.TakeEvents(), IsEmpty());
  for (const Frame& frame : ana.TakeEvents()) EXPECT_EQ(frame.Json("userIds"), "[]");
}

TEST_P(DeliveryTest, opening_a_thread_shows_current_typing_at_once) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  ana.Ask("typing.set", Args({{"threadId", thread}, {"typing", true}}));
  bob.TakeAll();
  bob.Ask("thread.open", OfThread(thread));
  const auto received = bob.TakeEvents();
  ASSERT_THAT(Lines(received), ElementsAre("typing"));
  EXPECT_EQ(received[0].Json("userIds"), R"(["ana"])");
}

TEST_P(DeliveryTest, presence_shows_in_opened_threads) {
  FakeClient ana = Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  const Frame opened = ana.Ask("thread.open", OfThread(thread));
  EXPECT_EQ(opened.Json("ok.presence"),
            R"([{"userId":"ana","online":true},{"userId":"bob","online":false}])");
  ana.TakeAll();
  FakeClient bob = Join("bob");
  auto events = ana.TakeEvents();
  ASSERT_THAT(Lines(events), ElementsAre("presence"));
  EXPECT_TRUE(events[0].Bool("online"));
  EXPECT_EQ(events[0].Text("userId"), "bob");
  EXPECT_EQ(ana.Ask("presence.get", R"({"userIds":["bob","nobody"]})").Json("ok.presence"),
            R"([{"userId":"bob","online":true},{"userId":"nobody","online":false}])");
  bob.connection().HangUp();
  world_->Settle();
  EXPECT_THAT(ana.TakeEvents(), IsEmpty()) << "bob may come back";
  world_->Advance(6'000);
  events = ana.TakeEvents();
  ASSERT_THAT(Lines(events), ElementsAre("presence"));
  EXPECT_FALSE(events[0].Bool("online"));
}

}  // namespace
}  // namespace parley::gateway_test
