// Every administrative act on a tenant is recorded in its audit in the same transaction.
#include <gmock/gmock.h>

#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class AdminActs : public TenantScene {
 protected:
  Frame Audit(const std::string& args = "{}") {
    const HttpResponse page = Ask("POST", "/v1/ops/moderation.audit", args);
    EXPECT_EQ(page.status, 200) << page.body;
    return Body(page);
  }
  // "operator tenant.status", newest first.
  static std::vector<std::string> Reported(const Frame& page, size_t most) {
    std::vector<std::string> out;
    for (size_t i = 0; i < std::min(most, page.Size("entries")); ++i) {
      const std::string at = "entries." + std::to_string(i);
      out.push_back(page.Text(at + ".actorRole") + " " + page.Text(at + ".action"));
    }
    return out;
  }
};

TEST_F(AdminActs, changes_of_a_tenant_by_the_operator_and_the_back_end_are_in_its_audit) {
  const std::string tenant = "/v1/tenants/acme";
  const int64_t version = Body(Ask("GET", tenant)).Int("tenant.version");
  EXPECT_EQ(As(back_end_, "PATCH", tenant,
               Args({{"version", version}, {"settings", JsonArg::Raw(R"({"knownUsersOnly":true})")}})),
            "200");
  const HttpResponse made = Ask("POST", tenant + "/keys", R"({"name":"second"})");
  const std::string key = Body(made).Text("key.keyId"), secret = Body(made).Text("secret");
  EXPECT_EQ(As(back_end_, "POST", tenant + "/keys/" + key + "/revoke"), "200");
  const Frame page = Audit();
  EXPECT_THAT(Reported(page, 9),
              ElementsAre("service tenantKey.revoke", "service tenantKey.create", "service tenant.change",
                          "operator tenant.status", "operator tenantKey.create", "operator tenant.create"));
  EXPECT_EQ(page.Text("entries.0.after.key"), key);
  EXPECT_THAT(page.Text("entries.2.after.settings"), HasSubstr("sha256:"));
  EXPECT_EQ(page.Text("entries.3.after.status"), "active");
  EXPECT_THAT(page.Json(), Not(HasSubstr(secret)));
}

TEST_F(AdminActs, requests_that_are_refused_or_change_nothing_are_not_recorded) {
  const size_t before = Audit().Size("entries");
  EXPECT_EQ(As(back_end_, "PATCH", "/v1/tenants/acme", R"({"version":99,"name":"x"})"),
            "409 VERSION_CONFLICT");
  SetStatus("activate");
  EXPECT_EQ(Audit().Size("entries"), before);
}

TEST_F(AdminActs, role_changes_and_deletions_are_recorded_and_upkeep_is_not) {
  MakeUser("ann");
  const size_t before = Audit().Size("entries");
  EXPECT_EQ(As(back_end_, "PATCH", "/v1/users/ann", R"({"version":1,"displayName":"Ann"})"), "200");
  EXPECT_EQ(Audit().Size("entries"), before);
  EXPECT_EQ(As(back_end_, "PATCH", "/v1/users/ann", R"({"version":2,"role":"moderator"})"), "200");
  EXPECT_EQ(As(back_end_, "DELETE", "/v1/users/ann"), "204");
  const Frame page = Audit(R"({"userId":"ann"})");
  EXPECT_THAT(Reported(page, 9), ElementsAre("service user.delete", "service user.change"));
  EXPECT_EQ(page.Text("entries.1.after.role"), "moderator");
}

}  // namespace
}  // namespace parley::gateway_test
