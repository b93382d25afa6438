// The part of users' records that all users of the tenant may read.
#include "accounts/users/user_names.h"

#include "tests/accounts/account_scene.h"

namespace parley::accounts {
namespace {

using protocol::TenantId;

std::string Reported(AccountScene& world, const std::vector<std::string>& ids) {
  std::vector<protocol::UserId> users;
  for (const std::string& id : ids) users.push_back(UserNamed(id));
  const auto names = NamesOf(world.Reads(), users);
  if (!names.ok()) return TextOf(names);
  std::string out;
  for (const protocol::UserName& user : names->items) {
    out += user.user_id.ToText() + "=" + user.display_name.value_or("-") + (user.known ? " known" : "") +
           (user.deleted.value ? " deleted; " : "; ");
  }
  return out;
}

TEST(UserNames, are_returned_in_the_requested_order_for_users_with_a_record) {
  AccountScene world;
  world.Make(R"({"userId":"ann","displayName":"Ann Lee"})");
  world.Make(R"({"userId":"bob","email":"bob@x.test"})");
  EXPECT_EQ(Reported(world, {"zoe", "bob", "ann", "ann"}),
            "zoe=-; bob=- known; ann=Ann Lee known; ann=Ann Lee known; ");
  world.tenant = TenantId{"bolt"};
  EXPECT_EQ(Reported(world, {"ann"}), "ann=-; ") << "of another tenant's users nothing";
}

TEST(UserNames, of_deleted_users_are_empty_and_marked_deleted) {
  AccountScene world;
  world.Make(R"({"userId":"ann","displayName":"Ann Lee"})");
  const Editor service{Editor::Kind::kService, {}};
  EXPECT_TRUE(world
                  .Decide<SessionsToEnd>([&](RecordTransaction& records) {
                    return DeleteUser(records, service, UserNamed("ann"));
                  })
                  .ok());
  EXPECT_EQ(Reported(world, {"ann"}), "ann=- deleted; ");
  EXPECT_FALSE(*HasRecord(world.Reads(), UserNamed("ann")));
  world.Make(R"({"userId":"ann","displayName":"Ann Moor"})");
  EXPECT_EQ(Reported(world, {"ann"}), "ann=Ann Moor known; ");
  EXPECT_TRUE(*HasRecord(world.Reads(), UserNamed("ann")));
}

}  // namespace
}  // namespace parley::accounts
