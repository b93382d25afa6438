#include "accounts/tenants/administration.h"

#include <gtest/gtest.h>

#include "accounts/tenants/tenant_directory.h"
#include "tests/accounts/key_pair.h"
#include "tests/accounts/tenants/tenants_scene.h"

namespace parley::accounts {
namespace {

class TenantsTest : public testing::Test {
 protected:
  protocol::Result<Tenant> Change(int64_t version, const std::string& patch) {
    return scene_.Decide<Tenant>("acme", [&](RecordTransaction& tx) {
      return ChangeTenant(tx, {version, std::nullopt, patch});
    });
  }
  protocol::Result<Tenant> PutKey(const VerifyKey& key) {
    return scene_.Decide<Tenant>("acme", [&](RecordTransaction& tx) { return PutTokenKey(tx, key); });
  }
  TenantPtr Loaded(const std::string& id) {
    TenantDirectory directory;
    EXPECT_TRUE(directory.Load(scene_.items.table(), scene_.items.clock.Now(), scene_.sealing, false).ok());
    return directory.Find(id);
  }

  TenantsScene scene_;
};

TEST_F(TenantsTest, ids_have_three_to_forty_characters_of_a_small_alphabet) {
  for (const char* id : {"abc", "a-1", "0123456789012345678901234567890123456789"})
    EXPECT_TRUE(NewTenantId(id)) << id;
  for (const char* id :
       {"ab", "-ab", "ab-", "Abc", "a_b", "a b", "01234567890123456789012345678901234567890"})
    EXPECT_FALSE(NewTenantId(id)) << id;
}

TEST_F(TenantsTest, a_new_one_is_onboarding_and_its_id_is_taken) {
  const auto made = scene_.Make("acme", R"({"aiProvider":"bedrock"})");
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->status, TenantStatus::kOnboarding);
  EXPECT_EQ(made->version, 1);
  EXPECT_EQ(scene_.CodeOf(scene_.Make("acme")), "ALREADY_EXISTS");
  const TenantPtr read = Loaded("acme");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->name, "The acme");
  EXPECT_EQ(read->settings.ai_provider.value->value, "bedrock");
  EXPECT_EQ(read->signing_secret, std::string(32, 's'));
}

TEST_F(TenantsTest, a_stored_demo_tenant_is_not_served) {
  ASSERT_TRUE(scene_.Make("demo").ok());
  EXPECT_FALSE(Loaded("demo"));
}

TEST_F(TenantsTest, a_stale_version_gets_the_current_tenant) {
  ASSERT_TRUE(scene_.Make("acme").ok());
  ASSERT_TRUE(Change(1, R"({"limits":{"enabled":false},"messagesPerDay":5})").ok());
  const auto stale = Change(1, "{}");
  ASSERT_EQ(scene_.CodeOf(stale), "VERSION_CONFLICT");
  EXPECT_FALSE(stale.error().current.empty());
}

TEST_F(TenantsTest, settings_are_merged_at_every_depth_and_null_removes) {
  ASSERT_TRUE(scene_.Make("acme", R"({"events":{"types":["message.created"]},"aiModel":"m"})").ok());
  const auto changed =
      Change(1, R"({"aiModel":null,"events":{"types":["thread.created"]},"autoProvision":true})");
  ASSERT_TRUE(changed.ok());
  EXPECT_EQ(changed->settings_json, R"({"autoProvision":true,"events":{"types":["thread.created"]}})");
}

