// Removes rows that are no longer needed, on the whole server.
#include <gtest/gtest.h>

#include "accounts/limits/quota_row.h"
#include "accounts/permissions/permissions.h"
#include "accounts/users/departed.h"
#include "accounts/users/user_changes.h"
#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using accounts::RecordTransaction;

gateway::Config Settings() {
  gateway::Config config = DemoConfig();
  config.rate_limits = true;
  config.heartbeat_ms = 400 * kHourMs;  // fake connections do not pong
  return config;
}

class IdleRows : public testing::Test {
 protected:
  size_t Quotas() {
    size_t out = 0;
    const auto count = [&](const auto&, const auto&, auto) { return ++out > 0; };
    EXPECT_TRUE(world_.table().ScanAll(storage::TableTag::kQuotas, count).ok());
    return out;
  }
  std::string Group(const std::string& id) {
    FakeClient ann = world_->Join("ann");
    return ann.Ask("thread.create", Args({{"kind", "group"}, {"clientId", id}})).error();
  }
  template <class T>
  protocol::Result<T> Decide(const std::function<protocol::Result<T>(RecordTransaction&)>& decide) {
    protocol::Result<T> out = protocol::Error();
    storage::ItemJob job;
    job.decide = [&](storage::ItemTransaction& tx) {
      RecordTransaction records(tx, tenant_);
      out = decide(records);
    };
    job.done = [](const storage::Status&) {};
    EXPECT_TRUE(world_->node().item_writer().Submit(job));
    world_->Settle();
    return out;
  }

  const protocol::TenantId tenant_{"demo"};
  World world_{Settings()};
};

TEST_F(IdleRows, quotas_are_removed_a_month_after_their_last_use) {
  EXPECT_EQ(Group("g1"), "");
  EXPECT_EQ(Quotas(), 2u) << "the row and its place";
  world_.clock().Suspend(29 * kDayMs);
  world_->Advance(2 * kHourMs);
  EXPECT_EQ(Quotas(), 2u);
  world_.clock().Suspend(2 * kDayMs);
  world_->Advance(2 * kHourMs);
  EXPECT_EQ(Quotas(), 0u);
  EXPECT_EQ(Group("g2"), "");
  EXPECT_EQ(Quotas(), 2u) << "whoever comes back is counted anew";
}

// The process dies between the deletion of the user and the removal of their rows.
TEST_F(IdleRows, rows_of_a_deleted_user_are_removed_after_a_restart) {
  const auto ann = *protocol::UserId::FromText("ann");
  const auto resource = *accounts::Resource::Parse(tenant_, "projects/p1");
  ASSERT_TRUE(Decide<accounts::User>([&](RecordTransaction& tx) {
                accounts::NewUser user;
                user.user_id = ann;
                return accounts::MakeUser(tx, {}, user, {});
              }).ok());
  ASSERT_TRUE(Decide<accounts::Permission>([&](RecordTransaction& tx) {
                return accounts::PutPermission(tx, accounts::Actor::Service(), resource, ann,
                                               accounts::Level::kWrite, accounts::LevelMode::kSet);
              }).ok());
  ASSERT_TRUE(Decide<accounts::SessionsToEnd>([&](RecordTransaction& tx) {
                return accounts::DeleteUser(tx, {}, ann);
              }).ok());
  EXPECT_EQ(accounts::AllDeparted(world_.table(), 10)->size(), 1u);
  world_.Restart();
  world_->Settle();
  EXPECT_TRUE(accounts::AllDeparted(world_.table(), 10)->empty());
  const accounts::RecordReads reads(world_.table(), tenant_, world_.clock().Now(), world_->node().sealer());
  EXPECT_TRUE(reads.List({.table = "permission"})->items.empty());
}

}  // namespace
}  // namespace parley::gateway_test
