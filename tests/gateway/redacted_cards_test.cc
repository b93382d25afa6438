// Cards that staff redact or remove: every reader sees only their type and state.
#include <gmock/gmock.h>

#include "gateway/app/node.h"
#include "tests/gateway/cards_scene.h"

namespace parley::gateway_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kInsult = "you-thief";
const std::string kPayload = R"({"name":"you-thief","priceCents":5000})";

class RedactedCards : public testing::Test {
 protected:
  explicit RedactedCards(const std::string& ports = "payment,cases") : cards_(With(ports)) {}
  std::string On(const std::string& card, const std::string& more = "") {
    return cards_.In(R"(,"messageId":")" + card + "\"" + more);
  }
  Frame Redact(const std::string& card) {
    return sue_.Ask("moderation.message", On(card, R"(,"moderation":"redacted","reason":"insults")"));
  }
  Frame Remove(const std::string& card) {
    return sue_.Ask("message.delete", On(card, R"(,"reason":"insults")"));
  }
  Frame CardOf(FakeClient& who) { return who.Ask("card.list", cards_.In()); }
  // No read, event or reply contains the redacted text.
  void ExpectGone(FakeClient& who, const std::string& name) {
    for (const auto& [op, more] :
         std::vector<std::pair<const char*, const char*>>{{"message.list", ""},
                                                          {"card.list", ""},
                                                          {"thread.open", R"(,"afterSeq":0)"},
                                                          {"thread.changes", R"(,"afterSeq":0)"},
                                                          {"thread.get", ""},
                                                          {"tab.get", R"(,"tab":"actions")"}})
      EXPECT_THAT(who.Ask(op, cards_.In(more)).Json(), Not(HasSubstr(kInsult))) << name << " " << op;
    EXPECT_THAT(who.Ask("inbox.list").Json(), Not(HasSubstr(kInsult))) << name;
  }
  std::vector<std::string> Verify() { return cards_.world.Verify(); }

  Cards cards_;
  FakeClient sue_ = Staff(cards_, "sue", "admin");
};

TEST_F(RedactedCards, show_only_type_and_state_without_payload_or_actions) {
  const std::string create = cards_.In(R"(,"clientId":"c","type":"REQUEST_EXTRA","payload":)" + kPayload);
  const std::string card = cards_.bob.Ask("card.create", create).Text("ok.messageId");
  cards_.ann.TakeEvents();
  const Frame reply = Redact(card);
  ASSERT_TRUE(reply.ok()) << reply.Json();
  EXPECT_EQ(reply.Json("ok.message.action.payload"), "{}");
  const auto received = cards_.ann.TakeEvents();
  ASSERT_GE(received.size(), 2u);
  EXPECT_EQ(received[0].ev() + " " + received[0].Text("item.body"), "message.updated [redacted]");
  EXPECT_EQ(received[1].ev() + " " + received[1].Text("item.state"), "card.updated PENDING");
  const Frame seen = CardOf(cards_.ann);
  EXPECT_EQ(seen.Text("ok.cards.0.type") + " " + seen.Text("ok.cards.0.state"), "REQUEST_EXTRA PENDING");
  EXPECT_EQ(seen.Json("ok.cards.0.payload") + seen.Json("ok.cards.0.allowed"), "{}[]");
  EXPECT_EQ(seen.Text("ok.cards.0.lastIntent"), "staff.redact");
  EXPECT_FALSE(seen.Bool("ok.cards.0.open"));
  for (FakeClient* who : {&cards_.ann, &cards_.bob, &sue_}) ExpectGone(*who, "somebody");
  EXPECT_EQ(cards_.ann.Ask("inbox.list").Text("ok.entries.0.lastMessage.preview"), "[redacted]");
  EXPECT_EQ(cards_.ann.Ask("inbox.list").Int("ok.entries.0.openCards"), 0);
  EXPECT_EQ(cards_.Act(cards_.ann, card, "approve", 1).error(), "ACTION_INVALID_STATE");
  const Frame repeat = cards_.bob.Ask("card.create", create);
  EXPECT_TRUE(repeat.Bool("ok.duplicate"));
  EXPECT_THAT(repeat.Json(), Not(HasSubstr(kInsult)));
  const std::string audit = sue_.Ask("moderation.audit", cards_.In()).Json();
  EXPECT_THAT(audit, HasSubstr("sha256:"));
  EXPECT_THAT(audit, Not(HasSubstr(kInsult)));
  EXPECT_THAT(Verify(), IsEmpty());
  EXPECT_TRUE(Redact(card).ok()) << "a second time changes nothing";
  EXPECT_THAT(cards_.ann.TakeEvents(), IsEmpty());
}

