// Permissions: granting, raising, listing and removal; a resource keeps an owner.
#include "accounts/permissions/permissions.h"

#include <gtest/gtest.h>

#include "tests/accounts/record_scene.h"

namespace parley::accounts {
namespace {

const UserId kAnn = *UserId::FromText("usr_ann");
const UserId kBobbie = *UserId::FromText("usr_bob");
const UserId kCy = *UserId::FromText("usr_cy");

class PermissionsTest : public testing::Test {
 protected:
  Resource On(const std::string& text) {
    auto resource = Resource::Parse(scene_.tenant, text);
    EXPECT_TRUE(resource.ok()) << text;
    return *resource;
  }
  auto Putting(const Actor& actor, const std::string& resource, const UserId& user, Level level,
               LevelMode mode = LevelMode::kSet) {
    return [=, this](RecordTransaction& tx) {
      return PutPermission(tx, actor, On(resource), user, level, mode);
    };
  }
  std::string Put(const Actor& actor, const std::string& resource, const UserId& user, Level level,
                  LevelMode mode = LevelMode::kSet) {
    const auto done = scene_.Decide<Permission>(Putting(actor, resource, user, level, mode));
    return done.ok() ? std::string(protocol::NameOf(done->level)) : CodeOf(done);
  }
  auto Deleting(const Actor& actor, const std::string& resource, const UserId& user) {
    return [=, this](RecordTransaction& tx) { return DeletePermission(tx, actor, On(resource), user); };
  }
  std::string Delete(const Actor& actor, const std::string& resource, const UserId& user) {
    return CodeOf(scene_.Decide<protocol::Unit>(Deleting(actor, resource, user)));
  }
  std::string LevelOf(const std::string& resource, const UserId& user) {
    const auto level = LevelOn(scene_.Reads(), On(resource), user);
    return !level.ok() ? CodeOf(level) : *level ? std::string(protocol::NameOf(**level)) : "-";
  }
  // "usr_ann owner tenant", in order.
  static std::vector<std::string> TextsOf(const protocol::Result<PermissionPage>& page) {
    if (!page.ok()) return {CodeOf(page)};
    std::vector<std::string> out;
    for (const Permission& one : page->items)
      out.push_back(one.user_id.ToText() + " " + std::string(protocol::NameOf(one.level)) + " " +
                    one.resource.value);
    return out;
  }

