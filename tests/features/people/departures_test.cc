// Tests that a deleted user's rows are void at once, and removed soon.
#include "features/people/departures.h"

#include <gtest/gtest.h>

#include "accounts/permissions/permissions.h"
#include "accounts/users/departed.h"
#include "features/invites/invites.h"
#include "tests/accounts/account_scene.h"
#include "tests/accounts/suspension.h"

namespace parley::features {
namespace {

const accounts::Actor kService = accounts::Actor::Service();

class DepartureTest : public testing::Test {
 protected:
  DepartureTest() {
    for (const char* who : {"ann", "bob", "cy"}) world_.Make(R"({"userId":")" + std::string(who) + R"("})");
  }
  accounts::Resource On(const std::string& text) { return *accounts::Resource::Parse(world_.tenant, text); }
  std::string Put(const std::string& resource, const std::string& user, accounts::Level level,
                  accounts::LevelMode mode = accounts::LevelMode::kSet) {
    return accounts::TextOf(world_.Decide<accounts::Permission>([&](accounts::RecordTransaction& tx) {
      return accounts::PutPermission(tx, kService, On(resource), accounts::UserNamed(user), level, mode);
    }));
  }
  std::string Drop(const std::string& resource, const std::string& user) {
    return accounts::TextOf(world_.Decide<protocol::Unit>([&](accounts::RecordTransaction& tx) {
      return accounts::DeletePermission(tx, kService, On(resource), accounts::UserNamed(user));
    }));
  }
  std::string LevelOf(const std::string& resource, const std::string& user) {
    const auto level = *accounts::LevelOn(world_.Reads(), On(resource), accounts::UserNamed(user));
    return level ? std::string(protocol::NameOf(*level)) : "-";
  }
  std::string Members(const std::string& resource) {
    std::string out;
    const auto members = accounts::MembersOf(world_.Reads(), kService, On(resource), {});
    for (const accounts::Permission& one : members->items)
      out += one.user_id.ToText() + " " + std::string(protocol::NameOf(one.level)) + ";";
    return out;
  }
  size_t Has(const std::string& user) {
    return accounts::ResourcesOf(world_.Reads(), kService, accounts::UserNamed(user), {200})->items.size();
  }
  size_t Rows(std::string_view table) {
    return world_.Reads().List({.table = table, .limit = 1000})->items.size();
  }
  bool ClearOnce(const std::string& user) {
    return *world_.Decide<bool>(
        [&](accounts::RecordTransaction& tx) { return ClearSome(tx, accounts::UserNamed(user)); });
  }
  // Returns the number of decisions it took.
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
    return accounts::TextOf(world_.Decide<struct Invite>([&](accounts::RecordTransaction& tx) {
      return CreateInvite(tx, accounts::Actor::User(accounts::UserNamed(by)),
                          {email, On("projects/p1"), accounts::Level::kWrite, 3600}, secret);
    }));
  }

