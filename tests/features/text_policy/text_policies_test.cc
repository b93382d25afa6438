// The cache of compiled policies: one for each tenant, within a bound.
#include "features/text_policy/text_policies.h"

#include <gtest/gtest.h>

namespace parley::features {
namespace {

// A tenant with so many terms of its own.
accounts::TenantPtr TenantWith(const std::string& id, int terms, const std::string& stem = "termof") {
  auto tenant = std::make_shared<accounts::Tenant>();
  tenant->id = protocol::TenantId{id.c_str()};
  std::string list;
  for (int i = 0; i < terms; ++i) list += (i == 0 ? "\"" : ",\"") + stem + "x" + std::to_string(i) + "\"";
  tenant->settings_json =
      R"({"safety":{"textPolicy":{"sets":[{"name":"own","action":"block","hint":"","terms":[)" + list +
      "]}]}}}";
  return tenant;
}

TEST(TextPolicies, a_tenant_has_one_policy_after_any_number_of_changes) {
  TextPolicies policies(size_t{64} << 20);
  const auto first = policies.Of(TenantWith("acme", 100));
  const size_t bytes = policies.bytes();
  EXPECT_GT(bytes, 10'000u);
  const std::weak_ptr<const threads::text::Policy> old = first;
  EXPECT_EQ(policies.Of(TenantWith("acme", 100)), first) << "the same settings, of another version of it";
  for (int change = 0; change < 50; ++change)
    policies.Of(TenantWith("acme", 100, "change" + std::to_string(10 + change)));
  EXPECT_LT(policies.bytes(), 2 * bytes);
}

TEST(TextPolicies, an_old_policy_is_released_after_its_last_use) {
  TextPolicies policies(size_t{64} << 20);
  std::weak_ptr<const threads::text::Policy> old;
  {
    const auto in_use = policies.Of(TenantWith("acme", 10));
    old = in_use;
    policies.Of(TenantWith("acme", 20));
    EXPECT_FALSE(old.expired());
    EXPECT_FALSE(in_use->Find("a termofx1 b").findings.empty());
  }
  EXPECT_TRUE(old.expired());
}

TEST(TextPolicies, the_total_is_bounded_and_the_most_recently_used_stay) {
  TextPolicies alone(size_t{64} << 20);
  alone.Of(TenantWith("acme", 100));
  TextPolicies policies(5 * alone.bytes());
  const auto acme = policies.Of(TenantWith("acme", 100));
  std::weak_ptr<const threads::text::Policy> second = policies.Of(TenantWith("tenant-0", 100));
  for (int i = 1; i < 100; ++i) {
    policies.Of(TenantWith("tenant-" + std::to_string(i), 100));
    EXPECT_EQ(policies.Of(TenantWith("acme", 100)), acme);
    EXPECT_LE(policies.bytes(), 5 * alone.bytes());
  }
  EXPECT_TRUE(second.expired());
}

TEST(TextPolicies, tenants_without_settings_share_the_servers_own_or_have_none) {
  TextPolicies policies(1);
  accounts::Tenant plain;
  plain.id = protocol::TenantId{"acme"};
  EXPECT_EQ(policies.Of(std::make_shared<accounts::Tenant>(plain)), threads::text::DefaultPolicy());
  plain.id = protocol::TenantId{"demo"};
  EXPECT_EQ(policies.Of(std::make_shared<accounts::Tenant>(plain)), nullptr);
  EXPECT_EQ(policies.bytes(), 0u);
}

}  // namespace
}  // namespace parley::features
