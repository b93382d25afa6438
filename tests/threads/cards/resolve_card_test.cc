// Effects: requests to the back end, and the transitions that its answers cause.
#include "threads/cards/resolve_card.h"
#include "tests/threads/cards/card_rows.h"
#include "threads/cards/lapse_cards.h"
#include "threads/cards/outbox.h"

namespace parley::threads {
namespace {

const std::vector<std::string_view> kPorts = {"booking", "payment"};
const std::string kMove = "buyer card.create type=RESCHEDULE";
const std::string kAsked = kMove + "; seller card.act intent=accept";
const std::string kCharged = "seller card.create type=REQUEST_EXTRA; buyer card.act intent=approve";

TEST(ResolveDecision, an_accepted_reschedule_waits_for_the_booking) {
  ExpectCardRows(
      {
          {kMove, "seller card.act intent=accept",
           "6 card.updated M1 RESCHEDULE PENDING v1 awaiting booking.reschedule"},
          {kAsked, "service card.resolve effectId=M1.6",
           "7 card.updated M1 RESCHEDULE ACCEPTED v2; 8 message.created M2 - 'Reschedule: accepted' system "
           "re:M1"},
          {kAsked, "service card.resolve effectId=M1.6 outcome=conflict",
           "7 card.updated M1 RESCHEDULE PENDING v1 error=ACTION_CONFLICT; "
           "8 message.created M2 - 'Reschedule could not be carried out' system re:M1"},
          {kAsked, R"(service card.resolve effectId=M1.6 outcome=failed error={"code":"DOWN","message":"m"})",
           "7 card.updated M1 RESCHEDULE PENDING v1 error=DOWN; "
           "8 message.created M2 - 'Reschedule could not be carried out' system re:M1"},
          {kAsked + "; service card.resolve effectId=M1.6 outcome=conflict", "seller card.act intent=accept",
           "9 card.updated M1 RESCHEDULE PENDING v1 awaiting booking.reschedule"},
          {kAsked + "; service card.resolve effectId=M1.6 outcome=conflict", "seller card.act intent=decline",
           "9 card.updated M1 RESCHEDULE DECLINED v2; 10 message.created M3 - 'Reschedule: declined' system "
           "re:M1"},
      },
      kPorts);
}

TEST(ResolveDecision, no_user_moves_a_card_while_its_effect_is_outstanding) {
  ExpectCardRows(
      {
          {kAsked, "seller card.act intent=accept", "ACTION_INVALID_STATE current=v1"},
          {kAsked, "seller card.act intent=decline", "ACTION_INVALID_STATE current=v1"},
          {kAsked, "seller card.create type=RESCHEDULE", "ACTION_CONFLICT current=v1"},
          {kAsked, "ann(admin) card.act intent=decline reason=r", "ACTION_INVALID_STATE current=v1"},
      },
      kPorts);
}

TEST(ResolveDecision, a_failed_payment_moves_the_card_to_failed_with_the_reason) {
  ExpectCardRows(
      {
          {kCharged,
           R"(service card.resolve effectId=M1.6 outcome=failed error={"code":"card_declined","message":"m"})",
           "7 card.updated M1 REQUEST_EXTRA FAILED v2 error=card_declined; "
           "8 message.created M2 - 'Extra: failed' system re:M1"},
          {kCharged, "service card.resolve effectId=M1.6 outcome=failed",
           "7 card.updated M1 REQUEST_EXTRA FAILED v2 error=FAILED; "
           "8 message.created M2 - 'Extra: failed' system re:M1"},
          {kCharged, "service card.resolve effectId=M1.6 outcome=conflict",
           "7 card.updated M1 REQUEST_EXTRA PENDING v1 error=ACTION_CONFLICT; "
           "8 message.created M2 - 'Extra could not be carried out' system re:M1"},
          {kCharged + "; service card.resolve effectId=M1.6", "seller card.act intent=refund version=2",
           "9 card.updated M1 REQUEST_EXTRA PAID v2 awaiting payment.refund"},
          {kCharged + "; service card.resolve effectId=M1.6; seller card.act intent=refund version=2",
           "service card.resolve effectId=M1.9",
           "10 card.updated M1 REQUEST_EXTRA REFUNDED v3; 11 message.created M3 - 'Extra: refunded' system "
           "re:M1"},
      },
      kPorts);
}

TEST(ResolveDecision, is_only_for_services_and_names_the_outstanding_effect) {
  ExpectCardRows(
      {
          {kAsked, "seller card.resolve effectId=M1.6", "FORBIDDEN"},
          {kAsked, "ann(admin) card.resolve effectId=M1.6", "FORBIDDEN"},
          {kAsked, "service card.resolve effectId=M1.5", "ACTION_INVALID_STATE current=v1"},
          {kMove, "service card.resolve effectId=M1.6", "ACTION_INVALID_STATE current=v1"},
          {kAsked + "; service card.resolve effectId=M1.6", "service card.resolve effectId=M1.6",
           "ACTION_INVALID_STATE current=v2"},
          {kAsked + "; service card.resolve effectId=M1.6 clientId=r",
           "service card.resolve effectId=M1.6 clientId=r", "nothing"},
          {kAsked, "service card.resolve effectId=M1.6 messageId=msg_01h00000000000000000000000",
           "NOT_FOUND"},
          {kAsked + "; ann(admin) thread.setStatus status=locked reason=r",
           "service card.resolve effectId=M1.6",
           "8 card.updated M1 RESCHEDULE ACCEPTED v2; 9 message.created M2 - 'Reschedule: accepted' system "
           "re:M1"},
      },
      kPorts);
}

TEST(ResolveDecision, support_or_a_service_withdraws_an_unanswered_effect) {
  const std::string withdrawn =
      "7 card.updated M1 RESCHEDULE PENDING v1 error=WITHDRAWN; "
      "8 message.created M2 - 'Reschedule could not be carried out' system re:M1";
  const std::string given_up = kAsked + "; service card.act intent=withdraw";
  ExpectCardRows(
      {
          {kAsked, "ann(support) card.act intent=withdraw", "BAD_REQUEST reason"},
          {kAsked, "ann(support) card.act intent=withdraw reason=r", withdrawn},
          {kAsked, "service card.act intent=withdraw", withdrawn},
          {kAsked, "ann(moderator) card.act intent=withdraw reason=r", "FORBIDDEN"},
          {kAsked, "buyer card.act intent=withdraw", "FORBIDDEN"},
          {kAsked, "seller(support) card.act intent=withdraw reason=r", "FORBIDDEN"},
          {kAsked, "service card.act intent=withdraw version=2", "VERSION_CONFLICT current=v1"},
          {kMove, "service card.act intent=withdraw", "ACTION_INVALID_STATE current=v1"},
          {given_up, "service card.resolve effectId=M1.6", "ACTION_INVALID_STATE current=v1"},
          {given_up, "seller card.act intent=decline",
           "9 card.updated M1 RESCHEDULE DECLINED v2; 10 message.created M3 - 'Reschedule: declined' system "
           "re:M1"},
      },
      kPorts);
}

TEST(ResolveDecision, data_of_the_intent_is_kept_until_it_is_carried_out) {
  ExpectCardRows({{kMove + R"(; seller card.act intent=accept data={"note":"fine"})",
                   "service card.resolve effectId=M1.6",
                   "7 card.updated M1 RESCHEDULE ACCEPTED v2 note='fine'; "
                   "8 message.created M2 - 'Reschedule: accepted' system re:M1"}},
                 kPorts);
}

TEST(ResolveDecision, data_that_could_not_be_read_back_is_refused) {
  const auto resolve = [](const std::string& data) {
    return "service card.resolve effectId=M1.6 data=" + data;
  };
  std::string deep = "1", many = "0";
  for (int i = 0; i < 9; ++i) deep = "[" + deep + "]";
  for (int i = 0; i < 1000; ++i) many += ",0";
  ExpectCardRows({{kAsked, resolve(deep), "CARD_INVALID data"},
                  {kAsked, resolve("[" + many + "]"), "CARD_INVALID data"},
                  {kAsked, resolve(R"({"a":")" + std::string(16 * 1024, 'x') + R"("})"), "TOO_LARGE"}},
                 kPorts);
}

TEST(ResolveDecision, a_waiting_card_expires_only_after_its_effect_failed) {
  Scene scene;
  scene.tenant_policy.card_ports = PortsNamed(kPorts);
  scene.Given("buyer thread.create kind=project");
  scene.Given(
      "buyer card.create type=RESCHEDULE expiresAt=2025-11-05T14:10:00.000Z; seller card.act intent=accept");
  scene.Do("+1h");
  EXPECT_EQ(scene.Lapse(), "nothing");
  scene.Given("service card.resolve effectId=M1.6 outcome=conflict");
  EXPECT_EQ(scene.Do("seller card.act intent=accept"), "CARD_EXPIRED current=v1");
  EXPECT_EQ(
      scene.Lapse(),
      "9 card.updated M1 RESCHEDULE EXPIRED v2; 10 message.created M3 - 'Reschedule: expired' system re:M1");
}

TEST(Outbox, contains_an_effect_from_its_request_to_its_resolution) {
  Scene scene;
  scene.tenant_policy.card_ports = PortsNamed({"booking", "cases"});
  scene.Given("buyer thread.create kind=project; " + kMove);
  EXPECT_EQ(OutboxText(scene), "");
  scene.Given("seller card.act intent=accept");
  EXPECT_EQ(OutboxText(scene), "M1.6 booking.reschedule! ");
  EXPECT_EQ(scene.Do("service outbox.ack effectIds=[\"" + scene.names.IdOf("M1") + ".6\"]"), "nothing")
      << "a card waits for this one";
  scene.Given("service card.resolve effectId=M1.6");
  EXPECT_EQ(OutboxText(scene), "");
  scene.Given("buyer card.create type=DISPUTE_OPEN");
  EXPECT_EQ(OutboxText(scene), "M3.10 case.open ");
}

TEST(Outbox, effects_without_a_waiting_card_stay_until_acknowledged) {
  Scene scene;
  scene.tenant_policy.card_ports = PortsNamed({"events"});
  scene.Given("buyer thread.create kind=project; " + kAsked);
  EXPECT_EQ(OutboxText(scene), "M1.5 card.opened M1.6 card.transition ");
  EXPECT_EQ(scene.Do("buyer outbox.ack effectIds=[\"x\"]"), "BAD_REQUEST effectIds");
  const std::string id = scene.names.IdOf("M1");
  EXPECT_EQ(scene.Do("buyer outbox.ack effectIds=[\"" + id + ".5\"]"), "FORBIDDEN");
  EXPECT_EQ(scene.Do("service outbox.ack effectIds=[\"" + id + ".5\",\"" + id + ".99\"]"), "no event");
  EXPECT_EQ(scene.Reply("acknowledged"), "1");
  EXPECT_EQ(OutboxText(scene), "M1.6 card.transition ");
  EXPECT_EQ(scene.Do("service outbox.ack effectIds=[\"" + id + ".5\"]"), "nothing");
}

TEST(Outbox, has_a_bound_and_members_get_an_error_beyond_it) {
  EXPECT_EQ(SizeLimits().max_waiting_effects, 1000u);
  Scene scene;
  scene.tenant_policy.card_ports = PortsNamed({"events"});
  scene.command_limits.max_waiting_effects = 3;
  scene.Given("buyer thread.create kind=project; buyer card.create type=CANCEL_REQUEST");
  scene.Given("seller card.act intent=escalate; buyer card.create type=CANCEL_REQUEST");
  EXPECT_EQ(OutboxText(scene), "M1.5 card.opened M1.6 card.transition M2.8 card.opened ");
  const int64_t seq = scene.Head().item.last_seq;
  EXPECT_EQ(scene.Do("buyer card.create type=CANCEL_REQUEST clientId=late"), "UNAVAILABLE");
  EXPECT_EQ(scene.Do("seller card.act messageId=M2 intent=decline"), "UNAVAILABLE");
  EXPECT_EQ(scene.Head().item.last_seq, seq) << "and nothing changed";
  // Closing cards and safety reports are still accepted.
  scene.Given("ann(support) card.act version=2 intent=resolve reason=r; buyer card.create type=DISPUTE_OPEN");
  const std::string id = scene.names.IdOf("M1");
  scene.Given("service outbox.ack effectIds=[\"" + id + ".5\",\"" + id + ".6\",\"" + id + ".9\"]");
  EXPECT_EQ(OutboxText(scene), "M2.8 card.opened M4.12 card.opened ");
  scene.Given("buyer card.create type=CANCEL_REQUEST clientId=late");
}

TEST(Outbox, without_a_served_port_nothing_is_requested_and_no_card_waits) {
  Scene scene;
  scene.Given("buyer thread.create kind=project; " + kAsked);
  EXPECT_EQ(scene.Reply("card.state"), "ACCEPTED");
  EXPECT_EQ(OutboxText(scene), "");
}

}  // namespace
}  // namespace parley::threads
