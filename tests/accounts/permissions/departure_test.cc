// What a deleted user had is void at once, and gone soon.
#include "accounts/permissions/departure.h"

#include <gtest/gtest.h>

#include "accounts/invites/invites.h"
#include "accounts/permissions/permissions.h"
#include "accounts/users/departed.h"
#include "tests/accounts/account_scene.h"

namespace parley::accounts {
namespace {

const Actor kService = Actor::Service();

class DepartureTest : public testing::Test {
 protected:
  DepartureTest() {
    for (const char* who : {"ann", "bob", "cy"}) world_.Make(R"({"userId":")" + std::string(who) + R"("})");
  }
  Resource On(const std::string& text) { return *Resource::Parse(world_.tenant, text); }
  std::string Put(const std::string& resource, const std::string& user, Level level,
                  LevelMode mode = LevelMode::kSet) {
    return TextOf(world_.Decide<Permission>([&](RecordStage& stage) {
      return PutPermission(stage, kService, On(resource), UserNamed(user), level, mode);
    }));
  }
  std::string Drop(const std::string& resource, const std::string& user) {
    return TextOf(world_.Decide<protocol::Unit>([&](RecordStage& stage) {
      return DeletePermission(stage, kService, On(resource), UserNamed(user));
    }));
  }
  std::string LevelOf(const std::string& resource, const std::string& user) {
    const auto level = *LevelOn(world_.Reads(), On(resource), UserNamed(user));
    return level ? std::string(protocol::NameOf(*level)) : "-";
  }
  std::string Members(const std::string& resource) {
    std::string out;
    const auto members = MembersOf(world_.Reads(), kService, On(resource), {});
    for (const Permission& one : members->items)
      out += one.user_id.ToText() + " " + std::string(protocol::NameOf(one.level)) + ";";
    return out;
  }
  size_t Has(const std::string& user) {
    return ResourcesOf(world_.Reads(), kService, UserNamed(user), {200})->items.size();
  }
  size_t Rows(std::string_view table) {
    return world_.Reads().List({.table = table, .limit = 1000})->items.size();
  }
  bool ClearOnce(const std::string& user) {
    return *world_.Decide<bool>([&](RecordStage& stage) { return ClearDeparted(stage, UserNamed(user)); });
  }
  // In how many decisions.
  int Clear(const std::string& user) {
    int decisions = 1;
    while (ClearOnce(user)) ++decisions;
    return decisions;
  }
  std::string StateOfInvite() {
    const auto page = ListInvites(world_.Reads(), kService, {.resource = On("projects/p1")});
    return std::string(protocol::NameOf(page->items.front().state));
  }
  std::string Invite(const std::string& by, const std::string& email, const std::string& id) {
    const InviteSecret secret{id, "inv_" + std::string(64, id.back())};
    return TextOf(world_.Decide<struct Invite>([&](RecordStage& stage) {
      return CreateInvite(stage, Actor::User(UserNamed(by)), {email, On("projects/p1"), Level::kWrite, 3600},
                          secret);
    }));
  }

