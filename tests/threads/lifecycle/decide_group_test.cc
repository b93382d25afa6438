// Groups as decisions: ownership, joining and leaving, and ops that they do not support.
#include "tests/threads/scene.h"

namespace parley::threads {
namespace {

class Group : public testing::Test {
 protected:
  Group() { scene.Given("ann thread.create kind=group with=bob,carol subject=S"); }
  Scene scene;
};

TEST(GroupDecision, the_creator_is_the_owner_and_the_others_are_members) {
  const std::string alone = "1 thread.created group v1; 2 participant.added ann member/owner";
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"ann thread.create kind=group with=carol,ann,bob subject=S",
       "1 thread.created group v1 subject='S'; 2 participant.added ann member/owner; "
       "3 participant.added bob member/write; 4 participant.added carol member/write"},
      {"ann thread.create kind=group", alone},
      {"service(ann) thread.create kind=group", alone},
      {"service thread.create kind=group with=ann", "FORBIDDEN"},
      {"ann thread.create kind=group firstMessage=hi clientId=c", alone + "; 3 message.created M1 ann 'hi'"},
      {"ann thread.create kind=group buyerUserId=ann", "BAD_REQUEST buyerUserId"},
      {"ann thread.create kind=group brief={} role=r", "BAD_REQUEST role brief"},
      {"ann thread.create kind=group participants=[{\"userId\":\"bob\",\"roleContext\":\"buyer\"}]",
       "BAD_REQUEST participants"},
      {"ann thread.create kind=group participants=[{\"userId\":\"bob\",\"roleContext\":\"admin\"}]",
       alone + "; 3 participant.added bob admin/write"}};
  for (const auto& [when, then] : rows) {
    Scene scene;
    EXPECT_EQ(scene.Do(when), then) << when;
  }
}

TEST(GroupDecision, a_repeat_returns_the_group_and_two_creations_make_two) {
  Scene scene;
  scene.Given("ann thread.create kind=group with=bob clientId=c firstMessage=hi");
  EXPECT_EQ(scene.Do("ann thread.create kind=group with=bob clientId=c firstMessage=hi"), "nothing");
  EXPECT_NE(scene.Do("ann thread.create kind=group with=bob"), "nothing");
  scene.Given("bob participant.remove userId=bob");
  EXPECT_EQ(scene.Do("ann thread.create kind=group with=bob clientId=c firstMessage=hi"), "nothing");
  scene.Given("ann participant.remove userId=ann");
  EXPECT_EQ(scene.Do("ann thread.create kind=group with=bob clientId=c firstMessage=hi"),
            "THREAD_NOT_MEMBER");
}

TEST_F(Group, owners_services_and_staff_add_and_remove_and_every_member_may_leave) {
  const std::string added = " participant.added dan member/write";
  EXPECT_EQ(scene.Do("bob participant.add userId=dan"), "FORBIDDEN");
  EXPECT_EQ(scene.Do("bob participant.remove userId=carol"), "FORBIDDEN");
  EXPECT_EQ(scene.Do("eve participant.add userId=eve"), "THREAD_NOT_MEMBER");
  EXPECT_EQ(scene.Do("ann participant.add userId=dan roleContext=seller"), "BAD_REQUEST roleContext");
  EXPECT_EQ(scene.Do("ann participant.add userId=dan"), "5" + added);
  EXPECT_EQ(scene.Do("ann participant.remove userId=dan"), "6 participant.removed dan member/write gone");
  EXPECT_EQ(scene.Do("service participant.add userId=dan"), "7" + added);
  EXPECT_EQ(scene.Do("sam(support) participant.remove userId=dan"),
            "8 participant.removed dan member/write gone");
  EXPECT_EQ(scene.Do("bob participant.remove userId=bob"), "9 participant.removed bob member/write gone");
  EXPECT_EQ(scene.Head().item.participant_count, 2);
}

TEST_F(Group, the_longest_member_succeeds_the_last_owner) {
  scene.Given("ann participant.remove userId=bob; ann participant.add userId=bob");
  EXPECT_EQ(scene.Do("ann participant.remove userId=ann"),
            "7 participant.updated carol member/owner; 8 participant.removed ann member/owner gone")
      << "bob came back later";
  EXPECT_EQ(scene.Do("bob participant.add userId=dan"), "FORBIDDEN");
  EXPECT_EQ(scene.Do("carol participant.add userId=ann"), "9 participant.added ann member/write");
  EXPECT_EQ(scene.Do("ann participant.remove userId=bob"), "FORBIDDEN") << "who made it owns it no more";
  EXPECT_EQ(scene.Do("sam(admin) participant.remove userId=carol"),
            "10 participant.updated bob member/owner; 11 participant.removed carol member/owner gone");
}

TEST_F(Group, with_another_owner_there_is_no_successor_and_the_last_one_stays_owner) {
  EXPECT_EQ(scene.Do("ann participant.update userId=ann permission=write"), "FORBIDDEN");
  EXPECT_EQ(scene.Do("sam(admin) participant.update userId=ann permission=read"), "FORBIDDEN");
  EXPECT_EQ(scene.Do("ann participant.update userId=bob permission=owner"),
            "5 participant.updated bob member/owner");
  EXPECT_EQ(scene.Do("ann participant.update userId=ann permission=write"),
            "6 participant.updated ann member/write");
  EXPECT_EQ(scene.Do("bob participant.update userId=carol permission=owner roleContext=admin"),
            "7 participant.updated carol admin/owner");
  EXPECT_EQ(scene.Do("bob participant.remove userId=bob"), "8 participant.removed bob member/owner gone");
  EXPECT_EQ(scene.Do("carol participant.update userId=carol roleContext=buyer"), "BAD_REQUEST roleContext");
}

TEST_F(Group, the_first_to_join_an_empty_group_owns_it) {
  scene.Given("bob participant.remove userId=bob; carol participant.remove userId=carol");
  EXPECT_EQ(scene.Do("ann participant.remove userId=ann"), "7 participant.removed ann member/owner gone");
  EXPECT_EQ(scene.Head().item.participant_count, 0);
  EXPECT_EQ(scene.Do("service participant.add userId=dan permission=read"),
            "8 participant.added dan member/owner");
  EXPECT_EQ(scene.Do("dan participant.add userId=ann"), "9 participant.added ann member/write");
}

TEST_F(Group, has_no_cards_or_tabs_and_cannot_become_a_project) {
  for (const char* refused :
       {"ann card.create type=ACCEPTANCE_ACK", "ann card.create type=SAFETY",
        "ann card.act intent=accept messageId=msg_01h00000000000000000000000",
        "ann tab.put tab=moodboard version=0 content={\"pins\":[]}",
        "service tab.put tab=docs version=0 content={\"envelopes\":[]}",
        "service thread.promote legId=G eventId=e", "sam(admin) thread.promote lbgId=L eventId=e",
        "service thread.schedule meetingAt=2030-01-01T00:00:00.000Z"})
    EXPECT_EQ(scene.Do(refused), "FORBIDDEN") << refused;
}

TEST_F(Group, members_who_may_write_change_its_subject) {
  EXPECT_EQ(scene.Do("bob thread.update version=1 subject=New city=Rome safeModeRequired=true"),
            "5 thread.updated group v2 subject='New' city='Rome' safe");
  EXPECT_EQ(scene.Do("ann thread.update version=2 safeModeRequired=false"), "FORBIDDEN");
}

}  // namespace
}  // namespace parley::threads
