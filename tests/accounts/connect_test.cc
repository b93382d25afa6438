// The connect decision as one table: credential, purpose, answer. Each row has one more fault than the row
// before, so the table also shows the order of the checks.
#include "accounts/tokens/connect.h"

#include <gtest/gtest.h>

namespace parley::accounts {
namespace {

using enum Purpose;

TenantPtr TenantWith(TenantStatus status) {
  Tenant tenant;
  tenant.id = {"acme"};
  tenant.status = status;
  tenant.settings.allowed_origins.value.emplace().items = {{"https://app.example"}};
  return std::make_shared<const Tenant>(std::move(tenant));
}

std::string Decide(const ConnectFacts& facts, Purpose purpose) {
  const auto decided = DecideConnect(facts, purpose);
  return decided.ok() ? "ok" : std::string(Describe(decided.error().code).name);
}

TEST(Connect, checks_in_one_order_and_reveals_nothing_of_later_checks) {
  ConnectFacts facts;
  facts.credential = CredentialState::kGood;
  facts.tenant = TenantWith(TenantStatus::kActive);
  EXPECT_EQ(Decide(facts, kSession), "ok");
  facts.origin = "https://evil.example";
  EXPECT_EQ(Decide(facts, kSession), "FORBIDDEN");
  EXPECT_EQ(DecideConnect(facts, kSession).error().message, "the tenant does not allow pages of this origin");
  facts.reads_only = facts.writes = true;
  EXPECT_EQ(DecideConnect(facts, kOp).error().message, "the user may only read");
  facts.user_suspended = true;
  EXPECT_EQ(DecideConnect(facts, kOp).error().message, "the user is suspended");
  facts.tenant = TenantWith(TenantStatus::kSuspended);
  EXPECT_EQ(DecideConnect(facts, kOp).error().message, "the tenant is suspended");
  facts.tenant = nullptr;
  EXPECT_EQ(Decide(facts, kOp), "UNAUTHENTICATED");
  facts.tenant = TenantWith(TenantStatus::kActive);
  facts.credential = CredentialState::kExpired;
  EXPECT_EQ(Decide(facts, kOp), "AUTH_EXPIRED");
  facts.credential = CredentialState::kUnknown;
  EXPECT_EQ(Decide(facts, kOp), "UNAUTHENTICATED");
}

TEST(Connect, has_no_default_tenant) {
  EXPECT_EQ(Decide({}, kSession), "UNAUTHENTICATED");
  ConnectFacts facts;
  facts.tenant = TenantWith(TenantStatus::kActive);
  EXPECT_EQ(Decide(facts, kSession), "UNAUTHENTICATED");
}

TEST(Connect, depends_on_the_tenants_status_and_the_purpose) {
  enum class Who { kUser, kService, kOperator };
  struct Line {
    TenantStatus status;
    Who who;
    std::string session, op, look, change;
  };
  const Line lines[] = {
      {TenantStatus::kActive, Who::kUser, "ok", "ok", "ok", "ok"},
      {TenantStatus::kActive, Who::kService, "ok", "ok", "ok", "ok"},
      {TenantStatus::kActive, Who::kOperator, "ok", "ok", "ok", "ok"},
      {TenantStatus::kOnboarding, Who::kUser, "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN"},
      {TenantStatus::kOnboarding, Who::kService, "FORBIDDEN", "FORBIDDEN", "ok", "ok"},
      {TenantStatus::kOnboarding, Who::kOperator, "ok", "ok", "ok", "ok"},
      {TenantStatus::kSuspended, Who::kUser, "FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN"},
      {TenantStatus::kSuspended, Who::kService, "FORBIDDEN", "FORBIDDEN", "ok", "FORBIDDEN"},
      {TenantStatus::kSuspended, Who::kOperator, "ok", "ok", "ok", "ok"},
  };
  for (const Line& line : lines) {
    ConnectFacts facts;
    facts.credential = CredentialState::kGood;
    facts.tenant = TenantWith(line.status);
    facts.is_service = line.who == Who::kService;
    facts.is_operator = line.who == Who::kOperator;
    SCOPED_TRACE(std::string(protocol::NameOf(line.status)) + " " +
                 std::to_string(static_cast<int>(line.who)));
    EXPECT_EQ(Decide(facts, kSession), line.session);
    EXPECT_EQ(Decide(facts, kOp), line.op);
    EXPECT_EQ(Decide(facts, kAccess), line.look);
    EXPECT_EQ(Decide(facts, kChange), line.change);
  }
}

TEST(Connect, admits_pages_of_the_tenants_own_origins_and_all_programs) {
  ConnectFacts facts;
  facts.credential = CredentialState::kGood;
  facts.tenant = TenantWith(TenantStatus::kActive);
  for (const auto& [origin, verdict] : {std::pair{"", "ok"},
                                        {"https://app.example", "ok"},
                                        {"https://app.example.evil", "FORBIDDEN"},
                                        {"http://app.example", "FORBIDDEN"},
                                        {"null", "FORBIDDEN"}}) {
    facts.origin = origin;
    EXPECT_EQ(Decide(facts, kSession), verdict) << origin;
  }
}

TEST(Connect, reports_an_unknown_tenant_to_an_operator) {
  ConnectFacts facts;
  facts.credential = CredentialState::kGood;
  facts.is_operator = true;
  EXPECT_EQ(Decide(facts, kAccess), "NOT_FOUND");
}

}  // namespace
}  // namespace parley::accounts
