// Action cards over the whole server on a fake network: events, deadlines, effects of the back end, and
// catch-up.
#include <gtest/gtest.h>

#include "tests/gateway/cards_scene.h"

namespace parley::gateway_test {
namespace {

TEST(CardsOnTheWire, every_member_receives_the_card_and_each_of_its_versions) {
  Cards cards(With(""));
  const std::string card = cards.Create(cards.ann, "RESCHEDULE", kTime);
  EXPECT_EQ(Lines(cards.bob.TakeEvents()), (std::vector<std::string>{"message.created 4", "card.updated 5"}));
  EXPECT_EQ(cards.Act(cards.bob, card, "accept", 1).Text("ok.card.state"), "ACCEPTED");
  const auto received = cards.ann.TakeEvents();
  EXPECT_EQ(Lines(received), (std::vector<std::string>{"message.created 4", "card.updated 5",
                                                       "card.updated 6", "message.created 7"}));
  EXPECT_EQ(received[2].Int("item.version"), 2);
  EXPECT_EQ(received[2].Text("item.messageId"), card);
  EXPECT_FALSE(received[2].Has("item.allowed")) << "what the caller may do is in replies only";
  EXPECT_EQ(received[3].Text("item.replyTo"), card);
}

TEST(CardsOnTheWire, one_of_two_accepts_in_a_batch_wins_and_one_effect_is_requested) {
  Cards cards(With("booking"));
  const std::string card = cards.Create(cards.ann, "RESCHEDULE", kTime);
  FakeClient other = cards.world->Join("bob");
  cards.world->HoldExecutor(true);
  const uint32_t first = cards.bob.Send("card.act", cards.ActArgs(card, "accept", 1));
  const uint32_t second = other.Send("card.act", cards.ActArgs(card, "accept", 1));
  cards.world->Settle();
  cards.world->HoldExecutor(false);
  cards.world->Settle();
  EXPECT_EQ(cards.bob.TakeReply(first)->Text("ok.card.awaiting.effect"), "booking.reschedule");
  EXPECT_EQ(other.TakeReply(second)->Text("error.code"), "ACTION_INVALID_STATE");
  EXPECT_EQ(cards.Service("outbox.list", "{}").Size("items"), 1u);
}

TEST(CardsOnTheWire, the_back_end_reports_effects_over_http_across_a_restart) {
  Cards cards(With("booking"));
  const std::string card = cards.Create(cards.ann, "RESCHEDULE", kTime);
  cards.Act(cards.bob, card, "accept", 1);
  cards.world.Restart();
  const Frame feed = cards.Service("outbox.list", "{}");
  ASSERT_EQ(feed.Size("items"), 1u);
  const std::string resolve = cards.In(R"(,"messageId":")" + card + R"(","effectId":")" +
                                       feed.Text("items.0.effectId") + R"(","outcome":"ok","clientId":"r")");
  EXPECT_EQ(cards.Service("card.resolve", resolve).Text("card.state"), "ACCEPTED");
  EXPECT_TRUE(cards.Service("card.resolve", resolve).Bool("duplicate"));
  EXPECT_EQ(cards.Service("outbox.list", "{}").Size("items"), 0u);
  FakeClient ann = cards.world->Join("ann");
  const Frame list = ann.Ask("card.list", cards.In());
  EXPECT_EQ(list.Text("ok.cards.0.state"), "ACCEPTED");
  EXPECT_EQ(list.Int("ok.cards.0.version"), 2);
}

TEST(CardsOnTheWire, the_effect_feed_is_paged_oldest_first_and_only_for_services) {
  Cards cards(With("events"));
  for (int i = 0; i < 3; ++i) cards.Create(cards.ann, "CANCEL_REQUEST", R"({"reason":"r"})");
  EXPECT_EQ(cards.ann.Ask("outbox.list").Text("error.code"), "FORBIDDEN");
  const Frame page = cards.Service("outbox.list", R"({"limit":2})");
  ASSERT_EQ(page.Size("items"), 2u);
  EXPECT_EQ(page.Text("items.0.effect"), "card.opened");
  const Frame rest = cards.Service("outbox.list", R"({"limit":2,"cursor":")" + page.Text("cursor") + "\"}");
  ASSERT_EQ(rest.Size("items"), 1u);
  EXPECT_EQ(rest.Json("cursor"), "null");
  cards.Service("outbox.ack", cards.In(R"(,"effectIds":[")" + page.Text("items.0.effectId") + R"("])"));
  EXPECT_EQ(cards.Service("outbox.list", "{}").Text("items.0.effectId"), page.Text("items.1.effectId"));
}

