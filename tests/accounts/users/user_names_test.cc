// What everybody of a tenant is told of its users.
#include "accounts/users/user_names.h"

#include "tests/accounts/account_scene.h"

namespace parley::accounts {
namespace {

using protocol::TenantId;

std::string Told(AccountScene& world, const std::vector<std::string>& ids) {
  std::vector<protocol::UserId> users;
  for (const std::string& id : ids) users.push_back(UserNamed(id));
  const auto reply = NamesOf(world.Reads(), users);
  if (!reply.ok()) return TextOf(reply);
  std::string out;
  for (const protocol::UserName& user : reply->users.items) {
    out += user.user_id.ToText() + "=" + user.display_name.value_or("-") + (user.known ? " known" : "") +
           (user.deleted.value ? " deleted; " : "; ");
  }
  return out;
}

TEST(UserNames, are_told_in_the_order_asked_for_of_those_who_have_a_record) {
  AccountScene world;
  world.Make(R"({"userId":"ann","displayName":"Ann Lee"})");
  world.Make(R"({"userId":"bob","email":"bob@x.test"})");
  EXPECT_EQ(Told(world, {"zoe", "bob", "ann", "ann"}),
            "zoe=-; bob=- known; ann=Ann Lee known; ann=Ann Lee known; ");
  world.tenant = TenantId{"bolt"};
  EXPECT_EQ(Told(world, {"ann"}), "ann=-; ") << "of another tenant's users nothing";
}

TEST(UserNames, of_the_deleted_are_gone_and_said_to_be) {
  AccountScene world;
  world.Make(R"({"userId":"ann","displayName":"Ann Lee"})");
  const Editor service{Editor::Kind::kService, {}};
  EXPECT_TRUE(world
                  .Decide<SessionsToEnd>([&](RecordTransaction& records) {
                    return DeleteUser(records, service, UserNamed("ann"));
                  })
                  .ok());
  EXPECT_EQ(Told(world, {"ann"}), "ann=- deleted; ");
  EXPECT_FALSE(*HasRecord(world.Reads(), UserNamed("ann")));
  world.Make(R"({"userId":"ann","displayName":"Ann Moor"})");
  EXPECT_EQ(Told(world, {"ann"}), "ann=Ann Moor known; ");
  EXPECT_TRUE(*HasRecord(world.Reads(), UserNamed("ann")));
}

}  // namespace
}  // namespace parley::accounts