  AccountScene world_;
};

TEST_F(DepartureTest, what_a_deleted_user_had_is_void_at_once_and_not_that_of_who_is_called_so_later) {
  Put("projects/p1", "bob", Level::kOwner);
  Put("projects/p1", "ann", Level::kWrite);
  Put("tenant", "ann", Level::kRead);
  EXPECT_EQ(world_.Delete("ann"), "ok");
  EXPECT_EQ(LevelOf("projects/p1", "ann") + LevelOf("tenant", "ann"), "--");
  EXPECT_EQ(Members("projects/p1"), "bob owner;");
  EXPECT_EQ(Has("ann"), 0u);
  world_.Make(R"({"userId":"ann"})");
  EXPECT_EQ(LevelOf("projects/p1", "ann"), "-");
  EXPECT_EQ(Put("projects/p1", "ann", Level::kRead, LevelMode::kRaise), "ok");
  EXPECT_EQ(LevelOf("projects/p1", "ann"), "read") << "raised from nothing";
  Clear("ann");
  EXPECT_EQ(Members("projects/p1"), "ann read;bob owner;") << "what was given since stays";
  EXPECT_EQ(Rows("permission"), 2u);
}

TEST_F(DepartureTest, a_user_with_very_many_is_cleared_in_slices_and_others_keep_theirs) {
  for (int i = 0; i < 130; ++i) ASSERT_EQ(Put("projects/p" + std::to_string(i), "ann", Level::kOwner), "ok");
  Put("projects/p7", "bob", Level::kOwner);
  EXPECT_EQ(world_.Delete("ann"), "ok");
  EXPECT_EQ(AllDeparted(world_.scene.table(), 10)->size(), 1u) << "noted with the deletion";
  EXPECT_TRUE(ClearOnce("ann"));
  EXPECT_EQ(Rows("permission"), 81u);
  EXPECT_EQ(Clear("ann"), 2);
  EXPECT_EQ(Members("projects/p7"), "bob owner;");
  EXPECT_EQ(Rows("permission"), 1u);
  EXPECT_TRUE(AllDeparted(world_.scene.table(), 10)->empty());
  EXPECT_FALSE(ClearOnce("ann"));
}

TEST_F(DepartureTest, the_last_owner_stays_in_the_list_without_a_level_until_there_is_another) {
  Put("projects/p1", "ann", Level::kOwner);
  Put("projects/p1", "bob", Level::kRead);
  EXPECT_EQ(world_.Delete("ann"), "ok");
  Clear("ann");
  EXPECT_EQ(Members("projects/p1"), "ann owner;bob read;");
  EXPECT_EQ(LevelOf("projects/p1", "ann"), "-");
  EXPECT_EQ(Drop("projects/p1", "ann"), "FORBIDDEN");
  EXPECT_EQ(Put("projects/p1", "cy", Level::kOwner), "ok");
  EXPECT_EQ(Members("projects/p1"), "bob read;cy owner;");
}

TEST_F(DepartureTest, a_last_owner_whom_nobody_is_left_to_miss_goes) {
  Put("projects/p1", "ann", Level::kOwner);
  Put("projects/p1", "bob", Level::kRead);
  EXPECT_EQ(world_.Delete("ann"), "ok");
  Clear("ann");
  EXPECT_EQ(Drop("projects/p1", "bob"), "ok");
  EXPECT_EQ(Rows("permission"), 0u);
}

TEST_F(DepartureTest, who_was_deleted_is_no_other_owner) {
  Put("projects/p1", "ann", Level::kOwner);
  Put("projects/p1", "bob", Level::kOwner);
  EXPECT_EQ(world_.Delete("ann"), "ok");
  EXPECT_EQ(Put("projects/p1", "bob", Level::kRead), "FORBIDDEN");
  EXPECT_EQ(Drop("projects/p1", "bob"), "FORBIDDEN");
  Clear("ann");
  EXPECT_EQ(Members("projects/p1"), "bob owner;");
}

TEST_F(DepartureTest, of_two_owners_who_are_deleted_one_stays_in_the_list) {
  Put("projects/p1", "ann", Level::kOwner);
  Put("projects/p1", "bob", Level::kOwner);
  Put("projects/p1", "cy", Level::kRead);
  EXPECT_EQ(world_.Delete("ann"), "ok");
  EXPECT_EQ(world_.Delete("bob"), "ok");
  Clear("ann");
  Clear("bob");
  EXPECT_EQ(Members("projects/p1"), "bob owner;cy read;");
}

TEST_F(DepartureTest, invitations_of_a_deleted_user_are_revoked_and_stand_in_nobodys_way) {
  Put("projects/p1", "ann", Level::kOwner);
  Put("projects/p1", "bob", Level::kOwner);
  world_.Make(R"({"userId":"dan","email":"dan@example.com"})");
  ASSERT_EQ(Invite("ann", "dan@example.com", "i1"), "ok");
  EXPECT_EQ(StateOfInvite(), "pending");
  EXPECT_EQ(world_.Delete("ann"), "ok");
  EXPECT_EQ(StateOfInvite(), "revoked");
  const auto accept = [&](RecordStage& stage) {
    return AcceptInvite(stage, UserNamed("dan"), "inv_" + std::string(64, '1'));
  };
  EXPECT_EQ(TextOf(world_.Decide<Permission>(accept)), "NOT_FOUND");
  EXPECT_EQ(Invite("bob", "dan@example.com", "i2"), "ok");
}

TEST_F(DepartureTest, a_suspension_takes_nothing_away) {
  Put("projects/p1", "ann", Level::kOwner);
  EXPECT_TRUE(
      world_
          .Decide<SessionsToEnd>([&](RecordStage& stage) { return SuspendUser(stage, UserNamed("ann"), {}); })
          .ok());
  EXPECT_EQ(LevelOf("projects/p1", "ann"), "owner");
  EXPECT_TRUE(AllDeparted(world_.scene.table(), 10)->empty());
}

}  // namespace
}  // namespace parley::accounts