TEST(CardsOnTheWire, a_card_expires_by_the_clock) {
  Cards cards(With(""));
  const std::string card = cards.Create(cards.ann, "RESCHEDULE", kTime, cards.End(60'000));
  cards.bob.TakeEvents();
  cards.world->Advance(59'000);
  EXPECT_TRUE(cards.bob.TakeEvents().empty());
  cards.world->Advance(2'000);
  const auto received = cards.bob.TakeEvents();
  ASSERT_EQ(Lines(received), (std::vector<std::string>{"card.updated 6", "message.created 7"}));
  EXPECT_EQ(received[0].Text("item.state"), "EXPIRED");
  EXPECT_EQ(cards.Act(cards.bob, card, "accept", 1).Text("error.code"), "CARD_EXPIRED");
  cards.world->Advance(10'000);
  EXPECT_TRUE(cards.bob.TakeEvents().empty()) << "once";
}

TEST(CardsOnTheWire, a_card_that_expired_while_the_server_was_down_expires_at_its_start) {
  Cards cards(With(""));
  cards.Create(cards.ann, "RESCHEDULE", kTime, cards.End(60'000));
  cards.world.clock().JumpWall(3'600'000);
  cards.world.Restart();
  FakeClient ann = cards.world->Join("ann");
  EXPECT_EQ(ann.Ask("card.list", cards.In()).Text("ok.cards.0.state"), "EXPIRED") << "readers see it at once";
  cards.world->Advance(2'000);
  EXPECT_EQ(Lines(ann.TakeEvents()), (std::vector<std::string>{"card.updated 6", "message.created 7"}));
}

TEST(CardsOnTheWire, a_cards_own_transitions_replace_the_default_table) {
  Cards cards(With("booking"));
  const std::string own = R"(,"allowedTransitions":[{"intent":"accept","toState":"CONFIRMED"},)"
                          R"({"from":"CONFIRMED","intent":"void","toState":"VOIDED","by":"creator"}])";
  const std::string card = cards.Create(cards.ann, "RESCHEDULE", kTime, own);
  ASSERT_NE(card, "");
  EXPECT_EQ(cards.bob.Ask("card.list", cards.In()).Json("ok.cards.0.allowed"), R"(["accept"])");
  EXPECT_EQ(cards.ann.Ask("card.list", cards.In()).Json("ok.cards.0.allowed"), "[]");
  EXPECT_EQ(CodeOf(cards.Act(cards.bob, card, "decline", 1)), "ACTION_INVALID_STATE") << "the table's";
  EXPECT_EQ(CodeOf(cards.Act(cards.ann, card, "accept", 1)), "FORBIDDEN") << "for the other side";
  const Frame accepted = cards.Act(cards.bob, card, "accept", 1);
  EXPECT_EQ(accepted.Text("ok.card.state"), "CONFIRMED");
  EXPECT_EQ(accepted.Json("ok.card.allowed"), "[]");
  EXPECT_EQ(cards.Service("outbox.list", "{}").Size("items"), 0u) << "the table's effect is of its own state";
  EXPECT_EQ(cards.ann.Ask("card.list", cards.In(R"(,"open":true)")).Json("ok.cards.0.allowed"),
            R"(["void"])");
  EXPECT_EQ(cards.Act(cards.ann, card, "void", 2).Text("ok.card.state"), "VOIDED");
  EXPECT_EQ(cards.ann.Ask("card.list", cards.In(R"(,"open":true)")).Size("ok.cards"), 0u);
}

TEST(CardsOnTheWire, a_due_time_applies_with_and_without_an_answer) {
  Cards cards(With(""));
  const std::string due =
      R"(,"dueAt":")" + protocol::FormatTime({cards.world.clock().Now().ms + 60'000}) + "\"";
  const std::string late = cards.End(3'600'000);
  const std::string overtime = cards.Create(cards.ann, "OVERTIME_START", R"({"minutes":30})", due + late);
  EXPECT_EQ(cards.Act(cards.bob, overtime, "confirm", 1).Text("ok.card.state"), "RUNNING");
  const std::string refused = cards.In(R"(,"clientId":"x","type":"DISPUTE_OPEN","payload":{"reason":"r"})");
  EXPECT_EQ(CodeOf(cards.ann.Ask("card.create", refused.substr(0, refused.size() - 1) + due + "}")),
            "CARD_INVALID");
  cards.world->Advance(59'000);
  EXPECT_EQ(cards.ann.Ask("card.list", cards.In()).Text("ok.cards.0.state"), "RUNNING");
  cards.bob.TakeEvents();
  cards.world->Advance(2'000);
  const auto received = cards.bob.TakeEvents();
  ASSERT_FALSE(received.empty());
  EXPECT_EQ(received[0].Text("item.state"), "EXPIRED");
  EXPECT_EQ(CodeOf(cards.Act(cards.bob, overtime, "stop", 2)), "CARD_EXPIRED");
}

TEST(CardsOnTheWire, the_expiry_time_survives_escalation) {
  Cards cards(With(""));
  const std::string card = cards.Create(cards.ann, "CANCEL_REQUEST", R"({"reason":"r"})", cards.End(60'000));
  const std::string end = cards.ann.Ask("card.list", cards.In()).Text("ok.cards.0.expiresAt");
  const Frame escalated = cards.Act(cards.bob, card, "escalate", 1);
  EXPECT_EQ(escalated.Text("ok.card.state"), "ESCALATED");
  EXPECT_EQ(escalated.Text("ok.card.expiresAt"), end) << "nobody has answered";
  FakeClient staff = Staff(cards, "sue");
  cards.world->Advance(61'000);
  EXPECT_EQ(cards.ann.Ask("card.list", cards.In()).Text("ok.cards.0.state"), "EXPIRED");
  std::string resolve = cards.ActArgs(card, "resolve", 2);
  resolve.pop_back();
  EXPECT_EQ(CodeOf(staff.Ask("card.act", resolve + R"(,"reason":"r"})")), "CARD_EXPIRED");
}

TEST(CardsOnTheWire, a_location_is_unreadable_after_its_time_even_before_the_card_expires) {
  Cards cards(With(""));
  const std::string until = protocol::FormatTime({cards.world.clock().Now().ms + 60'000});
  cards.Create(cards.ann, "SHARE_LOCATION",
               R"({"latE6":48137154,"lonE6":11576124,"until":")" + until + "\"}");
  EXPECT_EQ(cards.bob.Ask("card.list", cards.In()).Int("ok.cards.0.payload.latE6"), 48137154);
  cards.world->HoldExecutor(true);
  cards.world->Advance(61'000);
  for (const auto& [op, args] :
       std::vector<std::pair<const char*, std::string>>{{"card.list", cards.In()},
                                                        {"thread.changes", cards.In(R"(,"afterSeq":0)")},
                                                        {"message.list", cards.In()},
                                                        {"thread.open", cards.In(R"(,"afterSeq":0)")}}) {
    const Frame answer = cards.bob.Ask(op, args);
    ASSERT_TRUE(answer.Has("ok")) << op;
    const bool lists = std::string_view(op) != "message.list";  // message.list shows the message of the card
    EXPECT_NE(answer.Json().find(lists ? "EXPIRED" : "SHARE_LOCATION"), std::string::npos)
        << op << ": the card is there";
    EXPECT_NE(answer.Json().find(until), std::string::npos) << op;
    EXPECT_EQ(answer.Json().find("48137154"), std::string::npos) << op;
  }
  FakeClient late = cards.world->Connect();
  late.Hello(cards.world->Token("bob"), R"("resume":{"epoch":")" + cards.world.table().identity().epoch +
                                            R"(","threads":{")" + cards.thread + R"(":0}})");
  cards.world->Settle();
  const auto reported = late.TakeEvents();
  ASSERT_EQ(Lines(reported).back(), "thread.synced 5");
  for (const Frame& event : reported) EXPECT_EQ(event.Json().find("48137154"), std::string::npos);
}

// The first reply, kept for repeats, and the effect feed are stored for longer than the location may be
// shown.
TEST(CardsOnTheWire, neither_a_repeated_reply_nor_the_feed_shows_a_location_after_its_end) {
  Cards cards(With("events"));
  const auto create = [&](const std::string& key) {
    const std::string until = protocol::FormatTime({cards.world.clock().Now().ms + 60'000});
    return cards.In(R"(,"clientId":")" + key +
                    R"(","type":"SHARE_LOCATION","payload":{"latE6":48137154,"lonE6":11576124,"until":")" +
                    until + "\"}");
  };
  const std::string lapses = create("lapses"), stops = create("stops");
  cards.ann.Ask("card.create", lapses);
  const std::string stopped = cards.ann.Ask("card.create", stops).Text("ok.messageId");
  for (const std::string& args : {lapses, stops})
    EXPECT_EQ(cards.ann.Ask("card.create", args).Int("ok.card.payload.latE6"), 48137154)
        << "while it is shared";
  EXPECT_NE(cards.Service("outbox.list", "{}").Json().find("48137154"), std::string::npos);

  ASSERT_TRUE(cards.Act(cards.ann, stopped, "stop", 1).ok());
  EXPECT_EQ(cards.ann.Ask("card.create", stops).Json().find("48137154"), std::string::npos);
  cards.world->HoldExecutor(true);
  cards.world->Advance(61'000);
  const Frame feed = cards.Service("outbox.list", "{}");
  EXPECT_EQ(feed.Size("items"), 3u);
  EXPECT_EQ(feed.Json().find("48137154"), std::string::npos);
  cards.world->HoldExecutor(false);
  const Frame repeat = cards.ann.Ask("card.create", lapses);
  EXPECT_TRUE(repeat.Bool("ok.duplicate"));
  EXPECT_EQ(repeat.Json().find("48137154"), std::string::npos);
}

TEST(CardsOnTheWire, open_cards_are_listed_even_after_many_closed_ones) {
  Cards cards(With(""));
  const std::string oldest = cards.Create(cards.ann, "CANCEL_REQUEST", R"({"reason":"r"})");
  const std::string next = cards.Create(cards.bob, "REQUEST_EXTRA", R"({"name":"album","priceCents":5})");
  for (int i = 0; i < 130; ++i)
    cards.Act(cards.bob, cards.Create(cards.ann, "REFUND_REQUEST", R"({"reason":"r"})"), "decline", 1);
  const Frame open = cards.ann.Ask("card.list", cards.In(R"(,"open":true)"));
  ASSERT_EQ(open.Size("ok.cards"), 2u);
  EXPECT_EQ(open.Text("ok.cards.0.messageId"), next);
  EXPECT_EQ(open.Text("ok.cards.1.messageId"), oldest);
  EXPECT_EQ(open.Json("ok.cursor"), "null");
  const Frame page = cards.ann.Ask("card.list", cards.In(R"(,"open":true,"limit":1)"));
  EXPECT_EQ(page.Text("ok.cards.0.messageId"), next);
  const Frame rest = cards.ann.Ask(
      "card.list", cards.In(R"(,"open":true,"limit":1,"cursor":")" + page.Text("ok.cursor") + "\""));
  EXPECT_EQ(rest.Text("ok.cards.0.messageId"), oldest);
  EXPECT_EQ(rest.Json("ok.cursor"), "null");
  // The other cards come page by page, each once.
  std::string cursor;
  size_t closed = 0;
  do {
    const Frame ended = cards.ann.Ask("card.list", cards.In(R"(,"open":false,"limit":50)" + cursor));
    closed += ended.Size("ok.cards");
    cursor = ended.Json("ok.cursor") == "null" ? "" : R"(,"cursor":")" + ended.Text("ok.cursor") + "\"";
  } while (!cursor.empty());
  EXPECT_EQ(closed, 130u);
}

TEST(CardsOnTheWire, catch_up_delivers_the_current_state_of_a_card) {
  Cards cards(With(""));
  const std::string card = cards.Create(cards.ann, "OVERTIME_START", R"({"minutes":30})");
  cards.Act(cards.bob, card, "confirm", 1);
  cards.Act(cards.ann, card, "stop", 2);
  cards.world.Restart();
  FakeClient late = cards.world->Connect();
  late.Hello(cards.world->Token("bob"), R"("resume":{"epoch":")" + cards.world.table().identity().epoch +
                                            R"(","threads":{")" + cards.thread + R"(":3}})");
  cards.world->Settle();
  const auto reported = late.TakeEvents();
  EXPECT_EQ(Lines(reported), (std::vector<std::string>{"message.created 4", "card.updated 7",
                                                       "message.created 8", "thread.synced 8"}));
  EXPECT_EQ(reported[1].Int("item.version"), 3);
  EXPECT_EQ(reported[0].Text("item.action.state"), "STOPPED");
}

TEST(CardsOnTheWire, open_cards_are_listed_until_they_are_final) {
  Cards cards(With(""));
  const std::string first = cards.Create(cards.ann, "CANCEL_REQUEST", R"({"reason":"r"})");
  const std::string second = cards.Create(cards.bob, "REQUEST_EXTRA", R"({"name":"album","priceCents":5})");
  const Frame both = cards.ann.Ask("card.list", cards.In(R"(,"open":true)"));
  ASSERT_EQ(both.Size("ok.cards"), 2u);
  EXPECT_EQ(both.Text("ok.cards.0.messageId"), second) << "newest first";
  EXPECT_EQ(both.Json("ok.cards.0.allowed"), R"(["approve","decline"])");
  EXPECT_EQ(both.Json("ok.cards.1.allowed"), R"(["escalate"])");
  cards.Act(cards.bob, first, "decline", 1);
  EXPECT_EQ(cards.ann.Ask("card.list", cards.In(R"(,"open":true)")).Size("ok.cards"), 1u);
  EXPECT_EQ(cards.ann.Ask("card.list", cards.In(R"(,"open":false)")).Text("ok.cards.0.messageId"), first);
  const Frame page = cards.ann.Ask("card.list", cards.In(R"(,"limit":1)"));
  const Frame rest =
      cards.ann.Ask("card.list", cards.In(R"(,"limit":1,"cursor":")" + page.Text("ok.cursor") + "\""));
  EXPECT_EQ(rest.Text("ok.cards.0.messageId"), first);
  EXPECT_EQ(rest.Json("ok.cursor"), "null");
  FakeClient eve = cards.world->Join("eve");
  EXPECT_EQ(eve.Ask("card.list", cards.In()).Text("error.code"), "THREAD_NOT_MEMBER");
}

}  // namespace
}  // namespace parley::gateway_test
