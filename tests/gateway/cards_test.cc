// Action cards over the whole server on a fake network: who hears of them, what the clock and the back end
// do, and what a client that was away is told.
#include <gtest/gtest.h>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

constexpr const char* kTime =
    R"({"newStart":"2026-01-02T10:00:00.000Z","newEnd":"2026-01-02T12:00:00.000Z"})";

gateway::Config With(const std::string& ports) {
  gateway::Config config = DemoConfig();
  config.card_ports = ports;
  config.heartbeat_ms = 3'600'000;  // fake connections do not pong
  return config;
}

class Cards {
 public:
  explicit Cards(const gateway::Config& config)
      : world(config), ann(world->Join("ann")), bob(world->Join("bob")) {
    thread = ann.Ask("thread.create",
                     R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob","clientId":"t"})")
                 .Text("ok.thread.threadId");
    ann.TakeEvents();
    bob.TakeEvents();
  }

  std::string In(const std::string& more = "") { return "{\"threadId\":\"" + thread + "\"" + more + "}"; }
  // Opens a card; its messageId.
  std::string Create(FakeClient& who, const std::string& type, const std::string& payload,
                     const std::string& more = "") {
    const Frame made =
        who.Ask("card.create", In(R"(,"clientId":"k)" + std::to_string(++made_) + R"(","type":")" + type +
                                  R"(","payload":)" + payload + more));
    return made.Text("ok.messageId");
  }
  std::string ActArgs(const std::string& card, const std::string& intent, int64_t version) {
    return In(R"(,"messageId":")" + card + R"(","intent":")" + intent + R"(","version":)" +
              std::to_string(version) + R"(,"clientId":"a)" + std::to_string(++made_) + "\"");
  }
  Frame Act(FakeClient& who, const std::string& card, const std::string& intent, int64_t version) {
    return who.Ask("card.act", ActArgs(card, intent, version));
  }
  Frame Service(const std::string& op, const std::string& args) {
    const auto response =
        world->Http("POST", "/v1/ops/" + op, args, {{"Authorization", "Bearer " + world->service_key()}});
    return Frame(protocol::Encoding::kJson, response.body);
  }
  std::string End(int64_t in_ms) {
    return R"(,"expiresAt":")" + protocol::FormatTime({world.clock().Now().ms + in_ms}) + "\"";
  }

  World world;
  FakeClient ann, bob;
  std::string thread;

 private:
  int made_ = 0;
};

TEST(CardsOnTheWire, behaviour_060_every_member_hears_of_the_card_and_of_each_of_its_versions) {
  Cards cards(With(""));
  const std::string card = cards.Create(cards.ann, "RESCHEDULE", kTime);
  EXPECT_EQ(Lines(cards.bob.TakeEvents()), (std::vector<std::string>{"message.created 4", "card.updated 5"}));
  EXPECT_EQ(cards.Act(cards.bob, card, "accept", 1).Text("ok.card.state"), "ACCEPTED");
  const auto heard = cards.ann.TakeEvents();
  EXPECT_EQ(Lines(heard), (std::vector<std::string>{"message.created 4", "card.updated 5", "card.updated 6",
                                                    "message.created 7"}));
  EXPECT_EQ(heard[2].Int("item.version"), 2);
  EXPECT_EQ(heard[2].Text("item.messageId"), card);
  EXPECT_FALSE(heard[2].Has("item.allowed")) << "what the caller may do is in replies only";
  EXPECT_EQ(heard[3].Text("item.replyTo"), card);
}

