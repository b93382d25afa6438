// Tests making, listing, accepting and revoking invitations.
#include "features/invites/invites.h"

#include <gtest/gtest.h>

#include "accounts/users/user_standing.h"
#include "tests/accounts/record_scene.h"
#include "tests/accounts/suspension.h"

namespace parley::features {
namespace {

const protocol::UserId kAnn = *protocol::UserId::FromText("usr_ann");
const protocol::UserId kBob = *protocol::UserId::FromText("usr_bob");
const protocol::UserId kCy = *protocol::UserId::FromText("usr_cy");
constexpr int64_t kInviteDayMs = 24 * 3600 * 1000;
using Texts = std::vector<std::string>;

class InvitesTest : public testing::Test {
 protected:
  InvitesTest() {
    AddUser(kAnn, "ann@example.org");
    AddUser(kBob, "bob@example.org");
  }
  void AddUser(const protocol::UserId& user, const std::string& email) {
    EXPECT_EQ(accounts::CodeOf(scene_.Decide<protocol::Unit>([&](accounts::RecordTransaction& tx) {
                storage::Item item{{"tenant_id", tx.tenant().ToText()}, {"user_id", user.ToText()}};
                if (!email.empty()) item.Set("email", email);
                tx.Put("tenants", "user", std::move(item));
                return tx.Commit();
              })),
              "ok");
  }
  accounts::Resource On(const std::string& text) { return *accounts::Resource::Parse(scene_.tenant, text); }
  void Own(const protocol::UserId& user, const std::string& resource) {
    EXPECT_EQ(accounts::CodeOf(scene_.Decide<accounts::Permission>([&](accounts::RecordTransaction& tx) {
                return accounts::PutPermission(tx, accounts::Actor::Service(), On(resource), user,
                                               accounts::Level::kOwner, accounts::LevelMode::kSet);
              })),
              "ok");
  }
  // The token, or the error's code.
  std::string Invited(const std::string& email, accounts::Level level = accounts::Level::kWrite,
                      const std::string& resource = "tenant",
                      const accounts::Actor& actor = accounts::Actor::Service(),
                      int64_t ttl_seconds = kInviteSecondsDefault) {
    const InviteSecret secret = NewInviteSecret(scene_.items.clock.Now());
    const auto made = scene_.Decide<Invite>([&](accounts::RecordTransaction& tx) {
      return CreateInvite(tx, actor, {email, On(resource), level, ttl_seconds}, secret);
    });
    if (made.ok()) last_id_ = made->invite_id.value;
    return made.ok() ? secret.token : accounts::CodeOf(made);
  }
  auto Accepting(const protocol::UserId& user, const std::string& token) {
    return [=](accounts::RecordTransaction& tx) { return AcceptInvite(tx, user, token); };
  }
  // "write on tenant", or the error's code.
  std::string Accept(const protocol::UserId& user, const std::string& token) {
    const auto done = scene_.Decide<accounts::Permission>(Accepting(user, token));
    return done.ok() ? std::string(protocol::NameOf(done->level)) + " on " + done->resource.value
                     : accounts::CodeOf(done);
  }
  std::string Revoke(const std::string& id, const accounts::Actor& actor = accounts::Actor::Service()) {
    return accounts::CodeOf(
        scene_.Decide<Invite>([&](accounts::RecordTransaction& tx) { return RevokeInvite(tx, actor, id); }));
  }
  // "bob@example.org tenant pending", newest first.
  Texts List(const accounts::Actor& actor = accounts::Actor::Service(), const std::string& resource = "") {
    const auto page = ListInvites(scene_.Reads(), actor,
                                  {resource.empty() ? std::nullopt : std::optional(On(resource)), 50, {}});
    if (!page.ok()) return {accounts::CodeOf(page)};
    Texts out;
    for (const Invite& one : page->items)
      out.push_back(one.email.value + " " + one.resource.value + " " +
                    std::string(protocol::NameOf(one.state)));
    return out;
  }
  std::string LevelOf(const protocol::UserId& user, const std::string& resource = "tenant") {
    const auto level = accounts::LevelOn(scene_.Reads(), On(resource), user);
    return *level ? std::string(protocol::NameOf(**level)) : "-";
  }