  RecordScene scene_;
};

using Texts = std::vector<std::string>;

TEST_F(PermissionsTest, hm_4_sets_and_raises_levels) {
  EXPECT_EQ(Put(Actor::Service(), "projects/p1", kAnn, Level::kWrite), "write");
  EXPECT_EQ(Put(Actor::Service(), "projects/p1", kAnn, Level::kRead, LevelMode::kRaise), "write");
  EXPECT_EQ(Put(Actor::Service(), "projects/p1", kAnn, Level::kOwner, LevelMode::kRaise), "owner");
  EXPECT_EQ(Put(Actor::Service(), "projects/p1", kBobbie, Level::kOwner), "owner");
  EXPECT_EQ(Put(Actor::Service(), "projects/p1", kAnn, Level::kRead), "read");
  EXPECT_EQ(LevelOf("projects/p1", kAnn), "read");
  EXPECT_EQ(LevelOf("projects/p2", kAnn), "-");
  EXPECT_TRUE(*HasLevel(scene_.Reads(), On("projects/p1"), kBobbie, Level::kWrite));
  EXPECT_FALSE(*HasLevel(scene_.Reads(), On("projects/p1"), kAnn, Level::kWrite));
  EXPECT_EQ(scene_.items.Check(), Texts{});
}

TEST_F(PermissionsTest, times_are_those_of_the_first_and_the_last_change) {
  const auto made = scene_.Decide<Permission>(Putting(Actor::Service(), "tenant", kAnn, Level::kRead));
  scene_.items.clock.Advance(1000);
  const auto changed = scene_.Decide<Permission>(Putting(Actor::Service(), "tenant", kAnn, Level::kWrite));
  const auto read = GetPermission(scene_.Reads(), Actor::User(kAnn), On("tenant"), kAnn);
  ASSERT_TRUE(made.ok() && changed.ok() && read.ok());
  EXPECT_EQ(read->created_at, made->created_at);
  EXPECT_EQ(read->updated_at.ms, made->created_at.ms + 1000);
  EXPECT_EQ(changed->updated_at, read->updated_at);
  EXPECT_EQ(changed->created_at, read->created_at);
}

TEST_F(PermissionsTest, owners_services_and_admins_may_change_them) {
  EXPECT_EQ(Put(Actor::User(kAnn), "projects/p1", kAnn, Level::kOwner), "FORBIDDEN");
  EXPECT_EQ(Put(Actor::User(kAnn, true), "projects/p1", kAnn, Level::kOwner), "owner");
  EXPECT_EQ(Put(Actor::User(kAnn), "projects/p1", kBobbie, Level::kWrite), "write");
  EXPECT_EQ(Put(Actor::User(kBobbie), "projects/p1", kCy, Level::kRead), "FORBIDDEN");
  EXPECT_EQ(Put(Actor::User(kAnn), "projects/p2", kCy, Level::kRead), "FORBIDDEN");
  EXPECT_EQ(Delete(Actor::User(kBobbie), "projects/p1", kBobbie), "FORBIDDEN");
  EXPECT_EQ(Delete(Actor::User(kAnn), "projects/p1", kBobbie), "ok");
  EXPECT_EQ(Delete(Actor::User(kAnn), "projects/p1", kBobbie), "NOT_FOUND");
}

TEST_F(PermissionsTest, hm_4_the_last_owner_cannot_be_removed) {
  ASSERT_EQ(Put(Actor::Service(), "projects/p1", kAnn, Level::kOwner), "owner");
  ASSERT_EQ(Put(Actor::Service(), "projects/p1", kBobbie, Level::kWrite), "write");
  EXPECT_EQ(Put(Actor::Service(), "projects/p1", kAnn, Level::kWrite), "FORBIDDEN");
  EXPECT_EQ(Delete(Actor::Service(), "projects/p1", kAnn), "FORBIDDEN");
  EXPECT_EQ(Put(Actor::User(kAnn), "projects/p1", kAnn, Level::kOwner), "owner");
  // Owners of other resources do not count.
  ASSERT_EQ(Put(Actor::Service(), "projects/p2", kBobbie, Level::kOwner), "owner");
  EXPECT_EQ(Delete(Actor::Service(), "projects/p1", kAnn), "FORBIDDEN");
  ASSERT_EQ(Put(Actor::Service(), "projects/p1", kBobbie, Level::kOwner), "owner");
  EXPECT_EQ(Delete(Actor::User(kAnn), "projects/p1", kAnn), "ok");
  EXPECT_EQ(LevelOf("projects/p1", kBobbie), "owner");
}

TEST_F(PermissionsTest, hm_4_of_two_owners_who_leave_at_once_one_stays) {
  ASSERT_EQ(Put(Actor::Service(), "tenant", kAnn, Level::kOwner), "owner");
  ASSERT_EQ(Put(Actor::Service(), "tenant", kBobbie, Level::kOwner), "owner");
  const auto [first, second] = scene_.DecideBoth<protocol::Unit>(
      Deleting(Actor::User(kAnn), "tenant", kAnn), Deleting(Actor::User(kBobbie), "tenant", kBobbie));
  EXPECT_EQ(CodeOf(first), "ok");
  EXPECT_EQ(CodeOf(second), "FORBIDDEN");
  ASSERT_EQ(Put(Actor::Service(), "tenant", kAnn, Level::kOwner), "owner");
  const auto lowered =
      scene_.DecideBoth<Permission>(Putting(Actor::User(kAnn), "tenant", kAnn, Level::kRead),
                                    Putting(Actor::User(kBobbie), "tenant", kBobbie, Level::kWrite));
  EXPECT_EQ(CodeOf(lowered.first), "ok");
  EXPECT_EQ(CodeOf(lowered.second), "FORBIDDEN");
  EXPECT_EQ(scene_.items.Check(), Texts{});
}

TEST_F(PermissionsTest, hm_4_lists_members_in_order_and_page_by_page) {
  ASSERT_EQ(Put(Actor::Service(), "projects/p1", kCy, Level::kOwner), "owner");
  ASSERT_EQ(Put(Actor::Service(), "projects/p1", kAnn, Level::kRead), "read");
  ASSERT_EQ(Put(Actor::Service(), "projects/p1", kBobbie, Level::kWrite), "write");
  ASSERT_EQ(Put(Actor::Service(), "projects/p10", kBobbie, Level::kWrite), "write");
  const auto first = MembersOf(scene_.Reads(), Actor::User(kCy), On("projects/p1"), {2, {}});
  EXPECT_EQ(TextsOf(first), (Texts{"usr_ann read projects/p1", "usr_bob write projects/p1"}));
  ASSERT_TRUE(first->next);
  ASSERT_EQ(Delete(Actor::Service(), "projects/p1", kBobbie), "ok");  // the page's cursor names this user
  const auto rest = MembersOf(scene_.Reads(), Actor::User(kCy), On("projects/p1"), {2, first->next});
  EXPECT_EQ(TextsOf(rest), Texts{"usr_cy owner projects/p1"});
  EXPECT_FALSE(rest->next);
  EXPECT_EQ(TextsOf(MembersOf(scene_.Reads(), Actor::User(kAnn), On("projects/p1"), {})), Texts{"FORBIDDEN"});
}

TEST_F(PermissionsTest, hm_4_lists_a_users_permissions_of_every_type) {
  for (const char* resource : {"projects/p2", "boards/b1", "tenant", "projects/p1"})
    ASSERT_EQ(Put(Actor::Service(), resource, kAnn, Level::kRead), "read");
  ASSERT_EQ(Put(Actor::Service(), "boards/b1", kBobbie, Level::kRead), "read");
  const auto first = ResourcesOf(scene_.Reads(), Actor::User(kAnn), kAnn, {3, {}});
  EXPECT_EQ(TextsOf(first),
            (Texts{"usr_ann read boards/b1", "usr_ann read projects/p1", "usr_ann read projects/p2"}));
  EXPECT_FALSE(ResourcesOf(scene_.Reads(), Actor::Service(), kAnn, {4, {}})->next);
  const auto rest = ResourcesOf(scene_.Reads(), Actor::Service(), kAnn, {3, first->next});
  EXPECT_EQ(TextsOf(rest), Texts{"usr_ann read tenant"});
  EXPECT_EQ(TextsOf(ResourcesOf(scene_.Reads(), Actor::User(kBobbie), kAnn, {})), Texts{"FORBIDDEN"});
}

TEST_F(PermissionsTest, tenants_do_not_see_those_of_others) {
  ASSERT_EQ(Put(Actor::Service(), "tenant", kAnn, Level::kOwner), "owner");
  scene_.tenant = *TenantId::FromText("umbrella");
  EXPECT_EQ(*LevelOnTenant(scene_.Reads(), kAnn), std::nullopt);
  EXPECT_EQ(TextsOf(ResourcesOf(scene_.Reads(), Actor::Service(), kAnn, {})), Texts{});
}

TEST_F(PermissionsTest, threads_and_invalid_resources_are_refused) {
  const std::string thread = "threads/thrd_01m7yrf2sj68a1mp3h0c8degyz";
  for (const std::string& text : {std::string(), std::string("tenant/acme"), std::string("tenant/"),
                                  std::string("projects"), std::string("projects/"), std::string("/p1"),
                                  std::string("projects/a/b"), std::string("projects/a#b"), thread,
                                  "projects/" + std::string(65, 'x'), std::string("projects/a\0b", 12)}) {
    const auto resource = Resource::Parse(scene_.tenant, text);
    ASSERT_FALSE(resource.ok()) << text;
    EXPECT_EQ(CodeOf(resource), "BAD_REQUEST") << text;
  }
  EXPECT_EQ(On("tenant").ToText(), "tenant");
  EXPECT_EQ(On("projects/p1").ToText(), "projects/p1");
}

}  // namespace
}  // namespace parley::accounts
