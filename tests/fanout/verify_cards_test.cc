// Tests that verify finds each planted fault in cards and panels, and none in a sound store.
#include <gmock/gmock.h>

#include "fanout/keys.h"
#include "tests/fanout/verify_scene.h"
#include "tests/threads/cards/card_rows.h"
#include "threads/cards/change_card.h"

namespace parley::fanout {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// A project with an open reschedule (M1, waits for the booking, lapses in an hour if that fails), a declined
// extra (M2, outcome M3), an open dispute (M4, its case in the feed) and the end of another reschedule (M5).
class VerifyCards : public VerifyScene {
 protected:
  VerifyCards() : VerifyScene(threads::PortsNamed({"booking", "cases"})) {}
  void SetUp() override {
    EXPECT_EQ(scene.Run("buyer thread.create kind=project;"
                        "buyer card.create type=RESCHEDULE expiresAt=2025-11-05T15:00:00.000Z;"
                        "seller card.act intent=accept;"
                        "seller card.create type=REQUEST_EXTRA; buyer card.act messageId=M2 intent=decline;"
                        "buyer card.create type=DISPUTE_OPEN;"
                        "buyer card.create type=OVERTIME_START expiresAt=2025-11-05T16:00:00.000Z"),
              "ok");
    scene.worker->SaveCursors();
    ASSERT_THAT(Verify(), IsEmpty());
  }

  std::vector<std::string> Verify() {
    std::vector<std::string> out = VerifyScene::Verify();
    EXPECT_EQ(report.pending, 0u);
    return out;
  }
  ThreadId Thread() const { return scene.core.ThreadNamed("T"); }
  storage::PartitionKey Partition() const { return threads::ThreadPartition(kTenant, Thread()); }
  threads::CardRow Card(const std::string& name) { return **scene.core.Rows().Card(Thread(), Message(name)); }
  protocol::MessageId Message(const std::string& name) const {
    return *protocol::MessageId::FromText(scene.names.IdOf(name));
  }
  void PlantCard(const threads::CardRow& row) {
    Plant(Partition(), threads::CardKey(row.item.message_id), threads::EncodeItem(row));
  }
};

TEST_F(VerifyCards, finds_a_version_that_differs_from_its_transitions) {
  threads::CardRow row = Card("M2");
  row.item.version = 3;
  PlantCard(row);
  EXPECT_THAT(Verify(), Contains(HasSubstr("version is 3, but its transitions end at 2")));
}

TEST_F(VerifyCards, finds_a_state_that_no_transition_led_to) {
  threads::CardRow row = Card("M2");
  row.item.state.value = "PAID";
  PlantCard(row);
  EXPECT_THAT(Verify(), Contains(HasSubstr("its state is not that of its last transition")));
  EXPECT_THAT(Verify(), Contains(HasSubstr("the message shows another state")));
}

TEST_F(VerifyCards, finds_a_missing_card_of_a_message_and_a_missing_audit_record) {
  const threads::CardRow row = Card("M2");
  Plant(Partition(), threads::CardAuditKey(row.item.seq), std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("its last change has no AUD# row")));
  Plant(Partition(), threads::CardKey(row.item.message_id), std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("is an action message without a card")));
}

TEST_F(VerifyCards, finds_an_effect_without_a_request_and_one_without_a_waiter) {
  const int64_t seq = Card("M1").hidden.effect_seq;
  std::optional<storage::Row> row;
  ASSERT_TRUE(scene.core.table->Get(Partition(), threads::EffectKey(seq), &row).ok() && row);
  Plant(Partition(), threads::EffectKey(seq), std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("waits for an effect that has no OUT# row")));
  Plant(Partition(), threads::EffectKey(seq), row->payload);
  threads::CardRow card = Card("M1");
  card.item.awaiting.reset();
  PlantCard(card);
  EXPECT_THAT(Verify(), Contains(HasSubstr("no card waits for it")));
}

TEST_F(VerifyCards, finds_a_head_without_an_open_card_or_its_dispute) {
  threads::ThreadRow head = **scene.core.Rows().Thread(Thread());
  head.hidden.open_cards.value->items.pop_back();
  head.item.dispute_message_id.reset();
  Plant(Partition(), threads::ThreadKey(), threads::EncodeItem(head));
  EXPECT_THAT(Verify(), Contains(HasSubstr("the head does not list the open cards")));
  EXPECT_THAT(Verify(), Contains(HasSubstr("disputeMessageId is not the open dispute")));
}

TEST_F(VerifyCards, finds_a_second_open_reschedule) {
  threads::CardRow row = Card("M2");
  row.item.type.value = "RESCHEDULE";
  row.item.state.value = "PENDING";
  PlantCard(row);
  EXPECT_THAT(Verify(), Contains(HasSubstr("more than one reschedule is open")));
}

TEST_F(VerifyCards, finds_a_missing_and_an_extra_deadline) {
  const auto at = *protocol::ParseTime("2025-11-05T16:00:00.000Z");
  const Wake wake{at, threads::ClockTask::kCards, Thread(), {}};
  Plant(WakePartition(kTenant), WakeKey(wake), std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("its wake at 2025-11-05T16:00:00.000Z is missing")));
  Plant(WakePartition(kTenant), WakeKey({{at.ms + 1}, wake.kind, wake.thread, {}}), "");
  EXPECT_THAT(Verify(), Contains(HasSubstr("an extra wake")));
}

