// card.create as a decision.
#include <set>

#include "tests/threads/cards/card_rows.h"

namespace parley::threads {
namespace {

TEST(CreateCardDecision, writes_the_action_message_and_the_card_at_version_1_in_one_step) {
  for (const CardKind& kind : CardKinds()) {
    if (!kind.applies.empty()) continue;
    SCOPED_TRACE(kind.type);
    Scene scene;
    scene.Given("buyer thread.create kind=project");
    const std::string who = kind.creator == CardActor::kSeller ? "seller" : "buyer";
    const std::string type(kind.type);
    EXPECT_EQ(scene.Do(who + " card.create type=" + type + " clientId=c"),
              "4 message.created M1 " + who + " '" + std::string(kind.title) + "' action" +
                  (kind.pinned ? " pinned by " + who : "") + "; 5 card.updated M1 " + type + " " +
                  std::string(kind.first) + " v1");
    EXPECT_EQ(scene.Reply("messageId"), "M1");
    EXPECT_EQ(scene.Reply("card.version"), "1");
    EXPECT_EQ(scene.Reply("card.createdBy"), who);
    const auto message =
        *scene.Rows(TenantId{"demo"}).Message(scene.ThreadNamed("T"), scene.MessageNamed("M1"));
    ASSERT_TRUE(message->item.action.has_value());
    EXPECT_EQ(message->item.action->type.value, type);
    EXPECT_EQ(message->item.action->state.value, kind.first);
    EXPECT_EQ(message->item.client_id->value, "c");
  }
}

TEST(CreateCardDecision, is_refused_on_an_inquiry_and_allowed_once_it_is_a_project) {
  ExpectRows({
      {"", "seller card.create type=REQUEST_EXTRA", "FORBIDDEN"},
      {"service thread.promote legId=L eventId=e", "seller card.create type=REQUEST_EXTRA",
       "6 message.created M2 seller 'Extra' action; 7 card.updated M2 REQUEST_EXTRA PENDING v1"},
  });
}

TEST(CreateCardDecision, is_allowed_for_the_side_that_opens_such_cards) {
  ExpectCardRows({
      {"", "buyer card.create type=REQUEST_EXTRA", "FORBIDDEN"},
      {"", "buyer card.create type=DELIVERABLE_PROOF", "FORBIDDEN"},
      {"", "buyer card.create type=DEPOSIT_CLAIM_OPEN", "FORBIDDEN"},
      {"", "carol card.create type=RESCHEDULE", "THREAD_NOT_MEMBER"},
      {"", "service card.create type=RESCHEDULE", "FORBIDDEN"},
      {"", "ann(support) card.create type=RESCHEDULE", "FORBIDDEN"},
      {"buyer participant.add userId=carol", "carol card.create type=RESCHEDULE", "FORBIDDEN"},
      {"buyer participant.add userId=carol roleContext=seller", "carol card.create type=REQUEST_EXTRA",
       "FORBIDDEN"},
      {"", "service(buyer) card.create type=RESCHEDULE",
       "4 message.created M1 buyer 'Reschedule' action; 5 card.updated M1 RESCHEDULE PENDING v1"},
  });
}

TEST(CreateCardDecision, a_locked_or_archived_thread_refuses_cards) {
  ExpectCardRows({
      {"ann(admin) thread.setStatus status=locked reason=r", "buyer card.create type=RESCHEDULE",
       "THREAD_LOCKED"},
      {"ann(admin) thread.setStatus status=archived reason=r", "buyer card.create type=RESCHEDULE",
       "THREAD_ARCHIVED"},
      {"buyer card.create type=RESCHEDULE; ann(admin) thread.setStatus status=locked reason=r",
       "seller card.act intent=accept", "THREAD_LOCKED"},
  });
}

TEST(CreateCardDecision, a_repeat_gets_the_first_result_and_another_payload_is_a_conflict) {
  const std::string first = "seller card.create type=REQUEST_EXTRA clientId=c";
  const std::string later = first + "; buyer card.act intent=decline";
  ExpectCardRows({
      {first, first, "nothing"},
      {later, first, "nothing"},
      {first, first + R"( payload={"name":"x","priceCents":1})", "IDEMPOTENCY_CONFLICT"},
      {first, "seller message.send clientId=c body=x", "IDEMPOTENCY_CONFLICT"},
      {first + "; ann(admin) thread.setStatus status=locked reason=r", first, "nothing"},
      {first + "; +49h", "seller card.create type=REQUEST_EXTRA clientId=c",
       "6 message.created M2 seller 'Extra' action; 7 card.updated M2 REQUEST_EXTRA PENDING v1"},
      {first + "; buyer card.act intent=decline clientId=a", "buyer card.act intent=decline clientId=a",
       "nothing"},
      {first + "; buyer card.act intent=decline clientId=a", "buyer card.act intent=approve clientId=a",
       "IDEMPOTENCY_CONFLICT"},
  });
  Scene scene;
  scene.Given("buyer thread.create kind=project; " + later);
  EXPECT_EQ(scene.Do(first), "nothing");
  EXPECT_EQ(scene.Reply("duplicate"), "true");
  EXPECT_EQ(scene.Reply("card.state"), "PENDING") << "as first answered";
}

TEST(CreateCardDecision, a_card_of_a_tenants_type_brings_its_own_transitions) {
  const std::string own =
      R"(seller card.create type=CUSTOM payload={"any":1} )"
      R"(allowedTransitions=[{"intent":"yes","toState":"DONE"},{"intent":"no","toState":"NOT_DONE","by":"anyone"}])";
  ExpectCardRows({
      {"", own, "4 message.created M1 seller 'CUSTOM' action; 5 card.updated M1 CUSTOM PENDING v1"},
      {"", "seller card.create type=CUSTOM", "CARD_INVALID allowedTransitions"},
      {"", "seller card.create type=custom", "CARD_INVALID type"},
      {"", R"(seller card.create type=FS_REQUEST_X allowedTransitions=[{"intent":"go","toState":"GONE"}])",
       "4 message.created M1 seller 'FS_REQUEST_X' action; 5 card.updated M1 FS_REQUEST_X PENDING v1"},
      {own, "buyer card.act intent=yes",
       "6 card.updated M1 CUSTOM DONE v2; 7 message.created M2 - 'CUSTOM: done' system re:M1"},
      {own, "seller card.act intent=yes", "FORBIDDEN"},
      {own, "buyer card.act intent=accept", "ACTION_INVALID_STATE current=v1"},
      {"buyer participant.add userId=carol; " + own, "carol card.act intent=yes", "FORBIDDEN"},
      {"buyer participant.add userId=carol; " + own, "carol card.act intent=no",
       "7 card.updated M1 CUSTOM NOT_DONE v2; 8 message.created M2 - 'CUSTOM: not done' system re:M1"},
      {"", R"(seller card.create type=CUSTOM allowedTransitions=[{"from":"A","intent":"go","toState":"B"}])",
       "CARD_INVALID allowedTransitions"},
      {"", R"(seller card.create type=CUSTOM allowedTransitions=[{"intent":"<b>","toState":"B"}])",
       "CARD_INVALID allowedTransitions"},
      {"",
       R"(seller card.create type=CUSTOM allowedTransitions=[{"intent":"a","toState":"B"},{"intent":"a","toState":"C"}])",
       "CARD_INVALID allowedTransitions"},
  });
}

TEST(CreateCardDecision, own_transitions_override_the_table_except_the_payer) {
  const std::string cancel =
      R"(buyer card.create type=CANCEL_REQUEST allowedTransitions=[{"intent":"confirm","toState":"CONFIRMED"}])";
  const std::string extra =
      R"(seller card.create type=REQUEST_EXTRA )"
      R"(allowedTransitions=[{"intent":"take","toState":"PAID","by":"creator"},{"intent":"drop","toState":"DROPPED"}])";
  ExpectCardRows({
      {cancel, "seller card.act intent=approve", "ACTION_INVALID_STATE current=v1"},
      {cancel, "seller card.act intent=confirm",
       "6 card.updated M1 CANCEL_REQUEST CONFIRMED v2; 7 message.created M2 - 'Cancellation: confirmed' "
       "system "
       "re:M1"},
      {extra, "seller card.act intent=take", "FORBIDDEN"},
      {extra, "buyer card.act intent=take",
       "6 card.updated M1 REQUEST_EXTRA PAID v2; 7 message.created M2 - 'Extra: paid' system re:M1"},
  });
}

TEST(CreateCardDecision, own_transitions_cannot_change_the_tables_intents_and_states) {
  const auto own = [](const std::string& type, const std::string& list) {
    return "seller card.create type=" + type + " allowedTransitions=[" + list + "]";
  };
  const std::string refused = "CARD_INVALID allowedTransitions", go = R"(,{"intent":"go","toState":"GONE"})";
  const std::string extra = "REQUEST_EXTRA";
  for (const std::string& list : std::vector<std::string>{
           R"({"intent":"decline","toState":"PAID"})",                     // under the name of another intent
           R"({"intent":"settle","toState":"REFUNDED"})" + go,             // a state of another kind
           R"({"from":"PAID","intent":"undo","toState":"PENDING"})" + go,  // back to the first state
           R"({"intent":"end","toState":"EXPIRED"})",
           R"({"intent":"end","toState":"SUPERSEDED"})",
           R"({"from":"EXPIRED","intent":"wake","toState":"AWAKE"})" + go,
       }) {
    ExpectCardRows({{"", own(extra, list), refused}});
  }
  for (const std::string type :
       {"ACCEPTANCE_ACK", "DISPUTE_OPEN", "SAFETY", "SHARE_LOCATION", "APPROVE_DELIVERABLE"}) {
    ExpectCardRows({{"", own(type, go.substr(1)), refused}});
  }
  ExpectCardRows(
      {{"", own("CUSTOM", R"({"intent":"end","toState":"EXPIRED"})"), refused},
       {"", own("RESCHEDULE", R"({"intent":"accept","toState":"DONE","by":"creator"})"), refused}});
}

TEST(CreateCardDecision, an_intent_of_the_table_may_lead_to_an_own_state) {
  const std::string extra =
      R"(seller card.create type=REQUEST_EXTRA allowedTransitions=[{"intent":"approve","toState":"TAKEN"},)"
      R"({"from":"TAKEN","intent":"refund","toState":"GIVEN_BACK","by":"creator"}])";
  const std::string held =
      R"(seller card.create type=REQUEST_EXTRA allowedTransitions=[{"intent":"hold","toState":"HELD"},)"
      R"({"from":"HELD","intent":"approve","toState":"PAID","by":"creator"}])";
  const std::string taken = extra + "; buyer card.act intent=approve";
  ExpectCardRows(
      {
          {extra, "buyer card.act intent=decline", "ACTION_INVALID_STATE current=v1"},
          {extra, "buyer card.act intent=approve", "6 card.updated M1 REQUEST_EXTRA TAKEN v2"},
          {taken, "buyer card.act intent=refund version=2", "FORBIDDEN"},
          {taken, "seller card.act intent=refund version=2",
           "7 card.updated M1 REQUEST_EXTRA GIVEN_BACK v3; "
           "8 message.created M2 - 'Extra: given back' system re:M1"},
          {held + "; buyer card.act intent=hold", "seller card.act intent=approve version=2", "FORBIDDEN"},
          {held + "; buyer card.act intent=hold", "buyer card.act intent=approve version=2",
           "7 card.updated M1 REQUEST_EXTRA HELD v2 awaiting payment.charge"},
      },
      {"payment"});
}

TEST(CreateCardDecision, a_revision_under_another_name_still_counts) {
  const std::string proof =
      R"(seller card.create type=DELIVERABLE_PROOF payload={"manifestRef":"https://m.example/m","maxRevisions":1} allowedTransitions=[)"
      R"({"intent":"again","toState":"REVISION_REQUESTED"},)"
      R"({"from":"REVISION_REQUESTED","intent":"resubmit","toState":"SUBMITTED"}])";
  ExpectCardRows(
      {{proof +
            "; buyer card.act intent=again; "
            R"(seller card.act intent=resubmit version=2 data={"manifestRef":"https://m.example/n","maxRevisions":1})",
        "buyer card.act intent=again version=3", "ACTION_INVALID_STATE current=v3"}});
}

TEST(CreateCardDecision, expired_cards_that_are_not_swept_yet_are_written_first_and_do_not_count) {
  const std::string ends = " expiresAt=2025-11-05T14:10:00.000Z";
  const std::string move = "buyer card.create type=RESCHEDULE" + ends,
                    extra = "seller card.create type=REQUEST_EXTRA" + ends;
  const std::string lapsed =
      "6 card.updated M1 RESCHEDULE EXPIRED v2; 7 message.created M2 - 'Reschedule: expired' system re:M1; ";
  ExpectCardRows({
      {move + "; +10m", "buyer card.create type=RESCHEDULE",
       lapsed + "8 message.created M3 buyer 'Reschedule' action; 9 card.updated M3 RESCHEDULE PENDING v1"},
      {move + "; +10m", "seller card.create type=RESCHEDULE",
       lapsed + "8 message.created M3 seller 'Reschedule' action; 9 card.updated M3 RESCHEDULE PENDING v1"},
      {extra + "; " + extra + "; " + extra + "; +10m", "buyer card.create type=OVERTIME_START",
       "10 card.updated M1 REQUEST_EXTRA EXPIRED v2; 11 message.created M4 - 'Extra: expired' system re:M1; "
       "12 card.updated M2 REQUEST_EXTRA EXPIRED v2; 13 message.created M5 - 'Extra: expired' system re:M2; "
       "14 card.updated M3 REQUEST_EXTRA EXPIRED v2; 15 message.created M6 - 'Extra: expired' system re:M3; "
       "16 message.created M7 buyer 'Overtime' action; 17 card.updated M7 OVERTIME_START PENDING v1"},
      {move + "; seller card.create type=ACCEPTANCE_ACK; +10m",
       "buyer card.act messageId=M2 intent=acknowledge",
       "8 card.updated M1 RESCHEDULE EXPIRED v2; 9 message.created M3 - 'Reschedule: expired' system re:M1; "
       "10 card.updated M2 ACCEPTANCE_ACK COMPLETED v2; "
       "11 message.created M4 - 'Completion: completed' system re:M2"},
      {move + "; +10m", "buyer card.create type=ACCEPTANCE_ACK payload={\"x\":1}", "CARD_INVALID x"},
  });
}

TEST(CreateCardDecision, cards_in_a_thread_of_a_leg_concern_that_leg) {
  const auto extra = [](const std::string& ids) {
    return R"(seller card.create type=REQUEST_EXTRA payload={"name":"a","priceCents":1,)" + ids + "}";
  };
  const std::string leg = "service thread.promote legId=leg_1 eventId=e",
                    lbg = "service thread.promote lbgId=lbg_1 eventId=e";
  const auto taken = [](const std::string& seq) {
    return seq + " message.created M1 seller 'Extra' action; " + std::to_string(std::stoi(seq) + 1) +
           " card.updated M1 REQUEST_EXTRA PENDING v1";
  };
  ExpectCardRows({
      {leg, extra(R"("legId":"leg_2")"), "CARD_INVALID legId"},
      {leg, extra(R"("legId":"leg_1")"), taken("5")},
      {lbg, extra(R"("legId":"leg_2")"), taken("5")},
      {"", extra(R"("legId":"a b")"), "CARD_INVALID legId"},
      {"", extra(R"("docId":"")"), "CARD_INVALID docId"},
      {"", extra(R"("amendmentId":"<x>")"), "CARD_INVALID amendmentId"},
      {leg,
       R"(seller card.create type=CUSTOM payload={"legId":"leg_2"} allowedTransitions=[{"intent":"a","toState":"B"}])",
       "CARD_INVALID legId"},
      {leg + "; buyer card.create type=RESCHEDULE",
       R"(seller card.act intent=counter data={"newStart":"2026-01-02T10:00:00.000Z","newEnd":"2026-01-02T12:00:00.000Z","legId":"leg_2"})",
       "CARD_INVALID legId"},
  });
}

TEST(CreateCardDecision, a_full_thread_still_accepts_disputes_safety_reports_and_decisions_on_deliverables) {
  Scene scene;
  scene.Given("buyer thread.create kind=project; seller card.create type=DELIVERABLE_PROOF");
  for (size_t i = 1; i < kMaxOpenCards; ++i) scene.Given("buyer card.create type=CANCEL_REQUEST");
  EXPECT_EQ(scene.Do("buyer card.create type=CANCEL_REQUEST"), "ACTION_INVALID_STATE");
  scene.Given("buyer card.create type=REQUEST_REVISIONS");
  for (size_t i = 0; i < kReservedOpenCards / 2; ++i) scene.Given("buyer card.create type=DISPUTE_OPEN");
  EXPECT_EQ(scene.Do("buyer card.create type=DISPUTE_OPEN"), "ACTION_INVALID_STATE");
  for (size_t i = 0; i < kReservedOpenCards / 2; ++i) scene.Given("seller card.create type=SAFETY");
  EXPECT_EQ(scene.Do("buyer card.create type=SAFETY"), "ACTION_INVALID_STATE");
  EXPECT_EQ(OpenCardsOf(scene.Head()).size(), kMaxOpenCards + kReservedOpenCards);
}

using PayloadRow = std::pair<std::string_view, std::string_view>;
void ExpectPayloads(const std::string& who_and_type, const std::vector<PayloadRow>& rows) {
  for (const auto& [payload, then] : rows) {
    SCOPED_TRACE(payload);
    Scene scene;
    scene.Given("buyer thread.create kind=project");
    const std::string said = scene.Do(who_and_type + " payload=" + std::string(payload));
    EXPECT_EQ(scene.accepted ? "ok" : said, then);
  }
}

TEST(CardPayload, is_refused_with_its_invalid_fields) {
  ExpectPayloads(
      "seller card.create type=REQUEST_EXTRA",
      {
          {R"({"name":"a","priceCents":0})", "ok"},
          {R"({"name":"a","priceCents":-1})", "CARD_INVALID priceCents"},
          {R"({"name":"a"})", "CARD_INVALID priceCents"},
          {R"({"name":"a","priceCents":1,"colour":"red"})", "CARD_INVALID colour"},
          {R"({"name":"a","priceCents":"1"})", "CARD_INVALID priceCents"},
          {R"({"name":"a","priceCents":1,"items":[]})", "CARD_INVALID items name"},
          {R"({"items":[{"title":"a","qty":2,"unitCents":-5}]})", "CARD_INVALID items.0.unitCents"},
          {R"({"items":[{"title":"a","qty":0,"unitCents":5,"x":1}]})", "CARD_INVALID items.0.qty items.0.x"},
          {R"({"items":[{"title":"a","qty":10000,"unitCents":100000000000}]})", "CARD_INVALID items"},
          {R"({})", "CARD_INVALID items"},
          {R"([1])", "CARD_INVALID payload"},
          {R"({"name":"a","priceCents":1,"note":null,"legId":"leg_1"})", "ok"},
      });
  ExpectPayloads(
      "seller card.create type=DEPOSIT_CLAIM_OPEN",
      {
          {R"({"amountCents":1,"reason":"r","evidence":["k"]})", "CARD_INVALID evidence.0"},
          {R"({"amountCents":1,"reason":"r","evidence":[{"s3Key":"k"}]})", "CARD_INVALID evidence.0"},
          {R"({"amountCents":1,"reason":"r","evidence":[{"manifestRef":"https://m.example/e"}]})", "ok"},
          {R"({"amountCents":1,"reason":"r","evidence":[{"manifestRef":"e"}]})",
           "CARD_INVALID evidence.0.manifestRef"},
          {R"({"amountCents":1,"reason":"r"})", "CARD_INVALID evidence"},
          {R"({"amountCents":1,"reason":"r","evidence":[]})", "CARD_INVALID evidence"},
          {R"({"amountCents":1,"reason":"r","evidence":[{}]})", "CARD_INVALID evidence.0"},
          {R"({"amountCents":-1,"reason":"r","evidence":["k"]})", "CARD_INVALID amountCents"},
      });
  ExpectPayloads(
      "buyer card.create type=RESCHEDULE",
      {
          {R"({"newStart":"2026-01-01T10:00:00.000Z","newEnd":"2026-01-01T09:00:00.000Z"})",
           "CARD_INVALID newEnd"},
          {R"({"newStart":"tomorrow","newEnd":"2026-01-01T09:00:00.000Z"})", "CARD_INVALID newStart"},
          {R"({"proposed":{"start":"2026-01-01T10:00:00.000Z","end":"2026-01-01T11:00:00.000Z"}})", "ok"},
          {R"({"proposed":{"start":"2026-01-01T10:00:00.000Z"}})", "CARD_INVALID proposed.end"},
      });
  ExpectPayloads("seller card.create type=EXPENSE",
                 {{R"({"amountCents":5,"currency":"EUR","merchant":"m","date":"2026-01-01T10:00:00.000Z"})",
                   "CARD_INVALID receiptImage"}});
  ExpectPayloads("buyer card.create type=SAFETY",
                 {{R"({"reason":"r","severity":"odd"})", "CARD_INVALID severity"}});
  ExpectPayloads("buyer card.create type=OVERTIME_START", {{R"({"minutes":121})", "CARD_INVALID minutes"}});
}

TEST(CardPayload, of_a_final_is_a_manifest_and_not_an_upload) {
  ExpectPayloads(
      "seller card.create type=DELIVERABLE_FINAL",
      {
          {R"({"manifestRef":"https://m.example/m"})", "ok"},
          {R"({"note":"here"})", "CARD_INVALID manifestRef"},
          {R"({"s3Key":"k"})", "CARD_INVALID s3Key manifestRef"},
          {R"({"manifestRef":"https://m.example/m","gallery":[{"thumb":"t"}]})", "CARD_INVALID gallery"},
      });
}

// Nested so deeply, or with so many values, that its rows could not be read back.
TEST(CardPayload, of_a_type_without_a_schema_is_bounded_in_depth_and_values) {
  const auto deep = [](int levels) {
    std::string text = "1";
    for (int i = 1; i < levels; ++i) text = "[" + text + "]";
    return R"({"a":)" + text + "}";
  };
  const auto many = [](int values) {
    std::string text = "0";
    for (int i = 3; i < values; ++i) text += ",0";
    return R"({"a":[)" + text + "]}";
  };
  const std::string custom =
      R"(seller card.create type=CUSTOM allowedTransitions=[{"intent":"a","toState":"B"}])";
  ExpectPayloads(custom, {{deep(8), "ok"},
                          {deep(9), "CARD_INVALID payload"},
                          {many(1000), "ok"},
                          {many(1001), "CARD_INVALID payload"}});
}

TEST(CardPayload, above_the_size_of_a_card_is_too_large) {
  const std::string payload = R"({"text":")" + std::string(17 * 1024, 'x') + R"("})";
  Scene scene;
  scene.Given("buyer thread.create kind=project");
  EXPECT_EQ(
      scene.Do(R"(buyer card.create type=CUSTOM allowedTransitions=[{"intent":"a","toState":"B"}] payload=)" +
               payload),
      "TOO_LARGE");
}

TEST_F(CardScene, totals_are_computed_by_the_server_and_a_clients_total_is_refused) {
  EXPECT_EQ(
      scene.Do(R"(seller card.create type=REQUEST_EXTRA payload={"name":"a","priceCents":1,"totalCents":1})"),
      "CARD_INVALID totalCents");
  scene.Given(
      R"(seller card.create type=extras payload={"items":[{"title":"a","qty":3,"unitCents":250},{"title":"b","qty":1,"unitCents":50}]})");
  EXPECT_EQ(scene.Reply("card.type"), "REQUEST_EXTRA") << "the other generation's name for it";
  EXPECT_EQ(scene.Reply("card.payload.totalCents"), "800");
  scene.Given(R"(seller card.create type=REQUEST_EXTRA payload={"name":"a","priceCents":70})");
  EXPECT_EQ(scene.Reply("card.payload.totalCents"), "70");
}

TEST_F(CardScene, an_expiry_must_be_in_the_future_and_allowed_for_the_kind) {
  EXPECT_EQ(scene.Do("buyer card.create type=RESCHEDULE expiresAt=2025-11-05T14:00:00.000Z"),
            "CARD_INVALID expiresAt");
  EXPECT_EQ(scene.Do("buyer card.create type=DISPUTE_OPEN expiresAt=2026-11-05T14:00:00.000Z"),
            "CARD_INVALID expiresAt");
  scene.Given("buyer card.create type=RESCHEDULE expiresAt=2025-11-05T15:00:00.000Z");
  EXPECT_EQ(scene.Reply("card.expiresAt"), "2025-11-05T15:00:00.000Z");
  ASSERT_EQ(OpenCardsOf(scene.Head()).size(), 1u);
  EXPECT_EQ(NextDue(scene.Head())->ms, protocol::ParseTime("2025-11-05T15:00:00.000Z")->ms);
}

TEST_F(CardScene, replies_name_the_callers_intents) {
  scene.Given("buyer card.create type=RESCHEDULE");
  EXPECT_EQ(scene.Reply("card.allowed.*"), "");
  scene.Given("seller card.create type=REQUEST_EXTRA");
  EXPECT_EQ(scene.Reply("card.allowed.*"), "");
  scene.Given("buyer card.create type=CANCEL_REQUEST");
  EXPECT_EQ(scene.Reply("card.allowed.*"), "escalate");
}

struct AllowedCase {
  std::string given, who;
  CardPorts ports;
};

void Play(const AllowedCase& one, Scene* scene) {
  scene->tenant_policy.card_ports = one.ports;
  scene->Given("buyer thread.create kind=project; buyer participant.add userId=carol");
  scene->Given("buyer participant.add userId=rita permission=read; " + one.given);
}

CardRow FirstCard(Scene& scene) {
  return *scene.Rows(TenantId{"demo"}).Card(scene.ThreadNamed("T"), scene.MessageNamed("M1")).value();
}

// Whether card.act accepts the intent in a thread in which only `given` happened.
bool Takes(const AllowedCase& one, const std::string& intent) {
  Scene scene;
  Play(one, &scene);
  std::string line = one.who + " card.act reason=r intent=" + intent;
  line += " version=" + std::to_string(FirstCard(scene).item.version);
  if (intent == "counter") line += " data=" + std::string(SomePayload("RESCHEDULE"));
  scene.Do(line);
  return scene.accepted;
}

void ExpectAllowedIsTaken(const AllowedCase& one) {
  SCOPED_TRACE(one.who + " after " + one.given + ", ports " + std::to_string(one.ports));
  Scene scene;
  Play(one, &scene);
  const CardRow card = FirstCard(scene);
  const Caller caller = CallerFrom(one.who);
  const auto standing = scene.StandingOf(caller, scene.ThreadNamed("T"));
  std::set<std::string> allowed, taken;
  for (const auto& word : AllowedFor(caller, *standing, card, scene.clock.Now()).items)
    allowed.insert(word.value);
  if (Takes(one, "withdraw")) taken.insert("withdraw");
  for (const auto& [intent, move] : MovesFrom(card.item)) {
    if (Takes(one, intent)) taken.insert(intent);
  }
  EXPECT_EQ(allowed, taken);
}

TEST(CardReplies, name_exactly_the_accepted_intents) {
  for (
      const std::string given : {
          "buyer card.create type=RESCHEDULE",
          "buyer card.create type=RESCHEDULE; seller card.act intent=accept",
          "seller card.create type=ACCEPTANCE_ACK; buyer card.create type=RESCHEDULE",
          R"(seller card.create type=DELIVERABLE_PROOF payload={"manifestRef":"https://m.example/m","maxRevisions":0})",
          "seller card.create type=DEPOSIT_CLAIM_OPEN; buyer card.create type=DISPUTE_OPEN",
          "seller card.create type=REQUEST_EXTRA; buyer card.create type=DISPUTE_OPEN",
          "seller card.create type=REQUEST_EXTRA; buyer card.act intent=approve",
          "buyer card.create type=CANCEL_REQUEST; seller card.create type=SAFETY",
          "buyer card.create type=SAFETY",
          "buyer card.create type=RESCHEDULE; ann(admin) thread.setStatus status=locked reason=r",
      }) {
    for (const std::string who : {"buyer", "seller", "carol", "rita(support)", "ann(support)", "service"}) {
      ExpectAllowedIsTaken({given, who, PortsNamed({})});
      ExpectAllowedIsTaken({given, who, PortsNamed({"booking", "payment"})});
    }
  }
}

}  // namespace
}  // namespace parley::threads