  accounts::AccountScene world_;
};

TEST_F(DepartureTest, a_deleted_users_rows_are_void_at_once_but_not_those_of_a_later_namesake) {
  Put("projects/p1", "bob", accounts::Level::kOwner);
  Put("projects/p1", "ann", accounts::Level::kWrite);
  Put("tenant", "ann", accounts::Level::kRead);
  EXPECT_EQ(world_.Delete("ann"), "ok");
  EXPECT_EQ(LevelOf("projects/p1", "ann") + LevelOf("tenant", "ann"), "--");
  EXPECT_EQ(Members("projects/p1"), "bob owner;");
  EXPECT_EQ(Has("ann"), 0u);
  world_.Make(R"({"userId":"ann"})");
  EXPECT_EQ(LevelOf("projects/p1", "ann"), "-");
  EXPECT_EQ(Put("projects/p1", "ann", accounts::Level::kRead, accounts::LevelMode::kRaise), "ok");
  EXPECT_EQ(LevelOf("projects/p1", "ann"), "read") << "raised from nothing";
  Clear("ann");
  EXPECT_EQ(Members("projects/p1"), "ann read;bob owner;") << "what was given since stays";
  EXPECT_EQ(Rows("permission"), 2u);
}

TEST_F(DepartureTest, a_user_with_many_rows_is_cleared_in_slices_and_others_keep_theirs) {
  for (int i = 0; i < 130; ++i)
    ASSERT_EQ(Put("projects/p" + std::to_string(i), "ann", accounts::Level::kOwner), "ok");
  Put("projects/p7", "bob", accounts::Level::kOwner);
  EXPECT_EQ(world_.Delete("ann"), "ok");
  EXPECT_EQ(accounts::AllDeparted(world_.scene.table(), 10)->size(), 1u) << "noted with the deletion";
  EXPECT_TRUE(ClearOnce("ann"));
  EXPECT_EQ(Rows("permission"), 81u);
  EXPECT_EQ(Clear("ann"), 2);
  EXPECT_EQ(Members("projects/p7"), "bob owner;");
  EXPECT_EQ(Rows("permission"), 1u);
  EXPECT_TRUE(accounts::AllDeparted(world_.scene.table(), 10)->empty());
  EXPECT_FALSE(ClearOnce("ann"));
}

TEST_F(DepartureTest, the_last_owner_stays_in_the_list_without_a_level_until_there_is_another) {
  Put("projects/p1", "ann", accounts::Level::kOwner);
  Put("projects/p1", "bob", accounts::Level::kRead);
  EXPECT_EQ(world_.Delete("ann"), "ok");
  Clear("ann");
  EXPECT_EQ(Members("projects/p1"), "ann owner;bob read;");
  EXPECT_EQ(LevelOf("projects/p1", "ann"), "-");
  EXPECT_EQ(Drop("projects/p1", "ann"), "FORBIDDEN");
  EXPECT_EQ(Put("projects/p1", "cy", accounts::Level::kOwner), "ok");
  EXPECT_EQ(Members("projects/p1"), "bob read;cy owner;");
}

TEST_F(DepartureTest, a_last_owner_is_removed_if_no_member_is_left) {
  Put("projects/p1", "ann", accounts::Level::kOwner);
  Put("projects/p1", "bob", accounts::Level::kRead);
  EXPECT_EQ(world_.Delete("ann"), "ok");
  Clear("ann");
  EXPECT_EQ(Drop("projects/p1", "bob"), "ok");
  EXPECT_EQ(Rows("permission"), 0u);
}

TEST_F(DepartureTest, a_deleted_user_does_not_count_as_another_owner) {
  Put("projects/p1", "ann", accounts::Level::kOwner);
  Put("projects/p1", "bob", accounts::Level::kOwner);
  EXPECT_EQ(world_.Delete("ann"), "ok");
  EXPECT_EQ(Put("projects/p1", "bob", accounts::Level::kRead), "FORBIDDEN");
  EXPECT_EQ(Drop("projects/p1", "bob"), "FORBIDDEN");
  Clear("ann");
  EXPECT_EQ(Members("projects/p1"), "bob owner;");
}

TEST_F(DepartureTest, of_two_owners_who_are_deleted_one_stays_in_the_list) {
  Put("projects/p1", "ann", accounts::Level::kOwner);
  Put("projects/p1", "bob", accounts::Level::kOwner);
  Put("projects/p1", "cy", accounts::Level::kRead);
  EXPECT_EQ(world_.Delete("ann"), "ok");
  EXPECT_EQ(world_.Delete("bob"), "ok");
  Clear("ann");
  Clear("bob");
  EXPECT_EQ(Members("projects/p1"), "bob owner;cy read;");
}

TEST_F(DepartureTest, a_deleted_users_invitations_are_revoked_and_block_no_new_ones) {
  Put("projects/p1", "ann", accounts::Level::kOwner);
  Put("projects/p1", "bob", accounts::Level::kOwner);
  world_.Make(R"({"userId":"dan","email":"dan@example.com"})");
  ASSERT_EQ(Invite("ann", "dan@example.com", "i1"), "ok");
  EXPECT_EQ(StateOfInvite(), "pending");
  EXPECT_EQ(world_.Delete("ann"), "ok");
  EXPECT_EQ(StateOfInvite(), "revoked");
  const auto accept = [&](accounts::RecordTransaction& tx) {
    return AcceptInvite(tx, accounts::UserNamed("dan"), "inv_" + std::string(64, '1'));
  };
  EXPECT_EQ(accounts::TextOf(world_.Decide<accounts::Permission>(accept)), "NOT_FOUND");
  EXPECT_EQ(Invite("bob", "dan@example.com", "i2"), "ok");
}

TEST_F(DepartureTest, a_suspension_removes_no_rows) {
  Put("projects/p1", "ann", accounts::Level::kOwner);
  EXPECT_TRUE(world_
                  .Decide<accounts::SessionsToEnd>([&](accounts::RecordTransaction& tx) {
                    return accounts::SuspendUser(tx, accounts::UserNamed("ann"));
                  })
                  .ok());
  EXPECT_EQ(LevelOf("projects/p1", "ann"), "owner");
  EXPECT_TRUE(accounts::AllDeparted(world_.scene.table(), 10)->empty());
}

}  // namespace
}  // namespace parley::features
