// Tests that verify finds faults in the members of direct threads and groups.
#include <gmock/gmock.h>

#include "tests/fanout/verify_scene.h"

namespace parley::fanout {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// A direct thread T, a group T2, and another pair's direct thread T3.
class VerifyMembers : public VerifyScene {
 protected:
  void SetUp() override {
    ASSERT_EQ(scene.Run("ann thread.create kind=direct with=bob firstMessage=x clientId=a;"
                        "ann thread.create kind=group with=bob,carol;"
                        "bob thread.create kind=direct with=ann firstMessage=y clientId=b;"
                        "carol thread.create kind=direct with=dan;"
                        "carol participant.remove threadId=T2 userId=carol"),
              "ok");
    scene.worker->SaveCursors();
    ASSERT_THAT(Verify(), IsEmpty());
  }
  ThreadId Thread(const char* name) const { return scene.core.ThreadNamed(name); }
  void PlantMember(const char* thread, const char* user,
                   const std::function<void(threads::ParticipantRow&)>& change) {
    threads::ParticipantRow row = **scene.core.Rows().Participant(Thread(thread), UserId{user});
    change(row);
    Plant(threads::ThreadPartition(kTenant, Thread(thread)), threads::ParticipantKey(UserId{user}),
          threads::EncodeItem(row));
  }
  void PlantHead(const char* thread, const std::function<void(threads::ThreadRow&)>& change) {
    threads::ThreadRow row = **scene.core.Rows().Thread(Thread(thread));
    change(row);
    Plant(threads::ThreadPartition(kTenant, Thread(thread)), threads::ThreadKey(), threads::EncodeItem(row));
  }
  void ExpectFound(const std::string& what) { EXPECT_THAT(Verify(), Contains(HasSubstr(what))); }
};

TEST_F(VerifyMembers, finds_a_direct_thread_with_one_member) {
  PlantMember("T", "bob",
              [&](threads::ParticipantRow& row) { row.item.removed_at = scene.core.clock.Now(); });
  ExpectFound("is a direct thread with 1 members");
}

TEST_F(VerifyMembers, finds_a_direct_thread_with_an_owner_and_a_group_without_one) {
  PlantMember("T", "bob",
              [](threads::ParticipantRow& row) { row.item.permission = protocol::Permission::kOwner; });
  ExpectFound("is a direct thread with an owner");
  PlantMember("T2", "ann",
              [](threads::ParticipantRow& row) { row.item.permission = protocol::Permission::kWrite; });
  ExpectFound("is a group without an owner");
}

TEST_F(VerifyMembers, finds_a_buyer_or_seller_in_a_thread_without_them) {
  PlantMember("T2", "bob",
              [](threads::ParticipantRow& row) { row.item.role_context = protocol::RoleContext::kSeller; });
  ExpectFound("bob is seller in a group");
  PlantHead("T2", [](threads::ThreadRow& row) { row.item.buyer_user_id = UserId{"ann"}; });
  ExpectFound("buyerUserId does not fit the kind group");
  PlantHead("T", [](threads::ThreadRow& row) { row.item.kind = protocol::ThreadKind::kInquiry; });
  ExpectFound("buyerUserId does not fit the kind inquiry");
}

TEST_F(VerifyMembers, finds_a_block_that_does_not_apply) {
  const auto mark = [](threads::ParticipantRow& row) { row.hidden.blocked_until = protocol::Time{1}; };
  PlantMember("T", "bob", mark);
  EXPECT_THAT(Verify(), testing::Not(Contains(HasSubstr("is shown a block"))));
  PlantMember("T2", "bob", mark);
  ExpectFound("bob is shown a block that does not apply");
  PlantHead("T2",
            [](threads::ThreadRow& row) { row.hidden.booking.value = protocol::BookingState::kClosed; });
  ExpectFound("has a booking, but is of the kind group");
}

TEST_F(VerifyMembers, finds_a_tab_in_a_group) {
  threads::TabRow tab;
  tab.item.content.msgpack = "\x80";  // an empty map
  Plant(threads::ThreadPartition(kTenant, Thread("T2")), threads::TabKey(protocol::TabName::kBrief),
        threads::EncodeItem(tab));
  ExpectFound("has tabs, but is of the kind group");
}

TEST_F(VerifyMembers, finds_a_pair_whose_row_is_missing_or_wrong) {
  const auto partition = threads::UserPartition(kTenant, UserId{"ann"});
  const auto sort = threads::DirectKey(UserId{"bob"});
  Plant(partition, sort, std::nullopt);
  ExpectFound("the DIRECT# row of its two members is missing");
  Plant(partition, sort, threads::EncodeReservation({Thread("T3"), std::string(threads::kDigestSize, 'd')}));
  ExpectFound("its two members have another direct thread");
  ExpectFound("DIRECT# of ann and bob leads to " + Thread("T3").ToText() + ", which is not theirs");
  Plant(partition, sort, "?");
  ExpectFound("a DIRECT# row cannot be read");
}

TEST_F(VerifyMembers, accepts_a_row_whose_thread_was_not_created_because_of_a_crash) {
  Plant(threads::UserPartition(kTenant, UserId{"eve"}), threads::DirectKey(UserId{"fred"}),
        threads::EncodeReservation({*ThreadId::FromText("thrd_01h00000000000000000000000"),
                                    std::string(threads::kDigestSize, 'd')}));
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(VerifyMembers, their_entries_are_found_by_kind_and_in_no_folder_of_bookings) {
  EXPECT_EQ(scene.Inbox("ann", "kind=direct") + "|" + scene.Inbox("ann", "kind=group"), "T:1|T2:0");
  EXPECT_EQ(scene.Inbox("carol", "kind=direct"), "T3:0");
  EXPECT_EQ(scene.Inbox("ann"), "T2:0 T:1");
  for (const char* filter : {"kind=inquiry", "kind=project", "folder=inquiries", "folder=bookings",
                             "folder=invites", "folder=offers"})
    EXPECT_EQ(scene.Inbox("ann", filter), "") << filter;
}

}  // namespace
}  // namespace parley::fanout