TEST_F(TenantsTest, bad_values_are_refused_by_name) {
  ASSERT_TRUE(scene_.Make("acme").ok());
  for (const char* patch : {R"({"messagesPerDay":-1})", R"({"allowedOrigins":["example.com"]})",
                            R"({"allowedOrigins":["https://a/b"]})", "[]"}) {
    const auto refused = Change(1, patch);
    ASSERT_EQ(scene_.CodeOf(refused), "BAD_REQUEST") << patch;
    EXPECT_TRUE(refused.error().fields.empty() || refused.error().fields[0].first.starts_with("settings"))
        << patch;
  }
  EXPECT_EQ(Loaded("acme")->version, 1);
}

TEST_F(TenantsTest, a_suspension_raises_the_version_and_a_repeat_does_not) {
  ASSERT_TRUE(scene_.Make("acme").ok());
  for (int i = 0; i < 2; ++i) {
    const auto done = scene_.Decide<Tenant>(
        "acme", [](RecordTransaction& tx) { return SetTenantStatus(tx, TenantStatus::kSuspended); });
    ASSERT_TRUE(done.ok());
    EXPECT_EQ(done->version, 2);
  }
  EXPECT_EQ(scene_.CodeOf(scene_.Decide<Tenant>(
                "nobody", [](RecordTransaction& tx) { return SetTenantStatus(tx, TenantStatus::kActive); })),
            "NOT_FOUND");
}

TEST_F(TenantsTest, signing_keys_are_replaced_by_kid_and_bounded) {
  ASSERT_TRUE(scene_.Make("acme").ok());
  EXPECT_EQ(scene_.CodeOf(PutKey({JwtAlg::kHs256, "short", "k"})), "BAD_REQUEST");
  EXPECT_EQ(scene_.CodeOf(PutKey({JwtAlg::kHs256, std::string(32, 'a'), "parley"})), "BAD_REQUEST");
  for (size_t i = 0; i < kTokenKeysMax; ++i)
    ASSERT_TRUE(PutKey({JwtAlg::kHs256, std::string(32, 'a'), "k" + std::to_string(i)}).ok());
  EXPECT_EQ(scene_.CodeOf(PutKey({JwtAlg::kHs256, std::string(32, 'a'), "more"})), "TOO_LARGE");
  const auto replaced = PutKey({JwtAlg::kHs256, std::string(32, 'b'), "k0"});
  ASSERT_TRUE(replaced.ok());
  EXPECT_EQ(replaced->own_keys.size(), kTokenKeysMax);
  EXPECT_EQ(Loaded("acme")->token_keys.size(), kTokenKeysMax + 1);
  const auto gone =
      scene_.Decide<Tenant>("acme", [](RecordTransaction& tx) { return DeleteTokenKey(tx, "k0"); });
  ASSERT_TRUE(gone.ok());
  EXPECT_EQ(Loaded("acme")->own_keys.size(), kTokenKeysMax - 1);
}

TEST_F(TenantsTest, an_expensive_key_is_refused_and_a_stored_one_verifies_nothing) {
  ASSERT_TRUE(scene_.Make("acme").ok());
  const VerifyKey slow{JwtAlg::kRs256, RsaPem(3072), "slow"};
  const auto refused = PutKey(slow);
  ASSERT_EQ(scene_.CodeOf(refused), "BAD_REQUEST");
  EXPECT_EQ(refused.error().fields.front().first, "publicKey");
  const auto stored = scene_.Decide<protocol::Unit>("acme", [&](RecordTransaction& tx) -> protocol::Status {
    tx.Put("tenants", "signing_key", RecordOf(tx.tenant(), {slow, tx.now()}));
    return tx.Commit();
  });
  ASSERT_TRUE(stored.ok());
  const auto good = PutKey({JwtAlg::kRs256, RsaPem(17), "good"});
  ASSERT_TRUE(good.ok());
  const auto loaded = Loaded("acme");
  EXPECT_EQ(loaded->own_keys.size(), 2u) << "it is listed, so that it can be replaced";
  ASSERT_EQ(loaded->token_keys.size(), 2u) << "ours and the good one";
  EXPECT_EQ(loaded->token_keys[1].kid, "good");
  EXPECT_TRUE(loaded->token_keys[1].parsed);
  EXPECT_TRUE(PutKey({JwtAlg::kRs256, RsaPem(17), "slow"}).ok()) << "replaced";
  EXPECT_EQ(Loaded("acme")->token_keys.size(), 3u);
}

TEST_F(TenantsTest, an_older_state_does_not_replace_a_newer_one) {
  TenantDirectory directory;
  const auto of = [](TenantStatus status) {
    Tenant tenant;
    tenant.id = *NewTenantId("acme");
    tenant.status = status;
    return std::make_shared<const Tenant>(tenant);
  };
  directory.Publish(of(TenantStatus::kSuspended), 2);
  directory.Publish(of(TenantStatus::kActive), 1);
  EXPECT_EQ(directory.Find("acme")->status, TenantStatus::kSuspended);
}

}  // namespace
}  // namespace parley::accounts
