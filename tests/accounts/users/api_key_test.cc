// API keys of users.
#include "accounts/users/api_key.h"

#include "tests/accounts/account_scene.h"
#include "tests/accounts/suspension.h"

namespace parley::accounts {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ApiKeyTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_THAT(world_.scene.Check(), IsEmpty()); }

  protocol::Result<ApiKey> Make(const NewSecret& secret, const NewApiKey& asked = {}) {
    return world_.Decide<ApiKey>(
        [&](RecordTransaction& records) { return MakeApiKey(records, ann_, asked, secret); });
  }
  // Secrets without the slow hash.
  NewSecret Cheap() {
    NewSecret out = real_;
    const std::string digits = std::to_string(++world_.seed);
    out.id += digits;
    out.secret.replace(out.secret.size() - digits.size(), digits.size(), digits);
    out.lookup_hash = LookupHashOf(out.secret);
    return out;
  }
  // All steps of an authentication, in order.
  std::string Authenticate(const std::string& secret) {
    const auto found =
        FindApiKey(world_.scene.table(), secret, world_.scene.clock.Now(), AccountScene::kSealing);
    if (!found.ok()) return TextOf(found);
    if (!Proves(secret, found->key.proof)) return "no proof";
    world_.tenant = found->tenant;
    const auto judged = JudgeApiKey(world_.Reads(), found->key.user, found->key.id);
    return judged.ok() ? judged->user.ToText() + " " + std::string(protocol::NameOf(judged->role))
                       : TextOf(judged);
  }
  std::string Delete(const std::string& id) {
    return TextOf(world_.Decide<SessionsToEnd>(
        [&](RecordTransaction& records) { return DeleteApiKey(records, ann_, id); }));
  }
  std::vector<ApiKey> List() { return *ListApiKeys(world_.Reads(), ann_); }
  std::string Use(const std::string& id) {
    return TextOf(world_.Decide<protocol::Unit>(
        [&](RecordTransaction& records) { return NoteApiKeyUse(records, ann_, id); }));
  }

  AccountScene world_;
  const protocol::UserId ann_ = UserNamed("ann");
  const NewSecret real_ = world_.Secret(kApiKeyPrefix);
};

TEST_F(ApiKeyTest, a_key_acts_for_its_user_until_it_is_deleted) {
  world_.Make(R"({"userId":"ann","role":"support"})");
  const auto made = Make(real_, {{{"laptop"}}, {}});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(Authenticate(real_.secret), "ann support");
  EXPECT_EQ(made->prefix, real_.secret.substr(0, 12));
  EXPECT_EQ(protocol::MsgpackToJson(protocol::Encode(ViewOf(List().at(0)))),
            R"({"keyId":")" + real_.id + R"(","name":"laptop","prefix":")" + made->prefix +
                R"(","createdAt":"2025-11-05T14:12:07.123Z","expiresAt":null,"lastUsedAt":null})");
  world_.scene.Restart();
  EXPECT_EQ(Authenticate(real_.secret), "ann support");
  EXPECT_EQ(Delete(real_.id), "ok");
  EXPECT_EQ(Authenticate(real_.secret), "UNAUTHENTICATED");
  EXPECT_EQ(Delete(real_.id), "NOT_FOUND");
}

TEST_F(ApiKeyTest, all_refusals_are_the_same_answer) {
  ASSERT_TRUE(Make(real_, {{}, protocol::Time{world_.scene.clock.now_ms + 1000}}).ok());
  std::string other = real_.secret;
  other.back() = other.back() == '0' ? '1' : '0';
  std::string upper = real_.secret;
  upper[1] = 'A';
  for (const std::string& secret : {other, upper, real_.secret + "0", real_.secret.substr(1), std::string()})
    EXPECT_EQ(Authenticate(secret), "UNAUTHENTICATED");
  EXPECT_EQ(Authenticate(real_.secret), "ann member");
  world_.scene.clock.Advance(1000);
  EXPECT_EQ(Authenticate(real_.secret), "UNAUTHENTICATED");
  EXPECT_EQ(TextOf(JudgeApiKey(world_.Reads(), ann_, real_.id)), "UNAUTHENTICATED");
  EXPECT_EQ(TextOf(JudgeApiKey(world_.Reads(), ann_, "")), "UNAUTHENTICATED");
}

