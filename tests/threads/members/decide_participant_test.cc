// participant.add, .remove, .update as decisions.
#include <gmock/gmock.h>

#include "tests/threads/scene.h"

namespace parley::threads {
namespace {

using ParticipantScene = ThreadScene;

constexpr std::string_view kArchived = "ann(admin) thread.setStatus status=archived reason=r";
constexpr std::string_view kCarol = "buyer participant.add userId=carol";

TEST_F(ParticipantScene, unknown_users_cannot_be_added_if_the_tenant_requires_records) {
  scene.tenant_policy.known_users_only = true;
  scene.known_users = {"carol"};
  EXPECT_EQ(scene.Do("buyer participant.add userId=dan"), "NOT_FOUND userId");
  EXPECT_EQ(scene.Do("service participant.add userId=dan"), "NOT_FOUND userId");
  EXPECT_EQ(scene.Do("eve participant.add userId=dan"), "THREAD_NOT_MEMBER") << "outsiders learn nothing";
  EXPECT_EQ(scene.Do("buyer participant.add userId=seller"), "nothing") << "who is there stays";
  EXPECT_EQ(scene.Do("buyer participant.add userId=carol"), "4 participant.added carol buyer/write");
}

TEST(AddDecision, owners_services_and_staff_add) {
  constexpr std::string_view kAdded = "4 participant.added dan buyer/write";
  constexpr std::string_view kAddedAfterCarol = "5 participant.added dan buyer/write";
  ExpectRows({
      {"", "buyer participant.add userId=dan", kAdded},
      {"", "seller participant.add userId=dan", kAdded},
      {"", "service participant.add userId=dan", kAdded},
      {"", "service(buyer) participant.add userId=dan", kAdded},
      {"", "service(carol) participant.add userId=dan", "THREAD_NOT_MEMBER"},
      {"", "ann(admin) participant.add userId=dan", kAdded},
      {"", "ann(support) participant.add userId=dan", kAdded},
      {"", "ann(moderator) participant.add userId=dan", kAdded},
      {"", "ann(bot) participant.add userId=dan", "THREAD_NOT_MEMBER"},
      {"", "carol participant.add userId=dan", "THREAD_NOT_MEMBER"},
      {"", "carol participant.add userId=carol", "THREAD_NOT_MEMBER"},
      {"", "buyer@acme participant.add userId=dan", "THREAD_NOT_MEMBER"},
      {kCarol, "carol participant.add userId=dan", "FORBIDDEN"},
      {"buyer participant.add userId=carol permission=owner", "carol participant.add userId=dan",
       kAddedAfterCarol},
      {"", "buyer participant.add userId=dan roleContext=admin permission=files",
       "4 participant.added dan admin/files"},
      {"", "buyer participant.add userId='d n'", "BAD_REQUEST userId"},
  });
}

TEST(AddDecision, the_creator_is_an_owner_without_being_buyer_or_seller) {
  Scene scene;
  scene.Given("carol thread.create participants=[{\"userId\":\"carol\"},{\"userId\":\"dan\"}]");
  EXPECT_EQ(scene.Do("dan participant.add userId=eve"), "FORBIDDEN");
  EXPECT_EQ(scene.Do("carol participant.add userId=eve"), "6 participant.added eve buyer/write");
  EXPECT_EQ(scene.Do("carol participant.remove userId=dan"), "7 participant.removed dan buyer/write gone");
}

TEST(AddDecision, adding_a_member_again_changes_nothing) {
  ExpectRows({
      {kCarol, "buyer participant.add userId=carol permission=read", "nothing"},
      {"", "buyer participant.add userId=buyer", "nothing"},
  });
}

TEST(AddDecision, a_locked_or_archived_thread_refuses_additions) {
  ExpectRows({
      {kLocked, "buyer participant.add userId=carol", "THREAD_LOCKED"},
      {kLocked, "service participant.add userId=carol", "THREAD_LOCKED"},
      {kArchived, "buyer participant.add userId=carol", "THREAD_ARCHIVED"},
      {Then(kCarol, kLocked), "carol participant.add userId=dan", "FORBIDDEN"},
      {Then(kCarol, kLocked), "buyer participant.remove userId=carol", "THREAD_LOCKED"},
      {Then(kCarol, kLocked), "buyer participant.update userId=carol permission=read", "THREAD_LOCKED"},
      {Then(kCarol, kArchived), "buyer participant.remove userId=carol", "THREAD_ARCHIVED"},
  });
}

TEST(RemoveDecision, owners_services_and_staff_remove_members_who_may_also_leave) {
  constexpr std::string_view kGone = "5 participant.removed carol buyer/write gone";
  ExpectRows({
      {kCarol, "buyer participant.remove userId=carol", kGone},
      {kCarol, "service participant.remove userId=carol", kGone},
      {kCarol, "ann(moderator) participant.remove userId=carol", kGone},
      {kCarol, "carol participant.remove userId=carol", kGone},
      {kCarol, "carol participant.remove userId=seller", "FORBIDDEN"},
      {kCarol, "dan participant.remove userId=carol", "THREAD_NOT_MEMBER"},
      {kCarol, "dan participant.remove userId=dan", "THREAD_NOT_MEMBER"},
      {kCarol, "buyer participant.remove userId=seller", "5 participant.removed seller seller/owner gone"},
      {"", "buyer participant.remove userId=dan", "NOT_FOUND"},
      {Then(kCarol, "carol participant.remove userId=carol"), "buyer participant.remove userId=carol",
       "nothing"},
      {Then(kCarol, "carol participant.remove userId=carol"), "carol participant.remove userId=carol",
       "THREAD_NOT_MEMBER"},
  });
}

TEST(RemoveDecision, a_member_may_always_leave) {
  const std::string demoted = Then(kCarol, "buyer participant.update userId=carol permission=read");
  ExpectRows({
      {Then(kCarol, kLocked), "carol participant.remove userId=carol",
       "6 participant.removed carol buyer/write gone"},
      {Then(kCarol, kArchived), "carol participant.remove userId=carol",
       "6 participant.removed carol buyer/write gone"},
      {demoted, "carol participant.remove userId=carol", "6 participant.removed carol buyer/read gone"},
      {Then(demoted, kLocked), "carol participant.remove userId=carol",
       "7 participant.removed carol buyer/read gone"},
  });
}

TEST_F(ParticipantScene, when_the_last_owner_leaves_a_locked_group_the_longest_member_becomes_owner) {
  scene.Given("carol thread.create kind=group with=dan");
  scene.Given("ann(admin) thread.setStatus status=locked reason=r threadId=" + scene.names.IdOf("T2"));
  EXPECT_THAT(scene.Do("carol participant.remove userId=carol threadId=" + scene.names.IdOf("T2")),
              testing::AllOf(testing::HasSubstr("participant.updated dan member/owner"),
                             testing::HasSubstr("participant.removed carol")));
}

TEST(UpdateParticipantDecision, owners_services_and_staff_change_role_and_permission) {
  ExpectRows({
      {kCarol, "buyer participant.update userId=carol permission=read",
       "5 participant.updated carol buyer/read"},
      {kCarol, "buyer participant.update userId=carol roleContext=seller",
       "5 participant.updated carol seller/write"},
      {kCarol, "service participant.update userId=carol permission=owner roleContext=admin",
       "5 participant.updated carol admin/owner"},
      {kCarol, "ann(admin) participant.update userId=carol permission=files",
       "5 participant.updated carol buyer/files"},
      {kCarol, "carol participant.update userId=carol permission=owner", "FORBIDDEN"},
      {kCarol, "dan participant.update userId=carol permission=read", "THREAD_NOT_MEMBER"},
      {kCarol, "buyer participant.update userId=carol permission=write", "nothing"},
      {kCarol, "buyer participant.update userId=carol", "nothing"},
      {kCarol, "buyer participant.update userId=dan permission=read", "NOT_FOUND"},
      {Then(kCarol, "carol participant.remove userId=carol"),
       "buyer participant.update userId=carol permission=read", "NOT_FOUND"},
  });
}

TEST(UpdateParticipantDecision, buyer_and_seller_cannot_demote_each_other) {
  const std::string owner = "buyer participant.add userId=carol permission=owner";
  const std::string gone = "buyer participant.remove userId=seller";
  ExpectRows({
      {"", "buyer participant.update userId=seller permission=read", "FORBIDDEN"},
      {"", "seller participant.update userId=buyer permission=write", "FORBIDDEN"},
      {"", "seller participant.update userId=buyer roleContext=admin", "FORBIDDEN"},
      {"", "buyer participant.update userId=seller permission=owner", "nothing"},
      {owner, "carol participant.update userId=seller permission=files", "FORBIDDEN"},
      {owner, "buyer participant.update userId=carol permission=read",
       "5 participant.updated carol buyer/read"},
      {"", "seller participant.update userId=seller permission=write",
       "4 participant.updated seller seller/write"},
      {"", "ann(admin) participant.update userId=seller permission=read",
       "4 participant.updated seller seller/read"},
      {"", "service participant.update userId=buyer permission=read",
       "4 participant.updated buyer buyer/read"},
      {gone, "buyer participant.add userId=seller permission=read roleContext=admin",
       "5 participant.added seller seller/owner"},
      {gone, "service participant.add userId=seller permission=read",
       "5 participant.added seller buyer/read"},
  });
}

TEST_F(ParticipantScene, a_returning_member_starts_over_with_nothing_unread) {
  scene.Given("buyer participant.add userId=carol permission=read; buyer message.send body=a");
  scene.Given("carol read.mark messageId=M1; carol participant.mute muted=true; carol inbox.set pinned=true");
  const int64_t first_came = scene.Member("carol").born_seq;
  scene.Given("buyer participant.remove userId=carol; buyer message.send body=b");
  EXPECT_TRUE(scene.Member("carol").item.removed_at);
  EXPECT_EQ(scene.Head().item.participant_count, 2);
  EXPECT_EQ(scene.Do("buyer participant.add userId=carol"), "8 participant.added carol buyer/write");
  const ParticipantRow carol = scene.Member("carol");
  EXPECT_FALSE(carol.item.removed_at);
  EXPECT_FALSE(carol.item.last_read_msg_id);
  EXPECT_FALSE(carol.hidden.muted);
  EXPECT_FALSE(carol.hidden.pinned);
  EXPECT_GT(carol.born_seq, first_came) << "catch-up tells of them as added";
  EXPECT_EQ(scene.UnreadOf("carol"), 0);
  scene.Given("buyer message.send body=c");
  EXPECT_EQ(scene.UnreadOf("carol"), 1);
}

TEST_F(ParticipantScene, the_members_list_is_updated_but_the_threads_seq_and_version_are_not) {
  scene.Given("buyer participant.add userId=carol; buyer participant.add userId=ann");
  scene.Given("buyer participant.remove userId=carol");
  const protocol::Thread head = scene.Head().item;
  EXPECT_EQ(head.participants.items, (std::vector<UserId>{{"ann"}, {"buyer"}, {"seller"}}));
  EXPECT_EQ(head.participant_count, 3);
  EXPECT_EQ(head.seq, 1);
  EXPECT_EQ(head.version, 1);
  EXPECT_EQ(head.last_seq, 6);
}

// The head lists the first 100 ids in order, after any joins and leaves.
class ManyMembers : public testing::Test {
 protected:
  static std::string Name(int i) { return "u" + std::to_string(1000 + i); }
  void Create(int others, const std::string& buyer = "buyer", const std::string& seller = "seller") {
    std::string list;
    for (int i = 0; i < others; ++i) list += (i ? "," : "") + ("{\"userId\":\"" + Name(i) + "\"}");
    scene.Given("service thread.create buyerUserId=" + buyer + " sellerUserId=" + seller + " participants=[" +
                list + "]");
  }
  void ExpectListed() {
    const auto rows = scene.Rows(TenantId{"demo"});
    auto ids = rows.MemberIds(scene.ThreadNamed("T")).value();
    const protocol::Thread head = scene.Head().item;
    EXPECT_EQ(head.participant_count, static_cast<int64_t>(ids.size()));
    if (ids.size() > protocol::kListedParticipants) ids.resize(protocol::kListedParticipants);
    EXPECT_EQ(head.participants.items, ids);
  }
  Scene scene;
};

TEST_F(ManyMembers, the_head_lists_the_first_hundred_ids_from_the_creation_on) {
  Create(130, "zoe", "yan");
  ExpectListed();
  EXPECT_EQ(scene.Head().item.participant_count, 132);
}

TEST_F(ManyMembers, added_members_enter_the_first_hundred_or_stay_out) {
  Create(97);
  for (const char* user : {"u0", "zz", "a", "u1050x", "zzz", "b"}) {
    scene.Given("service participant.add userId=" + std::string(user));
    ExpectListed();
  }
}

TEST_F(ManyMembers, removals_let_the_next_ids_enter) {
  Create(120);
  for (const char* user : {"buyer", "u1000", "u1119", "u1050", "seller"}) {
    scene.Given("service participant.remove userId=" + std::string(user));
    ExpectListed();
  }
  scene.Given("service participant.add userId=buyer");
  ExpectListed();
}

TEST_F(ManyMembers, a_full_thread_refuses_additions) {
  Create(3);
  scene.SetMemberCount(protocol::kMaxParticipants - 1);
  scene.Given("service participant.add userId=the-last");
  EXPECT_EQ(scene.Do("service participant.add userId=one-more"), "TOO_LARGE");
  scene.Given("service participant.remove userId=u1000");
  EXPECT_TRUE(scene.Do("service participant.add userId=one-more").ends_with("added one-more buyer/write"));
}

}  // namespace
}  // namespace parley::threads
