#include "accounts/tenants/tenant_keys.h"

#include <gtest/gtest.h>

#include "protocol/base/crypto.h"
#include "tests/accounts/tenants/tenants_scene.h"

namespace parley::accounts {
namespace {

class TenantKeysTest : public testing::Test {
 protected:
  // Makes a key; returns its secret.
  std::string Make(const std::string& tenant, const std::string& id) {
    const std::string secret = TenantKeyFrom(protocol::RandomBytes(32));
    last_ = scene_.CodeOf(scene_.Decide<TenantKey>(tenant, [&](RecordTransaction& tx) {
      return MakeTenantKey(tx, {id, secret, "for " + id});
    }));
    return secret;
  }
  std::string Revoke(const std::string& tenant, const std::string& id) {
    return scene_.CodeOf(
        scene_.Decide<TenantKey>(tenant, [&](RecordTransaction& tx) { return RevokeTenantKey(tx, id); }));
  }
  std::string Owner(const std::string& secret) {
    const auto found = FindTenantKey(scene_.items.table(), secret, scene_.items.clock.Now(), scene_.sealing);
    if (!found.ok()) return "fault";
    return *found ? (*found)->tenant.ToText() + " " + (*found)->key_id : "nobody";
  }

  TenantsScene scene_;
  std::string last_;
};

TEST_F(TenantKeysTest, leads_to_its_tenant_until_it_is_revoked) {
  const std::string secret = Make("acme", "key_1"), other = Make("umbrella", "key_1");
  EXPECT_EQ(Owner(secret), "acme key_1");
  EXPECT_EQ(Owner(other), "umbrella key_1");
  EXPECT_EQ(Revoke("umbrella", "key_2"), "NOT_FOUND");
  EXPECT_EQ(Revoke("acme", "key_1"), "ok");
  EXPECT_EQ(Revoke("acme", "key_1"), "ok");
  EXPECT_EQ(Owner(secret), "nobody");
  EXPECT_EQ(Owner(other), "umbrella key_1");
  EXPECT_EQ(Owner(secret.substr(0, 20)), "nobody");
}

TEST_F(TenantKeysTest, neither_list_nor_store_has_the_secret) {
  const std::string secret = Make("acme", "key_1");
  const auto listed = ListTenantKeys(scene_.Reads("acme"));
  ASSERT_TRUE(listed.ok() && listed->size() == 1);
  EXPECT_EQ(listed->front().prefix, secret.substr(0, 12));
  EXPECT_EQ(listed->front().name, "for key_1");
  for (const auto& key : scene_.items.Rows(storage::TableTag::kItems))
    EXPECT_EQ(key.sort.bytes().find(secret.substr(12)), std::string::npos);
}

TEST_F(TenantKeysTest, a_noted_use_does_not_restore_a_revoked_key) {
  const std::string secret = Make("acme", "key_1");
  const auto note = [&] {
    return scene_.Decide<protocol::Unit>("acme",
                                         [&](RecordTransaction& tx) { return NoteTenantKeyUse(tx, secret); });
  };
  ASSERT_TRUE(note().ok());
  EXPECT_EQ(ListTenantKeys(scene_.Reads("acme"))->front().last_used_at, scene_.items.clock.Now());
  Revoke("acme", "key_1");
  ASSERT_TRUE(note().ok());
  EXPECT_EQ(Owner(secret), "nobody");
}

TEST_F(TenantKeysTest, active_keys_are_bounded_and_old_revoked_ones_are_removed) {
  for (size_t i = 0; i < kTenantKeysActiveMax; ++i) Make("acme", "key_" + std::to_string(i));
  Make("acme", "more");
  EXPECT_EQ(last_, "TOO_LARGE");
  Revoke("acme", "key_7");
  Make("acme", "more");
  EXPECT_EQ(last_, "ok");
  size_t listed = kTenantKeysActiveMax + 1;
  for (std::string id = "more"; listed < kTenantKeysMax; ++listed) {
    Revoke("acme", id);
    Make("acme", id = "later_" + std::to_string(listed));
  }
  Revoke("acme", "later_" + std::to_string(kTenantKeysMax - 1));
  Make("acme", "last");
  EXPECT_EQ(ListTenantKeys(scene_.Reads("acme"))->size(), kTenantKeysMax);
}

}  // namespace
}  // namespace parley::accounts