TEST_F(ApiKeyTest, the_stored_hash_proves_the_secret_and_is_sealed) {
  ASSERT_TRUE(Make(real_).ok());
  EXPECT_TRUE(Proves(real_.secret, List().at(0).proof));
  EXPECT_FALSE(Proves(real_.secret + "0", List().at(0).proof));
  const std::string row =
      world_.scene.Get("user-api-key", R"(pk: "user-api-keys/ann", sk: ")" + real_.id + "\"");
  EXPECT_NE(row.find(real_.lookup_hash), std::string::npos);
  for (const std::string& hidden : {real_.secret, real_.proof.proof, real_.proof.salt})
    EXPECT_EQ(row.find(hidden), std::string::npos);
}

TEST_F(ApiKeyTest, a_user_has_a_hundred_keys_at_most) {
  for (size_t i = 0; i < kApiKeysMax; ++i) ASSERT_TRUE(Make(Cheap()).ok()) << i;
  EXPECT_EQ(TextOf(Make(Cheap())), "TOO_LARGE");
  EXPECT_EQ(List().size(), kApiKeysMax);
  EXPECT_EQ(Delete(List().front().id), "ok");
  EXPECT_TRUE(Make(Cheap()).ok());
}

TEST_F(ApiKeyTest, the_key_that_expired_first_is_removed_for_another) {
  const protocol::Time soon{world_.scene.clock.Now().ms + 1000}, sooner{soon.ms - 500};
  ASSERT_TRUE(Make(Cheap(), {{{"later"}}, soon}).ok());
  ASSERT_TRUE(Make(Cheap(), {{{"first"}}, sooner}).ok());
  for (size_t i = 2; i < kApiKeysMax; ++i) ASSERT_TRUE(Make(Cheap()).ok()) << i;
  EXPECT_EQ(TextOf(Make(Cheap())), "TOO_LARGE");
  world_.scene.clock.Advance(2000);
  ASSERT_TRUE(Make(Cheap()).ok());
  EXPECT_EQ(List().size(), kApiKeysMax);
  std::vector<std::string> named;
  for (const ApiKey& key : List()) {
    if (key.name) named.push_back(*key.name);
  }
  EXPECT_THAT(named, ElementsAre("later"));
}

TEST_F(ApiKeyTest, invalid_requests_for_a_key_are_refused_by_field) {
  EXPECT_EQ(TextOf(Make(Cheap(), {{{""}}, {}})), "BAD_REQUEST name");
  EXPECT_EQ(TextOf(Make(Cheap(), {{}, world_.scene.clock.Now()})), "BAD_REQUEST expiresAt");
}

TEST_F(ApiKeyTest, deleting_their_user_voids_keys_before_and_after_their_removal) {
  world_.Make(R"({"userId":"ann"})");
  ASSERT_TRUE(Make(real_).ok());
  for (int i = 0; i < 70; ++i) ASSERT_TRUE(Make(Cheap()).ok());
  EXPECT_EQ(world_.Delete("ann"), "ok");
  EXPECT_EQ(Authenticate(real_.secret), "UNAUTHENTICATED");
  EXPECT_THAT(List(), IsEmpty());
  EXPECT_EQ(Delete(real_.id), "NOT_FOUND");
  // A new user with that id does not get them either.
  EXPECT_EQ(world_.Make(R"({"userId":"ann"})"), "ann");
  EXPECT_EQ(Authenticate(real_.secret), "UNAUTHENTICATED");
  const NewSecret fresh = Cheap();
  ASSERT_TRUE(Make(fresh).ok());
  std::vector<bool> more;
  while (more.empty() || more.back()) {
    more.push_back(
        *world_.Decide<bool>([&](RecordTransaction& records) { return ClearDeleted(records, ann_); }));
  }
  EXPECT_THAT(more, ElementsAre(true, false));
  ASSERT_EQ(List().size(), 1u);
  EXPECT_EQ(List().front().id, fresh.id);
  const auto rows = *world_.Reads().List({.table = "user-api-key", .limit = 1000});
  EXPECT_EQ(rows.items.size(), 1u);
}