  accounts::RecordScene scene_;
  std::string last_id_;
};

TEST_F(InvitesTest, hm_18_accepting_grants_the_level_and_consumes_the_token) {
  const std::string token = Invited(" Bob@Example.ORG ", accounts::Level::kWrite, "projects/p1");
  EXPECT_EQ(token.substr(0, 4), "inv_");
  EXPECT_EQ(token.size(), 68u);
  EXPECT_EQ(List(), Texts{"bob@example.org projects/p1 pending"});
  EXPECT_EQ(Accept(kBob, token), "write on projects/p1");
  EXPECT_EQ(LevelOf(kBob, "projects/p1"), "write");
  EXPECT_EQ(List(), Texts{"bob@example.org projects/p1 accepted"});
  EXPECT_EQ(Accept(kBob, token), "NOT_FOUND");
  EXPECT_EQ(scene_.items.Check(), Texts{});
}

TEST_F(InvitesTest, hm_18_accepting_never_lowers_a_level) {
  Own(kAnn, "projects/p1");
  const std::string token = Invited("bob@example.org", accounts::Level::kRead, "projects/p1");
  Own(kBob, "projects/p1");
  EXPECT_EQ(Accept(kBob, token), "owner on projects/p1");
}

TEST_F(InvitesTest, hm_18_one_of_two_concurrent_acceptances_succeeds) {
  const std::string token = Invited("bob@example.org");
  const auto [first, second] =
      scene_.DecideBoth<accounts::Permission>(Accepting(kBob, token), Accepting(kBob, token));
  EXPECT_EQ(accounts::CodeOf(first), "ok");
  EXPECT_EQ(accounts::CodeOf(second), "NOT_FOUND");
  EXPECT_EQ(LevelOf(kBob), "write");
}

TEST_F(InvitesTest, hm_18_only_the_addresss_user_may_accept) {
  const std::string token = Invited("bob@example.org");
  EXPECT_EQ(Accept(kAnn, token), "FORBIDDEN");
  EXPECT_EQ(Accept(kCy, token), "FORBIDDEN");  // without a record
  AddUser(kCy, "");
  EXPECT_EQ(Accept(kCy, token), "FORBIDDEN");  // without an address
  EXPECT_EQ(LevelOf(kAnn), "-");
  EXPECT_EQ(Accept(kBob, token), "write on tenant");
}

TEST_F(InvitesTest, hm_18_an_unknown_token_is_not_found) {
  const std::string token = Invited("bob@example.org");
  std::string other = token;
  other.back() = other.back() == '0' ? '1' : '0';
  for (const std::string& text : {other, std::string(), std::string("inv_"), token + "0", token.substr(4),
                                  "inv_" + std::string(64, 'g')})
    EXPECT_EQ(Accept(kBob, text), "NOT_FOUND") << text;
  scene_.tenant = *protocol::TenantId::FromText("umbrella");
  AddUser(kBob, "bob@example.org");
  EXPECT_EQ(Accept(kBob, token), "NOT_FOUND");
}

TEST_F(InvitesTest, hm_18_an_expired_invitation_cannot_be_accepted_and_blocks_no_new_one) {
  const std::string old = Invited("bob@example.org");
  EXPECT_EQ(Invited("BOB@example.org"), "ALREADY_EXISTS");
  scene_.items.clock.Advance(7 * kInviteDayMs - 1);
  EXPECT_EQ(List(), Texts{"bob@example.org tenant pending"});
  scene_.items.clock.Advance(1);
  EXPECT_EQ(List(), Texts{"bob@example.org tenant expired"});
  EXPECT_EQ(Accept(kBob, old), "ACTION_INVALID_STATE");
  EXPECT_EQ(Accept(kAnn, old), "FORBIDDEN");
  EXPECT_EQ(Revoke(last_id_), "ACTION_INVALID_STATE");
  const std::string fresh = Invited("bob@example.org");
  EXPECT_EQ(List(), (Texts{"bob@example.org tenant pending", "bob@example.org tenant expired"}));
  EXPECT_EQ(Accept(kBob, old), "ACTION_INVALID_STATE");
  EXPECT_EQ(Accept(kBob, fresh), "write on tenant");
  EXPECT_EQ(scene_.items.Check(), Texts{});
  // It stays listed for a while, and is then removed.
  scene_.items.clock.Advance(31 * kInviteDayMs);
  scene_.items.StepUntilIdle();
  EXPECT_EQ(List(), Texts{"bob@example.org tenant accepted"});
  scene_.items.clock.Advance(7 * kInviteDayMs);
  EXPECT_EQ(List(), Texts{});
  EXPECT_EQ(Accept(kBob, old), "NOT_FOUND");
}

TEST_F(InvitesTest, hm_18_one_invitation_per_address_and_resource) {
  Invited("bob@example.org");
  EXPECT_EQ(Invited("bob@example.org"), "ALREADY_EXISTS");
  EXPECT_NE(Invited("bob@example.org", accounts::Level::kRead, "projects/p1"), "ALREADY_EXISTS");
  EXPECT_NE(Invited("ann@example.org"), "ALREADY_EXISTS");
  EXPECT_EQ(Revoke(last_id_), "ok");
  EXPECT_NE(Invited("ann@example.org"), "ALREADY_EXISTS");
}

TEST_F(InvitesTest, hm_18_a_member_is_not_invited) {
  Own(kBob, "projects/p1");
  EXPECT_EQ(Invited("BOB@example.org", accounts::Level::kRead, "projects/p1"), "ALREADY_EXISTS");
  EXPECT_NE(Invited("bob@example.org", accounts::Level::kRead, "projects/p2"), "ALREADY_EXISTS");
}

TEST_F(InvitesTest, a_revoked_invitation_cannot_be_accepted) {
  const std::string token = Invited("bob@example.org");
  EXPECT_EQ(Revoke(last_id_), "ok");
  EXPECT_EQ(Revoke(last_id_), "ok");
  EXPECT_EQ(List(), Texts{"bob@example.org tenant revoked"});
  EXPECT_EQ(Accept(kBob, token), "NOT_FOUND");
  EXPECT_EQ(Revoke("invite_none"), "NOT_FOUND");
  EXPECT_EQ(Revoke("a/b"), "NOT_FOUND");
  const std::string other = Invited("bob@example.org");
  ASSERT_EQ(Accept(kBob, other), "write on tenant");
  EXPECT_EQ(Revoke(last_id_), "ACTION_INVALID_STATE");
}

TEST_F(InvitesTest, owners_and_services_invite) {
  Own(kAnn, "projects/p1");
  EXPECT_EQ(Invited("x@example.org", accounts::Level::kRead, "projects/p1", accounts::Actor::User(kBob)),
            "FORBIDDEN");
  EXPECT_EQ(
      Invited("x@example.org", accounts::Level::kRead, "projects/p1", accounts::Actor::User(kBob, true)),
      "FORBIDDEN");
  EXPECT_EQ(Invited("x@example.org", accounts::Level::kRead, "projects/p2", accounts::Actor::User(kAnn)),
            "FORBIDDEN");
  EXPECT_EQ(
      Invited("x@example.org", accounts::Level::kRead, "projects/p1", accounts::Actor::User(kAnn)).size(),
      68u);
  EXPECT_EQ(List(accounts::Actor::User(kAnn), "projects/p1"), Texts{"x@example.org projects/p1 pending"});
  EXPECT_EQ(List(accounts::Actor::User(kAnn), "projects/p2"), Texts{"FORBIDDEN"});
  EXPECT_EQ(List(accounts::Actor::User(kAnn)), Texts{"FORBIDDEN"});
  EXPECT_EQ(Revoke(last_id_, accounts::Actor::User(kBob)), "NOT_FOUND");
  EXPECT_EQ(Revoke(last_id_, accounts::Actor::User(kAnn)), "ok");
}

TEST_F(InvitesTest, an_invitation_grants_no_more_than_its_makers_right) {
  const auto set = [&](const protocol::UserId& user, accounts::Level level) {
    scene_.items.clock.Advance(1000);
    EXPECT_EQ(accounts::CodeOf(scene_.Decide<accounts::Permission>([&](accounts::RecordTransaction& tx) {
                return accounts::PutPermission(tx, accounts::Actor::Service(), On("projects/p1"), user, level,
                                               accounts::LevelMode::kSet);
              })),
              "ok");
  };
  set(kAnn, accounts::Level::kOwner);
  set(kCy, accounts::Level::kOwner);
  const std::string by_ann =
      Invited("bob@example.org", accounts::Level::kOwner, "projects/p1", accounts::Actor::User(kAnn));
  EXPECT_EQ(List(), Texts{"bob@example.org projects/p1 pending"});
  set(kAnn, accounts::Level::kWrite);
  EXPECT_EQ(List(), Texts{"bob@example.org projects/p1 revoked"});
  EXPECT_EQ(Accept(kBob, by_ann), "NOT_FOUND");
  set(kAnn, accounts::Level::kOwner);
  EXPECT_EQ(List(), Texts{"bob@example.org projects/p1 revoked"}) << "for good";
  EXPECT_EQ(Accept(kBob, by_ann), "NOT_FOUND");
  const std::string again =
      Invited("bob@example.org", accounts::Level::kRead, "projects/p1", accounts::Actor::User(kAnn));
  set(kAnn, accounts::Level::kOwner);  // as before
  EXPECT_EQ(Accept(kBob, again), "read on projects/p1");
  const std::string removed =
      Invited("x@example.org", accounts::Level::kRead, "projects/p1", accounts::Actor::User(kAnn));
  AddUser(*protocol::UserId::FromText("usr_x"), "x@example.org");
  EXPECT_EQ(accounts::CodeOf(scene_.Decide<protocol::Unit>([&](accounts::RecordTransaction& tx) {
              return accounts::DeletePermission(tx, accounts::Actor::Service(), On("projects/p1"), kAnn);
            })),
            "ok");
  EXPECT_EQ(Accept(*protocol::UserId::FromText("usr_x"), removed), "NOT_FOUND");
}

TEST_F(InvitesTest, an_invitation_by_a_suspended_user_cannot_be_accepted) {
  Own(kAnn, "projects/p1");
  const std::string token =
      Invited("bob@example.org", accounts::Level::kRead, "projects/p1", accounts::Actor::User(kAnn));
  EXPECT_EQ(accounts::CodeOf(scene_.Decide<accounts::SessionsToEnd>(
                [&](accounts::RecordTransaction& tx) { return accounts::SuspendUser(tx, kAnn); })),
            "ok");
  EXPECT_EQ(Accept(kBob, token), "NOT_FOUND");
  EXPECT_EQ(LevelOf(kBob, "projects/p1"), "-");
  EXPECT_EQ(accounts::CodeOf(scene_.Decide<protocol::Unit>(
                [&](accounts::RecordTransaction& tx) { return accounts::ReinstateUser(tx, kAnn); })),
            "ok");
  EXPECT_EQ(Accept(kBob, token), "read on projects/p1");
}

TEST_F(InvitesTest, a_services_invitation_stays_valid_for_any_acting_user) {
  Own(kAnn, "projects/p1");
  const std::string token =
      Invited("bob@example.org", accounts::Level::kRead, "projects/p1", accounts::Actor{true, false, kCy});
  EXPECT_EQ(Accept(kBob, token), "read on projects/p1");
}

TEST_F(InvitesTest, requests_are_checked) {
  EXPECT_EQ(Invited("bob"), "BAD_REQUEST");
  EXPECT_EQ(Invited(""), "BAD_REQUEST");
  EXPECT_EQ(Invited(std::string(300, 'a') + "@example.org"), "BAD_REQUEST");
  EXPECT_EQ(Invited("bob@example.org", accounts::Level::kRead, "tenant", accounts::Actor::Service(), 0),
            "BAD_REQUEST");
  EXPECT_EQ(Invited("bob@example.org", accounts::Level::kRead, "tenant", accounts::Actor::Service(),
                    kInviteSecondsMax + 1),
            "BAD_REQUEST");
  EXPECT_EQ(List(), Texts{});
}

TEST_F(InvitesTest, lists_are_paged) {
  for (const char* email : {"a@example.org", "b@example.org", "c@example.org"}) {
    Invited(email);
    scene_.items.clock.Advance(1);
  }
  for (const bool one_resource : {false, true}) {
    InviteAsk ask{one_resource ? std::optional(On("tenant")) : std::nullopt, 2, {}};
    const auto first = ListInvites(scene_.Reads(), accounts::Actor::Service(), ask);
    ASSERT_TRUE(first.ok() && first->items.size() == 2 && first->next);
    EXPECT_EQ(first->items[0].email.value, "c@example.org");
    ask.after = first->next;
    const auto rest = ListInvites(scene_.Reads(), accounts::Actor::Service(), ask);
    ASSERT_TRUE(rest.ok() && rest->items.size() == 1);
    EXPECT_EQ(rest->items[0].email.value, "a@example.org");
    EXPECT_FALSE(rest->next);
  }
}

TEST_F(InvitesTest, the_store_contains_no_token) {
  const std::string token = Invited("bob@example.org");
  const auto holds = [&](const std::string& bytes) {
    return bytes.find(token) != std::string::npos || bytes.find(token.substr(4)) != std::string::npos;
  };
  EXPECT_TRUE(
      scene_.items.table()
          .ScanAll(std::nullopt,
                   [&](const storage::PartitionKey&, const storage::SortKey& sort, storage::RowView row) {
                     EXPECT_FALSE(holds(sort.bytes()) || holds(std::string(row.payload)));
                     return true;
                   })
          .ok());
}

}  // namespace
}  // namespace parley::features
