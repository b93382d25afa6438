// Tests that verify finds each way in which a safety report could be visible to its subject, and no fault in
// a sound store.
#include <gmock/gmock.h>

#include "tests/fanout/verify_scene.h"
#include "threads/model/message_row.h"
#include "threads/model/pair_reports.h"

namespace parley::fanout {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// A message (M1), the buyer's open report (M2), a message (M3), and another report with its end (M4, M5).
class VerifySafety : public VerifyScene {
 protected:
  void SetUp() override {
    ASSERT_EQ(scene.Run("buyer thread.create kind=project; buyer participant.add userId=carol;"
                        "carol message.send body=x; seller inbox.set archived=true;"
                        "buyer card.create type=SAFETY; carol message.send body=y;"
                        "seller inbox.set archived=true;"
                        "seller card.create type=SAFETY;"
                        "ann(support) card.act messageId=M4 intent=resolve reason=r"),
              "ok");
    scene.worker->SaveCursors();
  }
  ThreadId Thread() const { return scene.core.ThreadNamed("T"); }
  storage::PartitionKey Partition() const { return threads::ThreadPartition(kTenant, Thread()); }
  threads::MessageRow MessageNamed(const std::string& name) {
    return **scene.core.Rows().Message(Thread(), *protocol::MessageId::FromText(scene.names.IdOf(name)));
  }
  void PlantMessage(const threads::MessageRow& row) {
    Plant(Partition(), threads::MessageKey(row.item.message_id), threads::EncodeItem(row));
  }
};

TEST_F(VerifySafety, finds_nothing_in_a_sound_store) {
  EXPECT_THAT(Verify(), IsEmpty());
  EXPECT_EQ(scene.Run("ann(support) card.act messageId=M2 intent=resolve reason=r"), "ok");
  EXPECT_THAT(Verify(), IsEmpty());
  EXPECT_EQ(scene.Run("seller message.send body=z"), "ok");
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(VerifySafety, finds_a_report_visible_to_all_or_hidden_from_its_creator) {
  threads::MessageRow shown = MessageNamed("M2");
  shown.hidden.only_for = {};
  PlantMessage(shown);
  EXPECT_THAT(Verify(), Contains(HasSubstr("message and card are visible to different users")));
  EXPECT_THAT(Verify(), Contains(HasSubstr("DEL# and DELS# rows do not match")));
  shown.hidden.only_for.value = UserId{"carol"};
  PlantMessage(shown);
  EXPECT_THAT(Verify(), Contains(HasSubstr("message and card are visible to different users")));
}

TEST_F(VerifySafety, finds_rows_that_reveal_it_to_others) {
  threads::MessageRow said = MessageNamed("M3");
  said.item.reply_to = MessageNamed("M2").item.message_id;
  PlantMessage(said);
  EXPECT_THAT(Verify(), Contains(HasSubstr("replies to a message that some members may not see")));
}

TEST_F(VerifySafety, finds_a_head_that_lets_it_move_the_entries) {
  threads::ThreadRow head = **scene.core.Rows().Thread(Thread());
  head.hidden.shared_msg_no = {};
  head.item.last_message_at = MessageNamed("M5").item.created_at;
  Plant(Partition(), threads::ThreadKey(), threads::EncodeItem(head));
  EXPECT_THAT(Verify(), Contains(HasSubstr("sharedMsgNo or newestMessage of the head is wrong")));
}

TEST_F(VerifySafety, finds_a_missing_and_an_extra_row_of_its_parties) {
  const UserId buyer{"buyer"}, seller{"seller"};
  const auto pair = threads::UserPartition(kTenant, buyer);
  Plant(pair, threads::SafetyKey(seller, Thread()), std::nullopt);
  EXPECT_THAT(Verify(), Contains(HasSubstr("the SAFETY# row of its parties is missing")));
  Plant(pair, threads::SafetyKey(seller, Thread()), std::string());
  EXPECT_THAT(Verify(), IsEmpty());
  Plant(pair, threads::SafetyKey(UserId{"zoe"}, Thread()), std::string());
  EXPECT_THAT(Verify(), Contains(HasSubstr("an extra SAFETY# row")));
}

}  // namespace
}  // namespace parley::fanout
