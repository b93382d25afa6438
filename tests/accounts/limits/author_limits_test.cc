#include "accounts/limits/author_limits.h"

#include <gtest/gtest.h>

#include "storage/memory_table.h"

namespace parley::accounts {
namespace {

using protocol::ErrorCode;
using protocol::KeyText;
using protocol::UserId;

class AuthorLimitsTest : public testing::Test {
 protected:
  Counter Now() { return {*table_, 0, {20'000 * kDayMs + now_ms_}}; }
  Author By(const char* user) {
    return {{KeyText::UpToNul("acme")}, UserId{KeyText::UpToNul(user)}, false, {}};
  }
  std::string Reported(AuthorLimits::Charged charged) {
    if (!charged.ok()) {
      EXPECT_EQ(charged.error().code, ErrorCode::kRateLimited);
      return std::to_string(charged.error().rate_limit) + " wait " +
             std::to_string(*charged.error().retry_after_ms);
    }
    for (storage::CommitRequest& request : (*charged)->Stand()) {
      std::vector<storage::CommitResult> results;
      EXPECT_TRUE(table_->Commit({&request, 1}, &results).ok());
    }
    return "ok";
  }
  std::string Send(const Author& author, const char* peer = nullptr) {
    std::optional<UserId> to;
    if (peer) to = UserId{KeyText::UpToNul(peer)};
    return Reported(limiter_->Send(Now(), now_ms_, limits_, author, to));
  }
  std::string Start(const Author& author) {
    return Reported(limiter_->Start(Now(), now_ms_, limits_, author, {}));
  }
  // Calls `one` until it is refused; returns how often it succeeded.
  int Row(const std::function<std::string()>& one) {
    int out = 0;
    while (out < 10'000 && one() == "ok") ++out;
    return out;
  }
  double Refused(const std::string& kind) {
    const std::string line = "parley_rate_limited_total{limit=\"" + kind + "\"} ", all = metrics_.Render();
    return std::stod(all.substr(all.find(line) + line.size()));
  }

  std::shared_ptr<storage::MemoryDisk> disk_ = storage::NewMemoryDisk({"ep_test", std::string(32, 's')});
  std::unique_ptr<storage::MemoryTable> table_ = storage::OpenMemoryTable(disk_);
  protocol::Metrics metrics_;
  std::unique_ptr<AuthorLimits> limiter_ = std::make_unique<AuthorLimits>(metrics_);
  EffectiveLimits limits_;
  int64_t now_ms_ = 1000;
};

TEST_F(AuthorLimitsTest, the_41st_to_one_user_is_refused_while_others_and_the_answers_succeed) {
  EXPECT_EQ(Row([&] { return Send(By("anna"), "bob"); }), 40);
  EXPECT_EQ(Send(By("anna"), "bob"), "40 wait 3000");
  EXPECT_EQ(Send(By("anna"), "carla"), "ok");
  EXPECT_EQ(Send(By("bob"), "anna"), "ok");
  now_ms_ += 2999;
  EXPECT_EQ(Send(By("anna"), "bob"), "40 wait 1");
  now_ms_ += 1;
  EXPECT_EQ(Send(By("anna"), "bob"), "ok");
  EXPECT_NE(Send(By("anna"), "bob"), "ok");
  EXPECT_EQ(Refused("pair"), 4);
  EXPECT_EQ(Refused("sends"), 0);
}

TEST_F(AuthorLimitsTest, the_61st_of_a_user_is_refused_for_any_recipient) {
  int peer = 0;
  EXPECT_EQ(Row([&] { return Send(By("anna"), ("p" + std::to_string(peer++)).c_str()); }), 60);
  EXPECT_EQ(Send(By("anna")), "60 wait 1000");
  EXPECT_EQ(Send(By("bob")), "ok");
  now_ms_ += 1000;
  EXPECT_EQ(Send(By("anna")), "ok");
}

// Refusals by the pair's limit must not use up the user's.
TEST_F(AuthorLimitsTest, a_refusal_by_one_limit_uses_up_no_other) {
  EXPECT_EQ(Row([&] { return Send(By("anna"), "bob"); }), 40);
  for (int i = 0; i < 100; ++i) EXPECT_NE(Send(By("anna"), "bob"), "ok");
  EXPECT_EQ(Row([&] { return Send(By("anna")); }), 20);
}

TEST_F(AuthorLimitsTest, the_bots_of_a_tenant_share_a_daily_limit_and_people_do_not) {
  limits_.messages_per_day = 10;
  Author one = By("bot1"), other = By("bot2");
  one.bot = other.bot = true;
  EXPECT_EQ(Row([&] { return Send(one); }), 10);
  EXPECT_EQ(Send(other).substr(0, 3), "10 ");
  EXPECT_EQ(Send(By("anna")), "ok");
  limiter_ = nullptr;
  protocol::Metrics metrics;
  limiter_ = std::make_unique<AuthorLimits>(metrics);  // like a restart
  EXPECT_NE(Send(other), "ok");
  now_ms_ += kDayMs;
  EXPECT_EQ(Send(other), "ok");
  limiter_ = nullptr;
}

TEST_F(AuthorLimitsTest, a_users_daily_limit_applies_if_it_is_set) {
  limits_.sends_per_user_per_day = 5;
  EXPECT_EQ(Row([&] { return Send(By("anna")); }), 5);
  EXPECT_EQ(Send(By("bob")), "ok");
}

TEST_F(AuthorLimitsTest, a_new_user_starts_3_threads_an_hour_and_20_a_day) {
  int day = 0;
  EXPECT_EQ(Row([&] { return Start(By("anna")); }), 3);
  for (day = 3; now_ms_ < 7 * kHourMs;) {
    now_ms_ += kHourMs;
    day += Row([&] { return Start(By("anna")); });
  }
  EXPECT_EQ(day, 20);
}

TEST_F(AuthorLimitsTest, after_a_week_a_user_starts_10_threads_an_hour_and_100_a_day) {
  EXPECT_EQ(Start(By("anna")), "ok");
  now_ms_ += kNewUserMs - 1;
  EXPECT_EQ(Row([&] { return Start(By("anna")); }), 3);
  now_ms_ += kHourMs;
  EXPECT_EQ(Row([&] { return Start(By("anna")); }), 10);
  EXPECT_EQ(Start(By("anna")).substr(0, 3), "10 ");
  int day = 13;
  for (int hour = 0; hour < 15; ++hour) {
    now_ms_ += kHourMs;
    day += Row([&] { return Start(By("anna")); });
  }
  EXPECT_EQ(day, 100);
}

TEST_F(AuthorLimitsTest, the_record_determines_how_old_a_user_is) {
  Author anna = By("anna");
  anna.record_made = protocol::Time{Now().now.ms - kNewUserMs};
  EXPECT_EQ(Row([&] { return Start(anna); }), 10);
  Author bob = By("bob");
  bob.record_made = protocol::Time{Now().now.ms - kNewUserMs + 1};
  EXPECT_EQ(Row([&] { return Start(bob); }), 3);
}

TEST_F(AuthorLimitsTest, limits_that_are_off_or_zero_do_not_apply) {
  limits_.enabled = false;
  EXPECT_EQ(Row([&] { return Send(By("anna"), "bob"); }), 10'000);
  EXPECT_EQ(Row([&] { return Start(By("anna")); }), 10'000);
  limits_ = {};
  limits_.sends_per_pair_per_minute = limits_.sends_per_user_per_minute = 0;
  EXPECT_EQ(Row([&] { return Send(By("anna"), "bob"); }), 10'000);
}

}  // namespace
}  // namespace parley::accounts