TEST_F(VerifyCards, finds_a_missing_and_an_extra_effect_in_the_feed) {
  const int64_t seq = Card("M1").hidden.effect_seq;
  const auto feed = EffectFeedPartition(kTenant);
  Plant(feed, EffectFeedKey(scene.core.clock.Now(), Thread(), seq), std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("is not in the feed")));
  Plant(feed, EffectFeedKey(scene.core.clock.Now(), Thread(), 99), "");
  EXPECT_THAT(Verify(), Contains(HasSubstr("an extra row: out")));
}

TEST_F(VerifyCards, finds_an_effect_that_differs_in_the_feed) {
  const int64_t seq = Card("M1").hidden.effect_seq;
  const auto key = EffectFeedKey(scene.core.clock.Now(), Thread(), seq);
  std::optional<storage::Row> row;
  ASSERT_TRUE(scene.core.table->Get(EffectFeedPartition(kTenant), key, &row).ok() && row);
  auto item = threads::ItemFrom<protocol::OutboxItem>(row->payload);
  item.effect.value = "booking.cancel";
  Plant(EffectFeedPartition(kTenant), key, protocol::Encode(item));
  EXPECT_THAT(Verify(), Contains(HasSubstr("differs in the feed")));
}

TEST_F(VerifyCards, finds_a_missing_card_and_one_that_was_never_opened) {
  const threads::CardRow row = Card("M4");
  Plant(Partition(), threads::CardKey(row.item.message_id), std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("names a row that does not exist")));
  EXPECT_THAT(Verify(), Contains(HasSubstr("the head does not list the open cards")));
  PlantCard(row);
  ASSERT_THAT(Verify(), IsEmpty());
  threads::CardRow extra = row;
  extra.item.message_id = Message("M3");  // a message from the server
  PlantCard(extra);
  EXPECT_THAT(Verify(), Contains(HasSubstr("is in no LOG#")));
}

TEST_F(VerifyCards, finds_an_unreadable_access_record) {
  Plant(Partition(), threads::AccessKey(Message("M1").ulid), "\x81");
  EXPECT_THAT(Verify(), Contains(HasSubstr("a LOOK# row cannot be read")));
}

// A thread with a shot list, one of its two shots done, and a pinned message.
class VerifyPanel : public VerifyCards {
 protected:
  void SetUp() override {
    VerifyCards::SetUp();
    ASSERT_EQ(
        scene.Run(
            "buyer message.send body=x; buyer message.pin pinned=true messageId=M6;"
            R"(buyer tab.put tab=shotlist version=0 content={"shots":[{"id":"1","name":"a","status":"done"},)"
            R"({"id":"2","name":"b","status":"todo"}]}; buyer tab.put tab=brief version=0 content={"title":"x"})"),
        "ok");
    scene.worker->SaveCursors();
    ASSERT_THAT(Verify(), IsEmpty());
  }
  threads::ThreadRow Head() { return **scene.core.Rows().Thread(Thread()); }
  void PlantHead(const threads::ThreadRow& head) {
    Plant(Partition(), threads::ThreadKey(), threads::EncodeItem(head));
  }
};

TEST_F(VerifyPanel, finds_a_panel_version_that_differs_from_its_tabs) {
  threads::ThreadRow head = Head();
  ASSERT_EQ(head.item.panel_version, 2);
  head.item.panel_version = 3;
  PlantHead(head);
  EXPECT_THAT(Verify(), Contains(HasSubstr("panelVersion is 3, but the tabs were changed 2 times")));
}

TEST_F(VerifyPanel, finds_a_tab_that_skipped_a_version) {
  threads::TabRow tab = **scene.core.Rows().Tab(Thread(), protocol::TabName::kBrief);
  tab.item.version = 2;
  Plant(Partition(), threads::TabKey(protocol::TabName::kBrief), threads::EncodeItem(tab));
  EXPECT_THAT(Verify(), Contains(HasSubstr("panelVersion is 2, but the tabs were changed 3 times")));
}

TEST_F(VerifyPanel, finds_a_progress_that_differs_from_the_shots) {
  threads::ThreadRow head = Head();
  head.item.shotlist = protocol::ShotProgress{2, 2};
  PlantHead(head);
  EXPECT_THAT(Verify(), Contains(HasSubstr("the shot list's progress differs from the tab")));
  head.item.shotlist.reset();
  PlantHead(head);
  EXPECT_THAT(Verify(), Contains(HasSubstr("the shot list's progress differs from the tab")));
}

TEST_F(VerifyPanel, finds_an_unlisted_pin_and_a_listed_message_that_is_not_pinned) {
  const threads::ThreadRow head = Head();
  ASSERT_EQ(head.item.pins->items.size(), 2u) << "one for the dispute, one by a member";
  threads::ThreadRow less = head;
  less.item.pins->items.pop_back();
  PlantHead(less);
  EXPECT_THAT(Verify(), Contains(HasSubstr("pins does not list the pinned messages")));
  PlantHead(head);
  ASSERT_THAT(Verify(), IsEmpty());
  threads::MessageRow message = **scene.core.Rows().Message(Thread(), Message("M6"));
  message.item.pin.value.reset();
  Plant(Partition(), threads::MessageKey(message.item.message_id), threads::EncodeItem(message));
  EXPECT_THAT(Verify(), Contains(HasSubstr("pins does not list the pinned messages")));
}

}  // namespace
}  // namespace parley::fanout
