// Reading: pages, catching up, the order of inboxes, unread counts and read cursors.
#include <gtest/gtest.h>

#include "tests/gateway/behaviours_scene.h"

namespace parley::gateway_test {
namespace {

TEST_F(Behaviours, forward_pages_have_no_gap_and_no_repeat_while_messages_arrive) {
  const std::string thread = Inquiry();
  int sent = 0;
  for (; sent < 7; ++sent) Send(ann_, thread, "m" + std::to_string(sent), "x");
  std::vector<int64_t> seen;
  std::string after =
      Quoted(ann_.Ask("message.list", In(thread, R"(,"limit":200)")).Text("ok.messages.6.messageId"));
  seen.push_back(1);
  while (after != "null") {
    const Frame page = bob_.Ask("message.list", In(thread, R"(,"limit":2,"after":)" + after));
    for (size_t i = 0; i < page.Size("ok.messages"); ++i)
      seen.push_back(page.Int("ok.messages." + std::to_string(i) + ".msgNo"));
    after = page.Json("ok.cursor");
    if (sent < 12) Send(ann_, thread, "m" + std::to_string(sent++), "more");
  }
  for (size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], static_cast<int64_t>(i) + 1);
  EXPECT_GE(seen.size(), 10u);
  EXPECT_EQ(Code(ann_.Ask("message.list", In(thread, R"(,"limit":201)"))), "BAD_REQUEST");
  EXPECT_EQ(Code(ann_.Ask("message.list", In(thread, R"(,"after":"forged")"))), "BAD_REQUEST");
}

TEST_F(Behaviours, after_a_reconnect_every_change_since_the_last_seq_arrives) {
  const std::string thread = Inquiry();
  const int64_t held = Send(ann_, thread, "m0", "before").Int("ok.seq");
  bob_.connection().HangUp();
  for (int i = 1; i <= 5; ++i) Send(ann_, thread, "m" + std::to_string(i), "missed");
  const Frame changes = ann_.Ask("thread.changes", In(thread, R"(,"afterSeq":)" + std::to_string(held)));
  EXPECT_EQ(changes.Size("ok.changes"), 5u);
  FakeClient back = world_->Join("bob", protocol::Encoding::kJson,
                                 R"("resume":{"epoch":)" + Quoted(world_.table().identity().epoch) +
                                     R"(,"threads":{)" + Quoted(thread) + ":" + std::to_string(held) + "}}");
  world_->Settle();
  EXPECT_EQ(Names(back), (std::vector<std::string>{"message.created", "message.created", "message.created",
                                                   "message.created", "message.created", "thread.synced"}));
}

TEST_F(Behaviours, each_message_moves_the_thread_to_the_top_of_every_inbox) {
  const std::string old = Inquiry();
  world_.clock().Advance(10);
  const std::string young = Inquiry();
  world_.clock().Advance(10);
  EXPECT_EQ(bob_.Ask("inbox.list").Text("ok.entries.0.threadId"), young);
  const Frame sent = Send(ann_, old, "m1", "up");
  for (FakeClient* who : {&ann_, &bob_}) {
    const Frame page = who->Ask("inbox.list");
    EXPECT_EQ(page.Text("ok.entries.0.threadId"), old);
    EXPECT_EQ(page.Text("ok.entries.0.lastMessageAt"), sent.Text("ok.createdAt"));
  }
}

TEST_F(Behaviours, unread_rises_for_all_but_the_author_even_if_muted) {
  const std::string thread = Inquiry();
  bob_.Ask("participant.mute", In(thread, R"(,"muted":true)"));
  Send(ann_, thread, "m1", "1");
  Send(ann_, thread, "m2", "2");
  EXPECT_EQ(EntryOf(ann_, thread).Int("unread"), 0);
  EXPECT_EQ(EntryOf(bob_, thread).Int("unread"), 2);
  EXPECT_TRUE(EntryOf(bob_, thread).Bool("muted"));
}

TEST_F(Behaviours, an_outbox_replayed_in_order_with_repeats_keeps_that_order_without_duplicates) {
  const std::string thread = Inquiry();
  for (const char* id : {"1", "2", "1", "2", "3", "2", "3", "4"}) Send(ann_, thread, id, id);
  const Frame page = bob_.Ask("message.list", In(thread));
  ASSERT_EQ(page.Size("ok.messages"), 4u);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(page.Text("ok.messages." + std::to_string(3 - i) + ".body"), std::to_string(i + 1));
}

TEST_F(Behaviours, marking_read_updates_the_count_and_reaches_both_sides) {
  const std::string thread = Inquiry();
  const std::string first = Send(ann_, thread, "m1", "1").Text("ok.messageId"),
                    last = Send(ann_, thread, "m2", "2").Text("ok.messageId");
  ann_.TakeEvents();
  bob_.TakeEvents();
  EXPECT_EQ(bob_.Ask("read.mark", In(thread, R"(,"messageId":)" + Quoted(first))).Int("ok.unread"), 1);
  EXPECT_EQ(bob_.Ask("read.mark", In(thread, R"(,"messageId":)" + Quoted(last))).Int("ok.unread"), 0);
  EXPECT_EQ(EntryOf(bob_, thread).Int("unread"), 0);
  const auto reported = ann_.TakeEvents();
  ASSERT_EQ(reported.size(), 2u);
  EXPECT_EQ(reported[1].Text("ev"), "participant.read");
  EXPECT_EQ(reported[1].Text("lastReadMsgId"), last);
  const auto own = Names(bob_);
  EXPECT_NE(std::find(own.begin(), own.end(), "inbox.updated"), own.end());
}

TEST_F(Behaviours, the_read_cursor_never_moves_back) {
  const std::string thread = Inquiry();
  const std::string first = Send(ann_, thread, "m1", "1").Text("ok.messageId"),
                    last = Send(ann_, thread, "m2", "2").Text("ok.messageId");
  bob_.Ask("read.mark", In(thread, R"(,"messageId":)" + Quoted(last)));
  ann_.TakeEvents();
  const Frame back = bob_.Ask("read.mark", In(thread, R"(,"messageId":)" + Quoted(first)));
  EXPECT_EQ(back.Text("ok.lastReadMsgId"), last);
  EXPECT_EQ(back.Int("ok.unread"), 0);
  EXPECT_TRUE(ann_.TakeEvents().empty());
}

TEST_F(Behaviours, messages_sent_up_to_last_read_at_count_as_read) {
  const std::string thread = Inquiry();
  const Frame first = Send(ann_, thread, "m1", "1");
  world_.clock().Advance(10);
  Send(ann_, thread, "m2", "2");
  const Frame mark =
      bob_.Ask("read.mark", In(thread, R"(,"messageId":)" + Quoted(first.Text("ok.messageId"))));
  EXPECT_EQ(mark.Text("ok.lastReadAt"), first.Text("ok.createdAt"));
  const Frame why = bob_.Ask("inbox.explain", In(thread));
  EXPECT_EQ(why.Int("ok.readNo"), 1);
  EXPECT_EQ(why.Int("ok.unread"), 1);
}

TEST_F(Behaviours, last_read_at_covers_only_the_read_ones_of_two_messages_in_one_millisecond) {
  const std::string thread = Inquiry();
  const Frame first = Send(ann_, thread, "m1", "1"), second = Send(ann_, thread, "m2", "2");
  ASSERT_EQ(first.Text("ok.createdAt"), second.Text("ok.createdAt"));
  const auto mark = [&](const Frame& sent) {
    return bob_.Ask("read.mark", In(thread, R"(,"messageId":)" + Quoted(sent.Text("ok.messageId"))));
  };
  const Frame one = mark(first);
  EXPECT_EQ(one.Int("ok.unread"), 1);
  EXPECT_LT(one.Text("ok.lastReadAt"), second.Text("ok.createdAt"));
  const Frame both = mark(second);
  EXPECT_EQ(both.Int("ok.unread"), 0);
  const Frame third = Send(ann_, thread, "m3", "3");  // in the same millisecond
  EXPECT_EQ(third.Text("ok.createdAt"), second.Text("ok.createdAt"));
  EXPECT_LT(both.Text("ok.lastReadAt"), third.Text("ok.createdAt"));
  EXPECT_EQ(EntryOf(bob_, thread).Int("unread"), 1);
  world_.clock().Advance(1);
  EXPECT_EQ(mark(third).Text("ok.lastReadAt"), third.Text("ok.createdAt")) << "its millisecond is over";
  world_.clock().JumpWall(-60'000);
  const Frame fourth = Send(ann_, thread, "m4", "4");
  EXPECT_GT(fourth.Text("ok.createdAt"), third.Text("ok.createdAt")) << "though the clock is behind";
  EXPECT_EQ(EntryOf(bob_, thread).Int("unread"), 1);
}

}  // namespace
}  // namespace parley::gateway_test