TEST(CardsOnTheWire, behaviour_061_of_two_accepts_in_one_turn_one_wins_and_one_effect_is_asked_for) {
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

TEST(CardsOnTheWire, behaviour_065_the_back_end_answers_over_http_across_a_restart) {
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

TEST(CardsOnTheWire, the_feed_comes_in_pages_oldest_first_and_only_to_services) {
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

TEST(CardsOnTheWire, behaviour_067_a_card_lapses_by_the_clock_without_anyone_asking) {
  Cards cards(With(""));
  const std::string card = cards.Create(cards.ann, "RESCHEDULE", kTime, cards.End(60'000));
  cards.bob.TakeEvents();
  cards.world->Advance(59'000);
  EXPECT_TRUE(cards.bob.TakeEvents().empty());
  cards.world->Advance(2'000);
  const auto heard = cards.bob.TakeEvents();
  ASSERT_EQ(Lines(heard), (std::vector<std::string>{"card.updated 6", "message.created 7"}));
  EXPECT_EQ(heard[0].Text("item.state"), "EXPIRED");
  EXPECT_EQ(cards.Act(cards.bob, card, "accept", 1).Text("error.code"), "CARD_EXPIRED");
  cards.world->Advance(10'000);
  EXPECT_TRUE(cards.bob.TakeEvents().empty()) << "once";
}

TEST(CardsOnTheWire, behaviour_067_a_card_that_lapsed_while_the_server_was_down_does_so_when_it_is_back) {
  Cards cards(With(""));
  cards.Create(cards.ann, "RESCHEDULE", kTime, cards.End(60'000));
  cards.world.clock().JumpWall(3'600'000);
  cards.world.Restart();
  FakeClient ann = cards.world->Join("ann");
  EXPECT_EQ(ann.Ask("card.list", cards.In()).Text("ok.cards.0.state"), "EXPIRED") << "readers see it at once";
  cards.world->Advance(2'000);
  EXPECT_EQ(Lines(ann.TakeEvents()), (std::vector<std::string>{"card.updated 6", "message.created 7"}));
}

std::string CodeOf(const Frame& reply) {
  return reply.Has("error") ? reply.Text("error.code") : "ok";
}
FakeClient Staff(Cards& cards, const std::string& user, std::string_view role = "support") {
  FakeClient staff = cards.world->Connect();
  EXPECT_TRUE(staff.Hello(cards.world->Token(user, role)).ok());
  return staff;
}

TEST(CardsOnTheWire, behaviour_064_a_cards_own_transitions_replace_the_table) {
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

// A text, or nothing if there is none.
std::string Said(const Frame& frame, const std::string& path) {
  return frame.Json(path) == "null" ? "" : frame.Text(path);
}

// A thread that is bound to an LBG, whose cards say which leg they are about.
class LegsOnTheWire : public testing::Test {
 protected:
  LegsOnTheWire() {
    cards.thread = cards.ann
                       .Ask("thread.create", R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob",)"
                                             R"("clientId":"g","lbgId":"lbg_1"})")
                       .Text("ok.thread.threadId");
  }
  // The outcome of opening one; `leg` empty: about all of them.
  std::string Open(FakeClient& who, const std::string& type, const std::string& payload,
                   const std::string& leg) {
    const std::string named = leg.empty() ? "" : R"(,"legId":")" + leg + "\"";
    const Frame made = who.Ask(
        "card.create", cards.In(R"(,"clientId":"o)" + std::to_string(++opened) + R"(","type":")" + type +
                                R"(","payload":)" + payload.substr(0, payload.size() - 1) + named + "}"));
    last = made.Has("ok") ? made.Text("ok.messageId") : "";
    return CodeOf(made);
  }
  Cards cards{With("events,payment")};
  std::string last;
  int opened = 0;
  const std::string extra = R"({"name":"a","priceCents":1})", dispute = R"({"reason":"r"})",
                    complete = R"({"kind":"time_based"})";
};

TEST_F(LegsOnTheWire, behaviour_066_a_second_reschedule_is_refused_or_supersedes_leg_by_leg) {
  EXPECT_EQ(Open(cards.ann, "RESCHEDULE", kTime, "leg_1"), "ok");
  const std::string first = last;
  EXPECT_EQ(Open(cards.ann, "RESCHEDULE", kTime, "leg_2"), "ok") << "another booking";
  EXPECT_EQ(Open(cards.ann, "RESCHEDULE", kTime, "leg_1"), "ACTION_CONFLICT");
  EXPECT_EQ(Open(cards.bob, "RESCHEDULE", kTime, ""), "ACTION_CONFLICT") << "it is about those, too";
  EXPECT_EQ(Open(cards.bob, "RESCHEDULE", kTime, "leg_1"), "ok");
  const std::string second = last;
  const Frame list = cards.ann.Ask("card.list", cards.In(R"(,"open":false)"));
  EXPECT_EQ(list.Text("ok.cards.0.messageId"), first);
  EXPECT_EQ(list.Text("ok.cards.0.supersededBy"), second);
  std::string counter = cards.ActArgs(second, "counter", 1);
  counter.pop_back();
  const std::string proposed = std::string(kTime).substr(0, std::string_view(kTime).size() - 1);
  EXPECT_EQ(CodeOf(cards.ann.Ask("card.act", counter + R"(,"data":)" + proposed + R"(,"legId":"leg_2"}})")),
            "CARD_INVALID");
  EXPECT_EQ(CodeOf(cards.ann.Ask("card.act", counter + R"(,"data":)" + kTime + "}")), "ok");
  EXPECT_EQ(cards.bob.Ask("card.list", cards.In(R"(,"open":true)")).Text("ok.cards.0.payload.legId"),
            "leg_1");
}

TEST_F(LegsOnTheWire, behaviour_066_completion_and_extras_are_held_up_leg_by_leg) {
  EXPECT_EQ(Open(cards.ann, "RESCHEDULE", kTime, "leg_1"), "ok");
  EXPECT_EQ(Open(cards.bob, "ACCEPTANCE_ACK", complete, "leg_1"), "ok");
  EXPECT_EQ(CodeOf(cards.Act(cards.ann, last, "acknowledge", 1)), "ACTION_INVALID_STATE");
  EXPECT_EQ(Open(cards.bob, "ACCEPTANCE_ACK", complete, "leg_2"), "ok");
  EXPECT_EQ(CodeOf(cards.Act(cards.ann, last, "acknowledge", 1)), "ok");
  EXPECT_EQ(Open(cards.bob, "ACCEPTANCE_ACK", complete, ""), "ok");
  EXPECT_EQ(CodeOf(cards.Act(cards.ann, last, "acknowledge", 1)), "ACTION_INVALID_STATE")
      << "leg_1 is not done";
  EXPECT_EQ(Open(cards.ann, "DISPUTE_OPEN", dispute, "leg_2"), "ok");
  EXPECT_EQ(Open(cards.bob, "REQUEST_EXTRA", extra, "leg_2"), "ACTION_INVALID_STATE");
  EXPECT_EQ(Open(cards.bob, "REQUEST_EXTRA", extra, "leg_1"), "ok");
  EXPECT_EQ(Open(cards.ann, "DISPUTE_OPEN", dispute, ""), "ok");
  EXPECT_EQ(Open(cards.bob, "REQUEST_EXTRA", extra, "leg_1"), "ACTION_INVALID_STATE");
  EXPECT_EQ(Open(cards.bob, "ACCEPTANCE_ACK", complete, "leg_3"), "ACTION_INVALID_STATE");
}

TEST_F(LegsOnTheWire, behaviour_066_three_proposals_may_wait_for_each_leg) {
  for (const char* leg : {"leg_1", "leg_2"}) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(Open(cards.bob, "REQUEST_EXTRA", extra, leg), "ok");
    EXPECT_EQ(Open(cards.bob, "REQUEST_EXTRA", extra, leg), "ACTION_INVALID_STATE");
  }
}

TEST_F(LegsOnTheWire, behaviour_072_the_payout_is_free_when_no_dispute_of_the_leg_is_open_any_more) {
  const auto told = [&](const std::string& effect) {
    const Frame feed = cards.Service("outbox.list", R"({"limit":200})");
    int count = 0;
    for (size_t i = 0; i < feed.Size("items"); ++i)
      count += feed.Text("items." + std::to_string(i) + ".effect") == effect;
    return count;
  };
  const auto banner = [&] {
    return cards.bob.Ask("thread.get", cards.In()).Text("ok.thread.disputeMessageId");
  };
  Open(cards.ann, "DISPUTE_OPEN", dispute, "leg_1");
  const std::string first = last;
  Open(cards.bob, "DISPUTE_OPEN", dispute, "leg_1");
  const std::string second = last;
  Open(cards.ann, "DISPUTE_OPEN", dispute, "leg_2");
  const std::string elsewhere = last;
  EXPECT_EQ(told("payment.hold"), 3);
  EXPECT_EQ(cards.bob.Ask("thread.get", cards.In()).Size("ok.thread.pins"), 3u);
  EXPECT_EQ(banner(), first);
  cards.Act(cards.ann, first, "settle", 1);
  EXPECT_EQ(told("payment.release"), 0) << "the other one still holds it";
  EXPECT_EQ(banner(), second);
  cards.Act(cards.ann, elsewhere, "settle", 1);
  EXPECT_EQ(told("payment.release"), 1) << "of leg_2";
  cards.Act(cards.bob, second, "settle", 1);
  EXPECT_EQ(told("payment.release"), 2);
  EXPECT_EQ(cards.bob.Ask("thread.get", cards.In()).Json("ok.thread.disputeMessageId"), "null");
  EXPECT_EQ(cards.bob.Ask("thread.get", cards.In()).Json("ok.thread.pins"), "null");
}

TEST(CardsOnTheWire, behaviour_067_a_due_time_holds_whether_anybody_answered_or_not) {
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
  const auto heard = cards.bob.TakeEvents();
  ASSERT_FALSE(heard.empty());
  EXPECT_EQ(heard[0].Text("item.state"), "EXPIRED");
  EXPECT_EQ(CodeOf(cards.Act(cards.bob, overtime, "stop", 2)), "CARD_EXPIRED");
}

TEST(CardsOnTheWire, behaviour_067_the_end_survives_escalation) {
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

TEST_F(LegsOnTheWire, behaviour_075_whoever_moves_a_card_leaves_a_record_and_an_event) {
  FakeClient staff = Staff(cards, "sue");
  EXPECT_EQ(Open(cards.ann, "RESCHEDULE", kTime, "leg_1"), "ok");
  EXPECT_EQ(Open(cards.bob, "RESCHEDULE", kTime, "leg_1"), "ok");  // supersedes
  const std::string moved = last;
  std::string decline = cards.ActArgs(moved, "decline", 1);
  decline.pop_back();
  EXPECT_EQ(CodeOf(staff.Ask("card.act", decline + R"(,"reason":"by phone"})")), "ok");
  EXPECT_EQ(Open(cards.bob, "REQUEST_EXTRA", extra, "leg_2"), "ok");
  const std::string paid = last;
  EXPECT_EQ(CodeOf(cards.Act(cards.ann, paid, "approve", 1)), "ok");
  const Frame asked = cards.Service("outbox.list", R"({"limit":200})");
  std::string effect;
  for (size_t i = 0; i < asked.Size("items"); ++i) {
    const std::string at = "items." + std::to_string(i);
    if (asked.Text(at + ".effect") == "payment.charge") effect = asked.Text(at + ".effectId");
  }
  cards.Service("card.resolve",
                cards.In(R"(,"clientId":"r","outcome":"ok","messageId":")" + paid + R"(","effectId":")" +
                         effect + R"(","data":{"amendmentId":"amd_7","docId":"doc_7"})"));
  const std::string lapsing = cards.Create(cards.ann, "CANCEL_REQUEST", R"({"reason":"r"})", cards.End(1000));
  cards.world->Advance(2000);

  const Frame feed = cards.Service("outbox.list", R"({"limit":200})");
  std::vector<std::string> events;
  for (size_t i = 0; i < feed.Size("items"); ++i) {
    const auto of = [&](const char* field) { return Said(feed, "items." + std::to_string(i) + "." + field); };
    if (of("effect") != "card.transition") continue;
    events.push_back(of("intent") + " " + of("fromState") + " " + of("toState") + " " + of("lbgId") + " " +
                     of("legId") + " " + of("docId") + " " + of("amendmentId"));
  }
  EXPECT_EQ(events, (std::vector<std::string>{
                        "counter PENDING SUPERSEDED lbg_1 leg_1  ", "decline PENDING DECLINED lbg_1 leg_1  ",
                        "approve PENDING PAID lbg_1 leg_2 doc_7 amd_7", "expire PENDING EXPIRED lbg_1   "}));
  const Frame audit = staff.Ask("thread.audit", cards.In(R"(,"limit":200)"));
  std::vector<std::string> records;
  for (size_t i = audit.Size("ok.entries"); i-- > 0;) {
    const auto of = [&](const char* field) {
      return Said(audit, "ok.entries." + std::to_string(i) + "." + field);
    };
    if (of("what") != "transition") continue;
    records.push_back(of("intent") + " " + of("fromState") + " " + of("toState") + " " + of("actorRole") +
                      " " + of("actorUserId") + " " + of("legId") + " " + of("amendmentId"));
    EXPECT_NE(of("at"), "");
  }
  EXPECT_EQ(records,
            (std::vector<std::string>{
                "counter PENDING SUPERSEDED member bob leg_1 ", "decline PENDING DECLINED support sue leg_1 ",
                "approve PENDING PAID service ann leg_2 amd_7", "expire PENDING EXPIRED clock   "}));
}

TEST(CardsOnTheWire, behaviour_074_nobody_reads_a_location_after_its_time_even_before_the_card_lapses) {
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
    const bool lists = std::string_view(op) != "message.list";  // which shows the message of the card
    EXPECT_NE(answer.Json().find(lists ? "EXPIRED" : "SHARE_LOCATION"), std::string::npos)
        << op << ": the card is there";
    EXPECT_NE(answer.Json().find(until), std::string::npos) << op;
    EXPECT_EQ(answer.Json().find("48137154"), std::string::npos) << op;
  }
  FakeClient late = cards.world->Connect();
  late.Hello(cards.world->Token("bob"), R"("resume":{"epoch":")" + cards.world.table().identity().epoch +
                                            R"(","threads":{")" + cards.thread + R"(":0}})");
  cards.world->Settle();
  const auto told = late.TakeEvents();
  ASSERT_EQ(Lines(told).back(), "thread.synced 5");
  for (const Frame& event : told) EXPECT_EQ(event.Json().find("48137154"), std::string::npos);
}

// What is stored for longer than it may be shown: the first answer, kept for repeats, and the effect feed.
TEST(CardsOnTheWire, behaviour_074_neither_a_repeat_nor_the_feed_gives_a_location_once_it_ended) {
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

TEST(CardsOnTheWire, behaviour_073_a_safety_report_opens_a_case_blocks_the_two_and_ends_with_support) {
  Cards cards(With("cases"));
  const std::string asked = cards.Create(cards.ann, "CANCEL_REQUEST", R"({"reason":"r"})");
  const std::string report = cards.Create(cards.bob, "SAFETY", R"({"reason":"r","severity":"high"})");
  const Frame feed = cards.Service("outbox.list", "{}");
  ASSERT_EQ(feed.Size("items"), 1u);
  EXPECT_EQ(feed.Text("items.0.effect"), "case.open");
  EXPECT_EQ(feed.Text("items.0.messageId"), report);
  EXPECT_EQ(feed.Text("items.0.payload.severity"), "high");
  for (FakeClient* who : {&cards.ann, &cards.bob}) {
    const std::string send = cards.In(R"(,"clientId":"m","type":"text","body":"x")");
    EXPECT_EQ(who->Ask("message.send", send).Text("error.code"), "SAFETY_SOFT_BLOCK");
    EXPECT_EQ(who->Ask("tab.put", cards.In(R"(,"tab":"brief","version":0,"content":{"title":"x"})"))
                  .Text("error.code"),
              "SAFETY_SOFT_BLOCK");
  }
  EXPECT_EQ(cards.Act(cards.bob, asked, "approve", 1).Text("error.code"), "SAFETY_SOFT_BLOCK");
  FakeClient staff = cards.world->Connect();
  staff.Hello(cards.world->Token("sue", "support"), "");
  cards.world->Settle();
  const std::string resolve = cards.ActArgs(report, "resolve", 1);
  EXPECT_EQ(staff.Ask("card.act", resolve).Text("error.code"), "BAD_REQUEST");
  EXPECT_EQ(staff.Ask("card.act", resolve.substr(0, resolve.size() - 1) + R"(,"reason":"spoke to both"})")
                .Text("ok.card.state"),
            "RESOLVED");
  EXPECT_EQ(cards.Service("outbox.list", "{}").Text("items.1.effect"), "case.close");
  EXPECT_EQ(cards.Act(cards.bob, asked, "approve", 1).Text("ok.card.state"), "APPROVED");
}

gateway::Config ByCase() {
  gateway::Config config = With("cases");
  config.staff_access = "cases";
  return config;
}

TEST(CaseBoundStaff, behaviour_073_sees_a_thread_from_the_safety_report_until_the_case_is_closed) {
  Cards cards(ByCase());
  FakeClient sue = Staff(cards, "sue"), mod = Staff(cards, "mod", "moderator");
  const std::vector<std::pair<const char*, std::string>> ways = {
      {"thread.get", cards.In()},
      {"thread.open", cards.In()},
      {"thread.changes", cards.In(R"(,"afterSeq":0)")},
      {"message.list", cards.In()},
      {"card.list", cards.In()},
      {"tab.get", cards.In(R"(,"tab":"brief")")},
      {"participant.list", cards.In()},
      {"thread.audit", cards.In()}};
  const auto all = [&](FakeClient& who, const std::string& expected) {
    for (const auto& [op, args] : ways) EXPECT_EQ(CodeOf(who.Ask(op, args)), expected) << op;
  };
  const std::string lock = cards.In(R"(,"status":"locked","reason":"r")");
  all(sue, "THREAD_NOT_MEMBER");
  EXPECT_EQ(CodeOf(sue.Ask("thread.setStatus", lock)), "THREAD_NOT_MEMBER");
  const std::string asked = cards.Create(cards.ann, "CANCEL_REQUEST", R"({"reason":"r"})");
  all(sue, "THREAD_NOT_MEMBER");  // a card that support may not decide is not a case

  const std::string report = cards.Create(cards.bob, "SAFETY", R"({"reason":"r","severity":"high"})");
  all(sue, "ok");
  all(mod, "ok");
  const std::string resolve = cards.ActArgs(report, "resolve", 1);
  EXPECT_EQ(
      CodeOf(sue.Ask("card.act", resolve.substr(0, resolve.size() - 1) + R"(,"reason":"spoke to both"})")),
      "ok");
  all(sue, "THREAD_NOT_MEMBER");
  EXPECT_EQ(CodeOf(cards.bob.Ask("thread.audit", cards.In())), "FORBIDDEN");
  // Support may decide what was escalated to it: that is a case, too.
  cards.Act(cards.ann, asked, "escalate", 1);
  all(sue, "ok");
}

TEST(CaseBoundStaff, behaviour_073_hears_the_thread_that_it_opened_and_lists_none) {
  Cards cards(ByCase());
  const Frame made = cards.ann.Ask(
      "thread.create",
      R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob","legId":"leg_1","clientId":"t2"})");
  ASSERT_EQ(CodeOf(made), "ok");
  cards.Create(cards.bob, "SAFETY", R"({"reason":"r","severity":"low"})");
  FakeClient sue = Staff(cards, "sue");
  EXPECT_EQ(CodeOf(sue.Ask("thread.open", cards.In())), "ok");
  cards.ann.Ask("thread.open", cards.In());
  cards.bob.Ask("thread.open", cards.In());
  cards.bob.Ask("typing.set", cards.In(R"(,"typing":true)"));
  EXPECT_FALSE(cards.ann.TakeEvents().empty());
  EXPECT_FALSE(sue.TakeEvents().empty());
  EXPECT_EQ(sue.Ask("thread.byProject", R"({"legId":"leg_1"})").Size("ok.threads"), 0u);
  EXPECT_EQ(sue.Ask("presence.get", R"({"userIds":["ann"]})").Json("ok.presence.0.online"), "false");
}

TEST(StaffLooks, behaviour_073_every_look_is_on_record_before_anything_is_shown) {
  Cards cards(ByCase());
  const std::string report = cards.Create(cards.bob, "SAFETY", R"({"reason":"r","severity":"low"})");
  const int64_t seq = cards.ann.Ask("thread.get", cards.In()).Int("ok.lastSeq");
  FakeClient sue = Staff(cards, "sue");
  cards.world->HoldExecutor(true);
  const uint32_t asked = sue.Send("message.list", cards.In());
  cards.world->Settle();
  EXPECT_FALSE(sue.TakeReply(asked)) << "what is not on record is not shown";
  cards.world->HoldExecutor(false);
  cards.world->Settle();
  EXPECT_TRUE(sue.TakeReply(asked)->Has("ok"));
  cards.world->Advance(1);
  sue.Ask("thread.open", cards.In());
  cards.world.Restart();
  FakeClient again = Staff(cards, "sue");
  const Frame audit = again.Ask("thread.audit", cards.In(R"(,"actor":"sue")"));
  ASSERT_EQ(audit.Size("ok.entries"), 3u) << audit.Json();
  const std::vector<std::string> ops = {"thread.audit", "thread.open", "message.list"};
  for (size_t i = 0; i < ops.size(); ++i) {
    const std::string at = "ok.entries." + std::to_string(i);
    EXPECT_EQ(audit.Text(at + ".what"), "looked");
    EXPECT_EQ(audit.Text(at + ".op"), ops[i]);
    EXPECT_EQ(audit.Text(at + ".actorUserId"), "sue");
    EXPECT_EQ(audit.Text(at + ".actorRole"), "support");
    EXPECT_EQ(audit.Text(at + ".messageId"), report) << "the case that let her in";
  }
  FakeClient ann = cards.world->Join("ann");
  EXPECT_EQ(ann.Ask("thread.get", cards.In()).Int("ok.lastSeq"), seq) << "the members hear nothing of it";
}

TEST(StaffLooks, behaviour_075_staff_reads_what_was_done_to_a_card_page_by_page) {
  Cards cards(With("cases"));  // here staff may look into every thread, but it is recorded all the same
  const std::string first = cards.Create(cards.ann, "CANCEL_REQUEST", R"({"reason":"r"})");
  const std::string second = cards.Create(cards.ann, "RESCHEDULE", kTime);
  cards.world->Advance(1);
  cards.Act(cards.bob, second, "decline", 1);
  cards.world->Advance(1);
  FakeClient sue = Staff(cards, "sue");
  const Frame one = sue.Ask("thread.audit", cards.In(R"(,"messageId":")" + second + "\""));
  ASSERT_EQ(one.Size("ok.entries"), 2u) << one.Json();
  EXPECT_EQ(one.Text("ok.entries.0.what"), "transition");
  EXPECT_EQ(one.Text("ok.entries.0.fromState"), "PENDING");
  EXPECT_EQ(one.Text("ok.entries.0.toState"), "DECLINED");
  EXPECT_EQ(one.Text("ok.entries.0.actorUserId"), "bob");
  EXPECT_EQ(one.Int("ok.entries.0.version"), 2);
  EXPECT_EQ(one.Text("ok.entries.1.what"), "opened");
  EXPECT_EQ(one.Json("ok.cursor"), "null");

  std::vector<std::string> told;
  std::string cursor;
  do {
    const Frame page = sue.Ask("thread.audit", cards.In(R"(,"limit":1)" + cursor));
    ASSERT_EQ(page.Size("ok.entries"), 1u) << page.Json();
    told.push_back(page.Text("ok.entries.0.what") + " " + page.Json("ok.entries.0.messageId"));
    cursor = page.Json("ok.cursor") == "null" ? "" : R"(,"cursor":")" + page.Text("ok.cursor") + "\"";
    ASSERT_LE(told.size(), 8u);
  } while (!cursor.empty());
  // The two looks that came before the first page, then the cards.
  EXPECT_EQ(told, (std::vector<std::string>{"looked null", "looked null", "transition \"" + second + "\"",
                                            "opened \"" + second + "\"", "opened \"" + first + "\""}));
}

TEST(StaffLooks, behaviour_075_a_member_who_is_staff_reads_their_own_thread_without_record) {
  Cards cards(With(""));
  FakeClient bob = Staff(cards, "bob");
  EXPECT_EQ(CodeOf(bob.Ask("message.list", cards.In())), "ok");
  EXPECT_EQ(bob.Ask("thread.audit", cards.In()).Size("ok.entries"), 0u);
}

TEST(CardsOnTheWire, open_cards_are_listed_however_many_closed_ones_came_after_them) {
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
  // The others, page by page: all of them, once.
  std::string cursor;
  size_t closed = 0;
  do {
    const Frame ended = cards.ann.Ask("card.list", cards.In(R"(,"open":false,"limit":50)" + cursor));
    closed += ended.Size("ok.cards");
    cursor = ended.Json("ok.cursor") == "null" ? "" : R"(,"cursor":")" + ended.Text("ok.cursor") + "\"";
  } while (!cursor.empty());
  EXPECT_EQ(closed, 130u);
}

TEST(CardsOnTheWire, behaviour_025_a_client_that_was_away_is_told_the_card_as_it_is_now) {
  Cards cards(With(""));
  const std::string card = cards.Create(cards.ann, "OVERTIME_START", R"({"minutes":30})");
  cards.Act(cards.bob, card, "confirm", 1);
  cards.Act(cards.ann, card, "stop", 2);
  cards.world.Restart();
  FakeClient late = cards.world->Connect();
  late.Hello(cards.world->Token("bob"), R"("resume":{"epoch":")" + cards.world.table().identity().epoch +
                                            R"(","threads":{")" + cards.thread + R"(":3}})");
  cards.world->Settle();
  const auto told = late.TakeEvents();
  EXPECT_EQ(Lines(told), (std::vector<std::string>{"message.created 4", "card.updated 7", "message.created 8",
                                                   "thread.synced 8"}));
  EXPECT_EQ(told[1].Int("item.version"), 3);
  EXPECT_EQ(told[0].Text("item.action.state"), "STOPPED");
}

TEST(CardsOnTheWire, behaviour_076_open_cards_are_listed_and_leave_the_list_when_they_are_final) {
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
