// card.act as a decision: permission, state, version, and effects on other cards.
#include "tests/threads/cards/card_rows.h"
#include "threads/cards/act_on_card.h"
#include "threads/cards/change_card.h"
#include "threads/cards/create_card.h"
#include "threads/cards/payload.h"

namespace parley::threads {
namespace {

constexpr std::string_view kRescheduleCard = "buyer card.create type=RESCHEDULE";
constexpr std::string_view kExtra = "seller card.create type=REQUEST_EXTRA";

TEST(ActDecision, takes_a_seq_raises_the_version_and_announces_an_outcome) {
  ExpectCardRows({
      {kRescheduleCard, "seller card.act intent=accept",
       "6 card.updated M1 RESCHEDULE ACCEPTED v2; 7 message.created M2 - 'Reschedule: accepted' system "
       "re:M1"},
      {"buyer card.create type=OVERTIME_START", "seller card.act intent=confirm",
       "6 card.updated M1 OVERTIME_START RUNNING v2"},
      {kExtra, "buyer card.act intent=decline data={\"note\":\"too dear\"}",
       "6 card.updated M1 REQUEST_EXTRA DECLINED v2 note='too dear'; "
       "7 message.created M2 - 'Extra: declined' system re:M1"},
  });
}

TEST(ActDecision, every_outcome_posts_a_system_message_that_refers_to_its_card) {
  ExpectCardRows({
      {"seller card.create type=DELIVERABLE_FINAL", "buyer card.act intent=acknowledge",
       "6 card.updated M1 DELIVERABLE_FINAL ACCEPTED v2; "
       "7 message.created M2 - 'Final delivery: accepted' system re:M1"},
      {"seller card.create type=DELIVERABLE_FINAL", "buyer card.act intent=request_revisions",
       "6 card.updated M1 DELIVERABLE_FINAL REVISION_REQUESTED v2"},
  });
}

TEST(ActDecision, a_stale_version_is_refused_with_the_current_card) {
  const std::string running = "buyer card.create type=OVERTIME_START; seller card.act intent=confirm";
  ExpectCardRows({
      {kRescheduleCard, "seller card.act intent=accept version=2", "VERSION_CONFLICT current=v1"},
      {kRescheduleCard, "seller card.act intent=accept version=0", "VERSION_CONFLICT current=v1"},
      {running, "buyer card.act intent=stop version=1", "VERSION_CONFLICT current=v2"},
      {running, "buyer card.act intent=stop version=2",
       "7 card.updated M1 OVERTIME_START STOPPED v3; 8 message.created M2 - 'Overtime: stopped' system "
       "re:M1"},
  });
}

TEST(ActDecision, one_of_two_accepts_wins) {
  ExpectCardRows({
      {std::string(kRescheduleCard) + "; seller card.act intent=accept", "seller card.act intent=accept",
       "VERSION_CONFLICT current=v2"},
      {std::string(kRescheduleCard) + "; seller card.act intent=accept",
       "seller card.act intent=accept version=2", "ACTION_INVALID_STATE current=v2"},
  });
}

TEST(ActDecision, is_allowed_for_the_role_in_the_table) {
  const std::string claim = "seller card.create type=DEPOSIT_CLAIM_OPEN";
  const std::string refund = "buyer card.create type=REFUND_REQUEST; seller card.act intent=approve";
  ExpectCardRows({
      {kRescheduleCard, "buyer card.act intent=accept", "FORBIDDEN"},
      {kRescheduleCard, "seller card.act intent=expire", "FORBIDDEN"},
      {kExtra, "seller card.act intent=approve", "FORBIDDEN"},
      {kExtra, "service card.act intent=approve", "FORBIDDEN"},
      {kExtra, "service card.act intent=fail",
       "6 card.updated M1 REQUEST_EXTRA FAILED v2; 7 message.created M2 - 'Extra: failed' system re:M1"},
      {kExtra, "carol card.act intent=approve", "THREAD_NOT_MEMBER"},
      {"buyer participant.add userId=carol; " + std::string(kExtra), "carol card.act intent=approve",
       "FORBIDDEN"},
      {"buyer participant.update userId=buyer permission=read; " + std::string(kExtra),
       "buyer card.act intent=approve", "FORBIDDEN"},
      {claim, "buyer card.act intent=approve", "FORBIDDEN"},
      {claim, "seller card.act intent=deny", "FORBIDDEN"},
      {claim, "ann(support) card.act intent=approve", "BAD_REQUEST reason"},
      {claim, "ann(moderator) card.act intent=approve reason=r", "FORBIDDEN"},
      {claim, "ann(support) card.act intent=approve reason=r",
       "6 card.updated M1 DEPOSIT_CLAIM_OPEN APPROVED v2; "
       "7 message.created M2 - 'Deposit claim: approved' system re:M1"},
      {kRescheduleCard, "ann(admin) card.act intent=accept", "BAD_REQUEST reason"},
      {kRescheduleCard, "ann(admin) card.act intent=decline reason=r",
       "6 card.updated M1 RESCHEDULE DECLINED v2; 7 message.created M2 - 'Reschedule: declined' system "
       "re:M1"},
      {kRescheduleCard, "buyer(admin) card.act intent=accept reason=r", "FORBIDDEN"},
      {refund, "seller card.act intent=settle version=2", "FORBIDDEN"},
      {refund, "service card.act intent=settle version=2",
       "7 card.updated M1 REFUND_REQUEST SETTLED v3; 8 message.created M2 - 'Refund: settled' system re:M1"},
      {"", "seller card.act intent=accept messageId=msg_01h00000000000000000000000", "NOT_FOUND"},
  });
}

TEST(ActDecision, data_has_exactly_the_fields_of_the_intent) {
  const std::string asked =
      "seller card.create type=DELIVERABLE_FINAL; buyer card.act intent=request_revisions";
  ExpectCardRows({
      {kRescheduleCard, R"(seller card.act intent=accept data={"price":1})", "CARD_INVALID price"},
      {kRescheduleCard, R"(seller card.act intent=accept data=[1])", "CARD_INVALID data"},
      {kRescheduleCard, "seller card.act intent=counter", "BAD_REQUEST data"},
      {asked, "seller card.act intent=resubmit version=2", "BAD_REQUEST data"},
      {asked, R"(seller card.act intent=resubmit version=2 data={"manifestRef":"https://m.example/m-1"})",
       "CARD_INVALID manifestRef"},
      {asked,
       R"(seller card.act intent=resubmit version=2 data={"manifestRef":"https://m.example/m-2","maxRevisions":9})",
       "CARD_INVALID maxRevisions"},
      {asked, R"(seller card.act intent=resubmit version=2 data={"manifestRef":"https://m.example/m-2"})",
       "7 card.updated M1 DELIVERABLE_FINAL SUBMITTED v3"},
  });
}

TEST(ActDecision, only_one_reschedule_is_open_and_a_counter_replaces_it) {
  const std::string counter =
      R"(data={"newStart":"2026-02-02T10:00:00.000Z","newEnd":"2026-02-02T12:00:00.000Z"})";
  const std::string countered = std::string(kRescheduleCard) + "; seller card.act intent=counter " + counter;
  ExpectCardRows({
      {kRescheduleCard, "buyer card.create type=RESCHEDULE", "ACTION_CONFLICT current=v1"},
      {kRescheduleCard, "seller card.create type=RESCHEDULE",
       "6 message.created M2 seller 'Reschedule' action; 7 card.updated M2 RESCHEDULE PENDING v1 after M1; "
       "8 card.updated M1 RESCHEDULE SUPERSEDED v2 before M2"},
      {kRescheduleCard, "seller card.act intent=counter " + counter,
       "6 message.created M2 seller 'Reschedule' action; 7 card.updated M2 RESCHEDULE PENDING v1 after M1; "
       "8 card.updated M1 RESCHEDULE SUPERSEDED v2 before M2"},
      {kRescheduleCard, "buyer card.act intent=counter " + counter, "FORBIDDEN"},
      {kRescheduleCard, "ann(admin) card.act intent=counter reason=r " + counter, "FORBIDDEN"},
      {countered, "seller card.act intent=accept", "VERSION_CONFLICT current=v2"},
      {countered, "seller card.act messageId=M2 intent=accept", "FORBIDDEN"},
      {countered, "buyer card.act messageId=M2 intent=accept",
       "9 card.updated M2 RESCHEDULE ACCEPTED v2 after M1; "
       "10 message.created M3 - 'Reschedule: accepted' system re:M2"},
      {std::string(kRescheduleCard) + "; seller card.act intent=decline", "buyer card.create type=RESCHEDULE",
       "8 message.created M3 buyer 'Reschedule' action; 9 card.updated M3 RESCHEDULE PENDING v1"},
  });
}

TEST(ActDecision, completion_waits_for_reschedules_and_a_dispute_stops_it_and_extras) {
  const std::string complete = "seller card.create type=ACCEPTANCE_ACK";
  const std::string dispute = "buyer card.create type=DISPUTE_OPEN";
  ExpectCardRows({
      {complete + "; " + std::string(kRescheduleCard), "buyer card.act intent=acknowledge",
       "ACTION_INVALID_STATE current=v1"},
      {complete + "; " + std::string(kRescheduleCard) + "; seller card.act messageId=M2 intent=decline",
       "buyer card.act intent=acknowledge",
       "10 card.updated M1 ACCEPTANCE_ACK COMPLETED v2; "
       "11 message.created M4 - 'Completion: completed' system re:M1"},
      {complete + "; " + dispute, "buyer card.act intent=acknowledge", "ACTION_INVALID_STATE current=v1"},
      {dispute, complete, "ACTION_INVALID_STATE"},
      {dispute, "seller card.create type=REQUEST_EXTRA", "ACTION_INVALID_STATE"},
      {dispute, "seller card.create type=EXPENSE", "ACTION_INVALID_STATE"},
      {std::string(kExtra) + "; " + dispute, "buyer card.act intent=approve",
       "ACTION_INVALID_STATE current=v1"},
      {std::string(kExtra) + "; " + dispute, "buyer card.act intent=decline",
       "8 card.updated M1 REQUEST_EXTRA DECLINED v2; 9 message.created M3 - 'Extra: declined' system re:M1"},
      {dispute, "seller card.act intent=settle", "FORBIDDEN"},
      {dispute + "; buyer card.act intent=settle", "seller card.create type=REQUEST_EXTRA",
       "9 message.created M3 seller 'Extra' action; 10 card.updated M3 REQUEST_EXTRA PENDING v1"},
  });
}

TEST(ActDecision, a_counter_expires_like_the_first_or_as_it_requests) {
  const std::string given = std::string(kRescheduleCard) + " expiresAt=2025-11-05T15:00:00.000Z";
  const auto end_of = [&](const std::string& more) {
    Scene scene;
    scene.Given("buyer thread.create kind=project; " + given);
    const std::string said = scene.Do("seller card.act intent=counter " + more +
                                      " data=" + std::string(SomePayload("RESCHEDULE")));
    return scene.accepted ? protocol::FormatTime(*NextDue(scene.Head())) : said;
  };
  EXPECT_EQ(end_of(""), "2025-11-05T15:00:00.000Z");
  EXPECT_EQ(end_of("expiresAt=2025-11-05T16:00:00.000Z"), "2025-11-05T16:00:00.000Z");
  EXPECT_EQ(end_of("expiresAt=2025-11-05T13:00:00.000Z"), "CARD_INVALID expiresAt");
  ExpectCardRows({{kRescheduleCard, "seller card.act intent=accept expiresAt=2025-11-05T16:00:00.000Z",
                   "BAD_REQUEST expiresAt"}});
}

TEST(ActDecision, the_note_is_that_of_the_last_intent) {
  const std::string proof = "seller card.create type=DELIVERABLE_PROOF";
  ExpectCardRows({
      {proof + R"(; buyer card.act intent=request_revisions data={"note":"brighter"})",
       R"(seller card.act intent=resubmit version=2 data={"manifestRef":"https://m.example/m-2"})",
       "7 card.updated M1 DELIVERABLE_PROOF SUBMITTED v3"},
  });
}

TEST(ActDecision, at_most_three_proposals_are_open) {
  const std::string three =
      std::string(kExtra) + "; " + std::string(kExtra) + "; " + std::string(kRescheduleCard);
  ExpectCardRows({
      {three, kExtra, "ACTION_INVALID_STATE"},
      {three, "buyer card.create type=OVERTIME_START", "ACTION_INVALID_STATE"},
      {three, "buyer card.create type=CANCEL_REQUEST",
       "10 message.created M4 buyer 'Cancellation' action; 11 card.updated M4 CANCEL_REQUEST PENDING v1"},
      {three, "seller card.create type=RESCHEDULE",
       "10 message.created M4 seller 'Reschedule' action; 11 card.updated M4 RESCHEDULE PENDING v1 after M3; "
       "12 card.updated M3 RESCHEDULE SUPERSEDED v2 before M4"},
      {three + "; buyer card.act intent=decline", kExtra,
       "12 message.created M5 seller 'Extra' action; 13 card.updated M5 REQUEST_EXTRA PENDING v1"},
  });
}

TEST(ActDecision, a_deliverable_alternates_until_it_is_approved_within_its_revisions) {
  const std::string capped =
      R"(seller card.create type=DELIVERABLE_PROOF payload={"manifestRef":"https://m.example/m-1","maxRevisions":1})";
  const std::string again =
      R"(seller card.act intent=resubmit version=2 data={"manifestRef":"https://m.example/m-2","maxRevisions":1})";
  ExpectCardRows({
      {capped + "; buyer card.act intent=request_revisions; " + again,
       "buyer card.act intent=approve version=3",
       "8 card.updated M1 DELIVERABLE_PROOF APPROVED v4; 9 message.created M2 - 'Proofs: approved' system "
       "re:M1"},
      {capped + "; buyer card.act intent=request_revisions; " + again,
       "buyer card.act intent=request_revisions version=3", "ACTION_INVALID_STATE current=v3"},
      {"seller card.create type=DELIVERABLE_PROOF", "buyer card.create type=REQUEST_REVISIONS",
       "6 message.created M2 buyer 'Revisions' action; 7 card.updated M2 REQUEST_REVISIONS APPLIED v1; "
       "8 card.updated M1 DELIVERABLE_PROOF REVISION_REQUESTED v2"},
      {"seller card.create type=DELIVERABLE_FINAL", "buyer card.create type=APPROVE_DELIVERABLE",
       "6 message.created M2 buyer 'Approval' action; 7 card.updated M2 APPROVE_DELIVERABLE APPLIED v1; "
       "8 card.updated M1 DELIVERABLE_FINAL ACCEPTED v2; "
       "9 message.created M3 - 'Final delivery: accepted' system re:M1"},
      {"seller card.create type=DELIVERABLE_FINAL", "seller card.create type=APPROVE_DELIVERABLE",
       "FORBIDDEN"},
      {capped + "; buyer card.act intent=request_revisions; " + again,
       R"(buyer card.create type=APPROVE_DELIVERABLE payload={"deliverableId":"M1","version":1})",
       "VERSION_CONFLICT current=v3"},
      {capped + "; buyer card.act intent=request_revisions; " + again,
       R"(buyer card.create type=APPROVE_DELIVERABLE payload={"deliverableId":"M1","version":3})",
       "8 message.created M2 buyer 'Approval' action; 9 card.updated M2 APPROVE_DELIVERABLE APPLIED v1; "
       "10 card.updated M1 DELIVERABLE_PROOF APPROVED v4; "
       "11 message.created M3 - 'Proofs: approved' system re:M1"},
      {kRescheduleCard, "buyer card.create type=APPROVE_DELIVERABLE", "NOT_FOUND"},
      {"seller card.create type=DELIVERABLE_PROOF; buyer card.act intent=approve",
       "buyer card.create type=APPROVE_DELIVERABLE", "ACTION_INVALID_STATE current=v2"},
  });
}

TEST_F(CardScene, an_accepted_deliverable_keeps_its_manifest_for_ever) {
  scene.Given("seller card.create type=DELIVERABLE_FINAL; buyer card.act intent=acknowledge");
  EXPECT_EQ(
      scene.Do(R"(seller card.act intent=resubmit version=2 data={"manifestRef":"https://m.example/m-2"})"),
      "ACTION_INVALID_STATE current=v2");
  EXPECT_EQ(PayloadText(Card("M1").item.payload, "manifestRef"), "https://m.example/m-1");
  EXPECT_EQ(scene.Do("seller message.edit messageId=M1 body=x"), "FORBIDDEN");
}

TEST(ActDecision, a_manifest_cannot_be_used_twice_in_the_life_of_a_card) {
  const auto round = [](int version, const std::string& manifest) {
    return "; buyer card.act intent=request_revisions version=" + std::to_string(version) +
           "; seller card.act intent=resubmit version=" + std::to_string(version + 1) +
           R"( data={"manifestRef":"https://m.example/)" + manifest + R"("})";
  };
  const std::string final = "seller card.create type=DELIVERABLE_FINAL",
                    asked = "; buyer card.act intent=request_revisions version=5";
  const std::string given = final + round(1, "m-2") + round(3, "m-3") + asked;
  const auto resubmit = [](const std::string& manifest) {
    return R"(seller card.act intent=resubmit version=6 data={"manifestRef":"https://m.example/)" + manifest +
           R"("})";
  };
  ExpectCardRows({
      {given, resubmit("m-1"), "CARD_INVALID manifestRef"},
      {given, resubmit("m-2"), "CARD_INVALID manifestRef"},
      {given, resubmit("m-3"), "CARD_INVALID manifestRef"},
      {given, resubmit("m-4"), "11 card.updated M1 DELIVERABLE_FINAL SUBMITTED v7"},
  });
}

TEST_F(CardScene, an_expired_card_refuses_every_intent) {
  scene.Given("buyer card.create type=RESCHEDULE expiresAt=2025-11-05T14:10:00.000Z");
  scene.Do("+10m");
  EXPECT_EQ(scene.Do("seller card.act intent=accept"), "CARD_EXPIRED current=v1");
  EXPECT_EQ(scene.Do("seller card.act intent=accept version=7"), "CARD_EXPIRED current=v1");
  EXPECT_EQ(
      scene.Lapse(),
      "6 card.updated M1 RESCHEDULE EXPIRED v2; 7 message.created M2 - 'Reschedule: expired' system re:M1");
  EXPECT_EQ(scene.Do("seller card.act intent=accept"), "CARD_EXPIRED current=v2");
  EXPECT_EQ(scene.Lapse(), "nothing") << "doing it twice changes nothing";
  EXPECT_TRUE(OpenCardsOf(scene.Head()).empty());
}

TEST_F(CardScene, an_answer_in_time_removes_the_expiry) {
  scene.Given(
      "buyer card.create type=OVERTIME_START expiresAt=2025-11-05T14:10:00.000Z; seller card.act "
      "intent=confirm");
  EXPECT_EQ(NextDue(scene.Head()), std::nullopt);
  scene.Do("+1h");
  EXPECT_EQ(scene.Lapse(), "nothing");
  EXPECT_EQ(
      scene.Do("buyer card.act intent=stop version=2"),
      "7 card.updated M1 OVERTIME_START STOPPED v3; 8 message.created M2 - 'Overtime: stopped' system re:M1");
}

}  // namespace
}  // namespace parley::threads