TEST_F(RedactedCards, removed_ones_show_the_same_and_staff_read_their_history_until_redaction) {
  const std::string card = cards_.Create(cards_.bob, "REQUEST_EXTRA", kPayload);
  EXPECT_EQ(cards_.bob.Ask("message.delete", On(card)).error(), "FORBIDDEN") << "only staff do";
  ASSERT_TRUE(Remove(card).ok());
  for (FakeClient* who : {&cards_.ann, &cards_.bob, &sue_}) ExpectGone(*who, "somebody");
  EXPECT_EQ(CardOf(cards_.ann).Json("ok.cards.0.allowed"), "[]");
  EXPECT_EQ(cards_.ann.Ask("inbox.list").Int("ok.entries.0.unread"), 0);
  EXPECT_THAT(sue_.Ask("message.history", On(card)).Json(), HasSubstr(kInsult));
  EXPECT_THAT(Verify(), IsEmpty());
  ASSERT_TRUE(Redact(card).ok());
  EXPECT_THAT(sue_.Ask("message.history", On(card)).Json(), Not(HasSubstr(kInsult)));
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(RedactedCards, texts_sent_with_intents_are_removed_from_the_threads_record) {
  const std::string card =
      cards_.Create(cards_.bob, "DELIVERABLE_PROOF", R"({"manifestRef":"https://m.example/m"})");
  const std::string act =
      cards_.In(R"(,"messageId":")" + card + R"(","intent":"request_revisions","version":1,"clientId":"r",)" +
                R"("data":{"note":"you-thief"})");
  ASSERT_TRUE(cards_.ann.Ask("card.act", act).ok());
  EXPECT_THAT(sue_.Ask("thread.audit", cards_.In()).Json(), HasSubstr(kInsult));
  ASSERT_TRUE(Redact(card).ok());
  EXPECT_THAT(sue_.Ask("thread.audit", cards_.In()).Json(), Not(HasSubstr(kInsult)));
  EXPECT_THAT(cards_.ann.Ask("card.act", act).Json(), Not(HasSubstr(kInsult))) << "a repeat";
  ExpectGone(cards_.bob, "bob");
  EXPECT_THAT(Verify(), IsEmpty());
}

// Its hold is lifted, and its case is closed.
TEST_F(RedactedCards, redacting_a_dispute_ends_it) {
  const std::string dispute = cards_.Create(cards_.bob, "DISPUTE_OPEN", R"({"reason":"you-thief"})");
  EXPECT_EQ(sue_.Ask("moderation.queue").Text("ok.cases.0.status"), "pending");
  ASSERT_TRUE(Redact(dispute).ok());
  EXPECT_EQ(cards_.ann.Ask("thread.get", cards_.In()).Json("ok.thread.disputeMessageId"), "null");
  EXPECT_EQ(cards_.ann.Ask("thread.get", cards_.In()).Json("ok.thread.pins"), "null");
  EXPECT_EQ(sue_.Ask("moderation.queue").Text("ok.cases.0.status"), "resolved");
  EXPECT_THAT(cards_.Service("outbox.list", "{}").Json(),
              AllOf(HasSubstr("payment.release"), HasSubstr("case.close")));
  EXPECT_FALSE(cards_.Create(cards_.bob, "REQUEST_EXTRA", kPayload).empty()) << "extras go on";
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(RedactedCards, redacting_a_safety_report_requires_two_approvals) {
  const std::string report =
      cards_.Create(cards_.bob, "SAFETY", R"({"reason":"you-thief","severity":"low"})");
  const Frame refused = Redact(report);
  EXPECT_EQ(refused.error(), "FORBIDDEN");
  const std::string id = refused.Text("error.fields.caseId");
  EXPECT_EQ(Remove(report).Text("error.fields.caseId"), id);
  FakeClient tom = Staff(cards_, "tom", "moderator");
  const std::string redact =
      R"({"caseId":")" + id + R"(","decision":"approve","actions":[{"action":"redact"}]})";
  EXPECT_EQ(sue_.Ask("moderation.decide", redact).Text("ok.case.status"), "awaiting_second_approval");
  EXPECT_EQ(tom.Ask("moderation.decide", redact).Text("ok.case.status"), "resolved");
  ExpectGone(cards_.bob, "bob");
  ExpectGone(sue_, "sue");
  EXPECT_TRUE(cards_.world.Say(cards_.ann, cards_.thread, "hello").ok()) << "the pair may write again";
  EXPECT_THAT(Verify(), IsEmpty());
}

// The back end completes the effect that was requested before the redaction.
TEST_F(RedactedCards, an_effect_requested_before_still_moves_the_card) {
  const std::string card = cards_.Create(cards_.bob, "REQUEST_EXTRA", kPayload);
  const Frame asked = cards_.Act(cards_.ann, card, "approve", 1);
  ASSERT_TRUE(asked.Has("ok.card.awaiting")) << asked.Json();
  ASSERT_TRUE(Redact(card).ok());
  EXPECT_THAT(Verify(), IsEmpty());
  EXPECT_EQ(CardOf(sue_).Json("ok.cards.0.allowed"), "[]");
  const Frame done =
      cards_.Service("card.resolve", On(card, R"(,"outcome":"ok","clientId":"o","effectId":")" +
                                                  asked.Text("ok.card.awaiting.effectId") + "\""));
  EXPECT_EQ(done.Text("card.state"), "PAID") << done.Json();
  ExpectGone(cards_.ann, "ann");
  EXPECT_EQ(CardOf(cards_.ann).Json("ok.cards.0.payload") + CardOf(cards_.ann).Json("ok.cards.0.allowed"),
            "{}[]");
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(RedactedCards, cards_cannot_be_withheld_and_system_messages_are_redacted_like_texts) {
  const std::string card = cards_.Create(cards_.bob, "REQUEST_EXTRA", kPayload);
  EXPECT_EQ(sue_.Ask("moderation.message", On(card, R"(,"moderation":"blocked","reason":"r")")).error(),
            "FORBIDDEN");
  ASSERT_TRUE(cards_.Act(cards_.ann, card, "decline", 1).ok());
  const Frame page = cards_.ann.Ask("message.list", cards_.In());
  ASSERT_EQ(page.Text("ok.messages.0.type"), "system");
  EXPECT_TRUE(Redact(page.Text("ok.messages.0.messageId")).ok());
  EXPECT_EQ(cards_.ann.Ask("message.list", cards_.In()).Text("ok.messages.0.body"), "[redacted]");
  EXPECT_TRUE(Remove(page.Text("ok.messages.0.messageId")).ok());
  EXPECT_THAT(Verify(), IsEmpty());
}

}  // namespace
}  // namespace parley::gateway_test
