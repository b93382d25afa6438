// Acts of staff in a thread are recorded by the same decision.
#include "threads/model/record_act.h"

#include "tests/threads/scene.h"

namespace parley::threads {
namespace {

std::vector<ActRow> ActsOf(const Decision& decision) {
  std::vector<ActRow> out;
  for (const storage::RowWrite& write : decision.writes) {
    protocol::AuditId id;
    if (!ParseActKey(write.sort.bytes(), &id)) continue;
    EXPECT_TRUE(DecodeStored(write.row->payload, &out.emplace_back()));
    EXPECT_EQ(out.back().audit_id, id);
  }
  EXPECT_EQ(out.size(), decision.acts.size());
  return out;
}

class RecordActTest : public ThreadScene {};

TEST_F(RecordActTest, a_status_set_by_staff_is_recorded) {
  scene.Do("ann(admin) thread.setStatus status=locked reason='a fight'");
  const auto acts = ActsOf(scene.decision);
  ASSERT_EQ(acts.size(), 1u);
  EXPECT_EQ(acts[0].action, "thread.setStatus");
  EXPECT_EQ(acts[0].actor->ToText(), "ann");
  EXPECT_EQ(acts[0].actor_role, "admin");
  EXPECT_EQ(acts[0].reason, "a fight");
  EXPECT_EQ(acts[0].before->members.at(0).second, "open");
  EXPECT_EQ(acts[0].after->members.at(0).second, "locked");
  EXPECT_EQ(acts[0].seq, 0);
}

TEST_F(RecordActTest, an_op_that_changes_nothing_is_not_recorded) {
  scene.Do("ann(admin) thread.setStatus status=open reason=r");
  EXPECT_TRUE(ActsOf(scene.decision).empty());
}

// By hashes, because the audit outlives the text.
TEST_F(RecordActTest, an_edit_and_a_deletion_by_staff_record_hashes_of_the_earlier_text) {
  scene.Do("buyer message.send body=first");
  scene.Do("ann(admin) message.edit messageId=M1 body=second reason=r");
  const auto edited = ActsOf(scene.decision);
  ASSERT_EQ(edited.size(), 1u);
  EXPECT_EQ(edited[0].action, "message.edit");
  EXPECT_EQ(edited[0].before->members.at(0).second, protocol::AuditHash("first"));
  EXPECT_EQ(edited[0].after->members.at(0).second, protocol::AuditHash("second"));
  EXPECT_EQ(edited[0].user_id->ToText(), "buyer");
  scene.Do("ann(admin) message.delete messageId=M1 reason=r2");
  const auto deleted = ActsOf(scene.decision);
  ASSERT_EQ(deleted.size(), 1u);
  EXPECT_EQ(deleted[0].after->members.at(1).second, "deleted");
  for (const auto& write : scene.decision.writes) {
    protocol::AuditId id;
    if (!ParseActKey(write.sort.bytes(), &id)) continue;
    EXPECT_EQ(write.row->payload.find("second"), std::string::npos);
  }
}

TEST_F(RecordActTest, ops_of_members_are_not_recorded) {
  scene.Do("buyer message.send body=first");
  scene.Do("buyer message.edit messageId=M1 body=second");
  EXPECT_TRUE(ActsOf(scene.decision).empty());
  scene.Do("buyer message.delete messageId=M1 reason=mine");
  EXPECT_TRUE(ActsOf(scene.decision).empty());
}

TEST_F(RecordActTest, acts_of_staff_on_a_card_are_recorded_too) {
  scene.Given("service thread.promote legId=leg_1 eventId=e");
  scene.Given(R"(seller card.create type=REQUEST_EXTRA payload={"name":"a","priceCents":5})");
  EXPECT_TRUE(ActsOf(scene.decision).empty());
  scene.Given("ann(admin) card.act messageId=M2 intent=decline reason='by phone'");
  const auto acts = ActsOf(scene.decision);
  ASSERT_EQ(acts.size(), 1u);
  EXPECT_EQ(acts[0].action, "card.transition");
  EXPECT_EQ(acts[0].reason, "by phone");
  EXPECT_EQ(acts[0].message_id, scene.MessageNamed("M2"));
  EXPECT_EQ(acts[0].before->members.at(0).second, "PENDING");
  EXPECT_EQ(acts[0].after->members.at(0).second, "DECLINED");
}

TEST_F(RecordActTest, other_changes_by_staff_in_threads_of_others_are_recorded_by_op) {
  scene.Given("service thread.promote legId=leg_1 eventId=e");
  scene.Given("ann(admin) thread.schedule meetingAt=2030-01-02T10:00:00.000Z");
  const auto acts = ActsOf(scene.decision);
  ASSERT_EQ(acts.size(), 1u);
  EXPECT_EQ(acts[0].action, "thread.schedule");
  scene.Given("ann(admin) participant.add userId=carol");
  ASSERT_EQ(ActsOf(scene.decision).size(), 1u);
  EXPECT_EQ(ActsOf(scene.decision)[0].action, "participant.add");
  EXPECT_EQ(ActsOf(scene.decision)[0].user_id->ToText(), "carol");
}

TEST_F(RecordActTest, writes_of_staff_who_are_members_are_not_recorded) {
  scene.Given("buyer participant.add userId=ann");
  scene.Given("ann(admin) message.send body=hello");
  EXPECT_TRUE(ActsOf(scene.decision).empty());
}

}  // namespace
}  // namespace parley::threads