TEST_F(ApiKeyTest, a_suspended_users_keys_open_nothing) {
  ASSERT_TRUE(Make(real_).ok());
  EXPECT_TRUE(
      world_.Decide<SessionsToEnd>([&](RecordTransaction& records) { return SuspendUser(records, ann_); })
          .ok());
  EXPECT_EQ(Authenticate(real_.secret), "FORBIDDEN");
  EXPECT_TRUE(
      world_.Decide<protocol::Unit>([&](RecordTransaction& records) { return ReinstateUser(records, ann_); })
          .ok());
  EXPECT_EQ(Authenticate(real_.secret), "ann member");
}

TEST_F(ApiKeyTest, a_void_of_tokens_does_not_affect_keys) {
  ASSERT_TRUE(Make(real_).ok());
  EXPECT_TRUE(
      world_.Decide<SessionsToEnd>([&](RecordTransaction& records) { return VoidTokens(records, ann_); })
          .ok());
  EXPECT_EQ(Authenticate(real_.secret), "ann member");
}

TEST_F(ApiKeyTest, HM_20_200_concurrent_uses_succeed_with_one_write) {
  ASSERT_TRUE(Make(real_).ok());
  world_.scene.TakeLog();
  const auto used = world_.DecideTogether<protocol::Unit>(
      200, [&](RecordTransaction& records, size_t) { return NoteApiKeyUse(records, ann_, real_.id); });
  for (const auto& one : used) EXPECT_TRUE(one.ok());
  EXPECT_EQ(world_.scene.TakeLog().size(), 1u);
  EXPECT_EQ(List().at(0).last_used_at, world_.scene.clock.Now());
}

TEST_F(ApiKeyTest, a_use_is_noted_once_a_minute_without_raising_the_version) {
  ASSERT_TRUE(Make(real_).ok());
  const auto version = [&] {
    return *world_.Reads()
                .Find("user-api-key", "user-api-keys/ann", real_.id)
                .value()
                ->Find("version")
                ->number();
  };
  const auto first = world_.scene.clock.Now();
  EXPECT_EQ(Use(real_.id), "ok");
  world_.scene.clock.Advance(kApiKeyUseMs - 1);
  EXPECT_FALSE(IsUseDue(List().at(0), world_.scene.clock.Now()));
  EXPECT_EQ(Use(real_.id), "ok");
  EXPECT_EQ(List().at(0).last_used_at, first);
  world_.scene.clock.Advance(1);
  EXPECT_TRUE(IsUseDue(List().at(0), world_.scene.clock.Now()));
  EXPECT_EQ(Use(real_.id), "ok");
  EXPECT_EQ(List().at(0).last_used_at, world_.scene.clock.Now());
  EXPECT_EQ(version().ToText(), "1");
}

TEST_F(ApiKeyTest, a_noted_use_does_not_restore_a_deleted_key) {
  ASSERT_TRUE(Make(real_).ok());
  EXPECT_EQ(Delete(real_.id), "ok");
  EXPECT_EQ(Use(real_.id), "ok");
  EXPECT_THAT(List(), IsEmpty());
}

TEST_F(ApiKeyTest, keys_of_two_tenants_stay_apart) {
  ASSERT_TRUE(Make(real_).ok());
  const NewSecret other = Cheap();
  world_.tenant = protocol::TenantId{"bolt"};
  ASSERT_TRUE(Make(other).ok());
  EXPECT_EQ(List().size(), 1u);
  EXPECT_EQ(Delete(real_.id), "NOT_FOUND");
  EXPECT_EQ(TextOf(JudgeApiKey(world_.Reads(), ann_, real_.id)), "UNAUTHENTICATED");
  const auto found =
      FindApiKey(world_.scene.table(), real_.secret, world_.scene.clock.Now(), AccountScene::kSealing);
  EXPECT_EQ(found->tenant.ToText(), "acme");
}

}  // namespace
}  // namespace parley::accounts
