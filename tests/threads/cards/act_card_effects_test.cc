// Effects of a card's transitions: on the thread, between the two parties, on the back end, and in the
// records.
#include "tests/threads/cards/card_rows.h"
#include "threads/cards/act_on_card.h"
#include "threads/cards/change_card.h"
#include "threads/cards/create_card.h"
#include "threads/cards/payload.h"

namespace parley::threads {
namespace {

TEST_F(CardScene, a_shared_location_disappears_after_its_time) {
  scene.Given(
      R"(buyer card.create type=SHARE_LOCATION payload={"latE6":48,"lonE6":11,"until":"2025-11-05T14:10:00.000Z"})");
  EXPECT_EQ(scene.Reply("card.payload.latE6"), "48");
  EXPECT_EQ(Pick(Message("M1").item.action->payload.msgpack, "latE6", scene.names), "")
      << "the message never holds it";
  scene.Do("+10m");
  const auto refused = protocol::Result<CardStep>(
      JudgeAct(*scene.StandingOf(CallerFrom("seller"), scene.ThreadNamed("T")), CallerFrom("seller"),
               {Card("M1"), Message("M1")}, {"stop", 1, {}, {}}, scene.clock.Now()));
  EXPECT_EQ(ErrorText(refused.error()), "CARD_EXPIRED current=v1");
  EXPECT_EQ(Pick(refused.error().current, "state", scene.names), "EXPIRED");
  EXPECT_EQ(Pick(refused.error().current, "payload.until", scene.names), "2025-11-05T14:10:00.000Z");
  EXPECT_EQ(Pick(refused.error().current, "payload.latE6", scene.names), "") << "not before the sweep either";
  EXPECT_EQ(
      scene.Lapse(),
      "6 card.updated M1 SHARE_LOCATION EXPIRED v2; 7 message.created M2 - 'Location: expired' system re:M1");
  EXPECT_EQ(Pick(Card("M1").item.payload.msgpack, "latE6", scene.names), "");
  EXPECT_EQ(Pick(Card("M1").item.payload.msgpack, "until", scene.names), "2025-11-05T14:10:00.000Z");
}

TEST_F(CardScene, an_open_dispute_shows_on_the_thread_until_it_ends) {
  scene.Given("buyer card.create type=DISPUTE_OPEN");
  EXPECT_EQ(scene.Head().item.dispute_message_id, scene.MessageNamed("M1"));
  EXPECT_EQ(scene.Do("seller message.pin messageId=M1 pinned=false"), "FORBIDDEN");
  scene.Given("seller card.act intent=escalate");
  EXPECT_EQ(scene.Head().item.dispute_message_id, scene.MessageNamed("M1"));
  ASSERT_TRUE(scene.Head().item.pins.has_value());
  EXPECT_EQ(scene.Head().item.pins->items, std::vector{scene.MessageNamed("M1")});
  EXPECT_EQ(Message("M1").item.pin.value->by.value, "buyer");
  EXPECT_EQ(scene.Do("buyer card.act intent=settle version=2"), "ACTION_INVALID_STATE current=v2");
  EXPECT_EQ(scene.Do("ann(support) card.act intent=resolve version=2 reason=r"),
            "7 card.updated M1 DISPUTE_OPEN RESOLVED v3; 8 message.updated M1 buyer 'Dispute' action; "
            "9 message.created M2 - 'Dispute: resolved' system re:M1");
  EXPECT_EQ(scene.Head().item.dispute_message_id, std::nullopt);
  EXPECT_EQ(scene.Head().item.pins, std::nullopt);
  EXPECT_EQ(Message("M1").item.pin.value, std::nullopt);
  EXPECT_EQ(Message("M1").item.action->state.value, "RESOLVED");
}

TEST_F(CardScene, pins_of_members_leave_room_for_a_dispute) {
  for (size_t i = 1; i <= protocol::kMaxPins; ++i) {
    scene.Given("buyer message.send body=x" + std::to_string(i));
    scene.Given("buyer message.pin pinned=true messageId=M" + std::to_string(i));
  }
  scene.Given("buyer card.create type=DISPUTE_OPEN");
  EXPECT_EQ(scene.Head().item.pins->items.size(), protocol::kMaxPins + 1);
  scene.Given("buyer message.send body=y");
  EXPECT_EQ(scene.Do("buyer message.pin pinned=true messageId=M22"), "TOO_LARGE");
}

TEST(ActEffects, a_safety_report_stops_the_pair_from_writing_until_it_is_resolved) {
  const std::string report = "buyer card.create type=SAFETY";
  ExpectCardRows({
      {report, "seller message.send body=x", "SAFETY_SOFT_BLOCK"},
      {report, "buyer message.send body=x", "SAFETY_SOFT_BLOCK"},
      {"buyer participant.add userId=carol; " + report, "carol message.send body=x",
       "7 message.created M2 carol 'x'"},
      {report + "; ann(support) card.act intent=resolve reason=r", "seller message.send body=x",
       "8 message.created M3 seller 'x'"},
      {report, "buyer card.act intent=resolve", "FORBIDDEN"},
      {report, "seller card.act intent=resolve", "NOT_FOUND"},
  });
}

TEST(ActEffects, a_safety_report_stops_every_op_that_writes_to_the_other) {
  const std::string said = "seller message.send body=x; buyer card.create type=CANCEL_REQUEST; ";
  const std::string report = said + "buyer card.create type=SAFETY";
  const std::string blocked = "SAFETY_SOFT_BLOCK";
  ExpectCardRows({
      {report, "seller message.edit messageId=M1 body=y", blocked},
      {report, "seller message.delete messageId=M1", "9 message.updated M1 seller '' deleted"},
      {report, "seller card.create type=REQUEST_EXTRA", blocked},
      {report, R"(buyer card.create type=CUSTOM allowedTransitions=[{"intent":"a","toState":"B"}])", blocked},
      {report, "seller card.act messageId=M2 intent=approve", blocked},
      {report, "service(seller) card.act messageId=M2 intent=approve", blocked},
      {report, R"(buyer tab.put tab=brief version=0 content={"title":"x"})", blocked},
      {report, "seller card.create type=SAFETY",
       "9 message.created M4 seller 'Safety report' action; 10 card.updated M4 SAFETY OPEN v1"},
      {report, "seller card.create type=DISPUTE_OPEN",
       "9 message.created M4 seller 'Dispute' action pinned by seller; 10 card.updated M4 DISPUTE_OPEN OPEN "
       "v1"},
      {said + "buyer card.create type=DISPUTE_OPEN; buyer card.create type=SAFETY",
       "buyer card.act messageId=M3 intent=settle",
       "11 card.updated M3 DISPUTE_OPEN SETTLED v2; 12 message.updated M3 buyer 'Dispute' action; "
       "13 message.created M5 - 'Dispute: settled' system re:M3"},
      {report, "ann(support) card.act messageId=M2 intent=decline reason=r",
       "9 card.updated M2 CANCEL_REQUEST DECLINED v2; "
       "10 message.created M4 - 'Cancellation: declined' system re:M2"},
      {report, "service tab.put tab=docs version=0 content={\"envelopes\":[]}", "9 tab.updated docs"},
  });
}

TEST_F(CardScene, a_safety_report_opens_a_case_and_resolving_it_closes_the_case) {
  scene.tenant_policy.card_ports = PortsNamed({"cases"});
  scene.Given("buyer card.create type=SAFETY");
  EXPECT_EQ(OutboxText(scene), "M1.5 case.open ");
  scene.Given("ann(support) card.act intent=resolve reason=r");
  EXPECT_EQ(OutboxText(scene), "M1.5 case.open M1.6 case.close ");
}

TEST_F(CardScene, a_dispute_holds_the_payout_until_it_ends) {
  scene.tenant_policy.card_ports = PortsNamed({"cases", "payment"});
  scene.Given("buyer card.create type=DISPUTE_OPEN");
  EXPECT_EQ(OutboxText(scene), "M1.4 payment.hold M1.5 case.open ");
  scene.Given("service outbox.ack effectIds=[\"" + scene.names.IdOf("M1") +
              ".4\"]; seller card.act intent=escalate");
  EXPECT_EQ(OutboxText(scene), "M1.5 case.open ");
  scene.Given("ann(support) card.act intent=resolve version=2 reason=r");
  EXPECT_EQ(OutboxText(scene), "M1.5 case.open M1.7 case.close M1.9 payment.release ");
}

TEST_F(CardScene, an_effect_names_the_leg_of_its_thread) {
  scene.tenant_policy.card_ports = PortsNamed({"events"});
  scene.Given("service thread.promote legId=leg_1 eventId=e");
  scene.Given(R"(seller card.create type=REQUEST_EXTRA payload={"name":"a","priceCents":1})");
  scene.Given("service thread.promote lbgId=lbg_1 legId=leg_3 eventId=f");
  scene.Given("buyer card.act intent=decline");
  EXPECT_EQ(OutboxText(scene, "legId"), "leg_1 leg_3 ");
}

TEST_F(CardScene, every_transition_is_an_event_with_the_ids_of_its_subjects) {
  scene.tenant_policy.card_ports = PortsNamed({"events"});
  scene.Given("service thread.promote lbgId=lbg_1 legId=leg_1 eventId=e");
  scene.Given(
      R"(seller card.create type=REQUEST_EXTRA payload={"name":"a","priceCents":5,"docId":"d-1","amendmentId":"a-1"})");
  scene.Given("buyer card.act intent=decline");
  EXPECT_EQ(OutboxText(scene, "effect"), "card.opened card.transition ");
  EXPECT_EQ(OutboxText(scene, "fromState"), " PENDING ");
  EXPECT_EQ(OutboxText(scene, "toState"), "PENDING DECLINED ");
  EXPECT_EQ(OutboxText(scene, "intent"), "open decline ");
  EXPECT_EQ(OutboxText(scene, "version"), "1 2 ");
  EXPECT_EQ(OutboxText(scene, "actorUserId"), "seller buyer ");
  EXPECT_EQ(OutboxText(scene, "lbgId"), "lbg_1 lbg_1 ");
  EXPECT_EQ(OutboxText(scene, "legId"), "leg_1 leg_1 ");
  EXPECT_EQ(OutboxText(scene, "docId"), "d-1 d-1 ");
  EXPECT_EQ(OutboxText(scene, "amendmentId"), "a-1 a-1 ");
  const std::string now = protocol::FormatTime(scene.clock.Now());
  EXPECT_EQ(OutboxText(scene, "at"), now + " " + now + " ");
}

TEST_F(CardScene, every_transition_leaves_an_audit_record) {
  scene.Given(
      R"(seller card.create type=REQUEST_EXTRA payload={"name":"a","priceCents":5,"legId":"leg_9","docId":"d-1"})");
  scene.Given("ann(admin) card.act intent=decline reason='by phone'");
  const CardAudit opened = scene.Audit(5), declined = scene.Audit(6);
  EXPECT_EQ(opened.what, "opened");
  EXPECT_EQ(opened.to_state, "PENDING");
  EXPECT_EQ(opened.version, 1);
  EXPECT_EQ(declined.what, "transition");
  EXPECT_EQ(declined.from_state, "PENDING");
  EXPECT_EQ(declined.to_state, "DECLINED");
  EXPECT_EQ(declined.intent, "decline");
  EXPECT_EQ(declined.version, 2);
  EXPECT_EQ(declined.actor_user_id->value, "ann");
  EXPECT_EQ(declined.actor_role, "admin");
  EXPECT_EQ(*declined.reason, "by phone");
  EXPECT_EQ(declined.category, "booking.extras");
  EXPECT_EQ(declined.leg_id->value, "leg_9");
  EXPECT_EQ(*declined.doc_id, "d-1");
  EXPECT_EQ(declined.message_id, scene.MessageNamed("M1"));
  EXPECT_EQ(declined.at, scene.clock.Now());
}

TEST_F(CardScene, the_head_lists_open_cards_until_they_are_final) {
  scene.Given("buyer card.create type=RESCHEDULE; seller card.create type=DELIVERABLE_PROOF");
  EXPECT_EQ(OpenCardsOf(scene.Head()).size(), 2u);
  scene.Given("buyer card.act messageId=M2 intent=request_revisions");
  EXPECT_EQ(OpenCardsOf(scene.Head()).size(), 2u);
  EXPECT_EQ(OpenCardsOf(scene.Head())[1].state.value, "REVISION_REQUESTED");
  scene.Given("seller card.act intent=accept; seller card.act messageId=M2 version=2 intent=cancel");
  EXPECT_TRUE(OpenCardsOf(scene.Head()).empty());
}

TEST_F(CardScene, the_message_shows_the_state_of_its_card_and_keeps_its_own_seq) {
  scene.Given("buyer card.create type=RESCHEDULE; seller card.act intent=decline");
  const MessageRow message = Message("M1");
  EXPECT_EQ(message.item.action->state.value, "DECLINED");
  EXPECT_EQ(message.item.action->version, 2);
  EXPECT_EQ(message.item.seq, 4);
}

}  // namespace
}  // namespace parley::threads
