// Action cards of threads with several legs: holds apply to each leg, and every transition is recorded.
#include <gtest/gtest.h>

#include "tests/gateway/cards_scene.h"

namespace parley::gateway_test {
namespace {

// Returns the text at `path`, or nothing if it is missing.
std::string Said(const Frame& frame, const std::string& path) {
  return frame.Json(path) == "null" ? "" : frame.Text(path);
}

// A thread that is bound to an LBG; each of its cards names its leg.
class LegsOnTheWire : public testing::Test {
 protected:
  LegsOnTheWire() {
    cards.thread = cards.ann
                       .Ask("thread.create", R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob",)"
                                             R"("clientId":"g","lbgId":"lbg_1"})")
                       .Text("ok.thread.threadId");
  }
  // Opens a card and returns the outcome; an empty `leg` means all of them.
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

TEST_F(LegsOnTheWire, a_second_reschedule_of_a_leg_is_refused_or_supersedes_the_first) {
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

TEST_F(LegsOnTheWire, completion_and_extras_are_held_for_each_leg) {
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

TEST_F(LegsOnTheWire, each_leg_may_have_three_open_proposals) {
  for (const char* leg : {"leg_1", "leg_2"}) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(Open(cards.bob, "REQUEST_EXTRA", extra, leg), "ok");
    EXPECT_EQ(Open(cards.bob, "REQUEST_EXTRA", extra, leg), "ACTION_INVALID_STATE");
  }
}

TEST_F(LegsOnTheWire, the_payout_is_released_when_the_leg_has_no_open_dispute) {
  const auto reported = [&](const std::string& effect) {
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
  EXPECT_EQ(reported("payment.hold"), 3);
  EXPECT_EQ(cards.bob.Ask("thread.get", cards.In()).Size("ok.thread.pins"), 3u);
  EXPECT_EQ(banner(), first);
  cards.Act(cards.ann, first, "settle", 1);
  EXPECT_EQ(reported("payment.release"), 0) << "the other one still holds it";
  EXPECT_EQ(banner(), second);
  cards.Act(cards.ann, elsewhere, "settle", 1);
  EXPECT_EQ(reported("payment.release"), 1) << "of leg_2";
  cards.Act(cards.bob, second, "settle", 1);
  EXPECT_EQ(reported("payment.release"), 2);
  EXPECT_EQ(cards.bob.Ask("thread.get", cards.In()).Json("ok.thread.disputeMessageId"), "null");
  EXPECT_EQ(cards.bob.Ask("thread.get", cards.In()).Json("ok.thread.pins"), "null");
}

TEST_F(LegsOnTheWire, each_transition_of_a_card_is_recorded_and_emits_an_event) {
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

}  // namespace
}  // namespace parley::gateway_test
