#include "accounts/limits/request_limits.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::accounts {
namespace {

using protocol::KeyText;
using protocol::TenantId;
using protocol::UserId;

const TenantId kAcme{KeyText::UpToNul("acme")}, kUmbrella{KeyText::UpToNul("umbrella")};
const UserId kAnna{KeyText::UpToNul("usr_anna")}, kBob{KeyText::UpToNul("usr_bob")};

class RequestLimitsTest : public testing::Test {
 protected:
  explicit RequestLimitsTest(RequestLimitSettings settings = {5000, 5, 100, 100})
      : limiter_(settings, metrics_) {}
  int Row(const Requester& requester, int tries = 10'000) {
    int out = 0;
    while (out < tries && limiter_.Take(requester, limits_, now_ms_).allowed) ++out;
    return out;
  }
  double Metric(const std::string& line) {
    const std::string all = metrics_.Render();
    return std::stod(all.substr(all.find(line + " ") + line.size()));
  }

  protocol::Metrics metrics_;
  RequestLimits limiter_;
  EffectiveLimits limits_;
  int64_t now_ms_ = 1000;
};

TEST_F(RequestLimitsTest, a_user_may_make_20_requests_at_once_and_then_20_a_second) {
  const Requester anna = limiter_.OfUser(kAcme, kAnna, now_ms_);
  EXPECT_EQ(Row(anna), 20);
  const Verdict refused = limiter_.Take(anna, limits_, now_ms_);
  EXPECT_EQ(refused.limit, 20);
  EXPECT_EQ(refused.retry_after_ms, 50);
  now_ms_ += 49;
  EXPECT_EQ(Row(anna), 0);
  now_ms_ += 1;
  EXPECT_EQ(Row(anna), 1);
  EXPECT_EQ(Row(limiter_.OfUser(kAcme, kBob, now_ms_)), 20);
  EXPECT_EQ(Row(limiter_.OfUser(kUmbrella, kAnna, now_ms_)), 20);
}

TEST_F(RequestLimitsTest, sessions_of_a_user_share_a_limit_and_each_of_their_keys_has_its_own) {
  EXPECT_EQ(Row(limiter_.OfUser(kAcme, kAnna, now_ms_)), 20);
  EXPECT_EQ(Row(limiter_.OfUser(kAcme, kAnna, now_ms_)), 0);
  EXPECT_EQ(Row(limiter_.OfUserKey(kAcme, "key_1", now_ms_)), 20);
  EXPECT_EQ(Row(limiter_.OfUserKey(kAcme, "key_2", now_ms_)), 20);
}

// A key's bucket never equals a user's.
TEST_F(RequestLimitsTest, a_key_with_the_id_of_a_user_is_independent) {
  EXPECT_EQ(Row(limiter_.OfUser(kAcme, kAnna, now_ms_)), 20);
  EXPECT_EQ(Row(limiter_.OfUserKey(kAcme, "usr_anna", now_ms_)), 20);
  EXPECT_EQ(Row(limiter_.OfTenantKey(kAcme, "usr_anna", now_ms_)), 1000);
}

TEST_F(RequestLimitsTest, a_user_may_make_900_requests_in_five_minutes_plus_those_refilled) {
  const Requester anna = limiter_.OfUser(kAcme, kAnna, now_ms_);
  int all = 0;
  for (int second = 0; second < 300; ++second, now_ms_ += 1000) all += Row(anna, 20);
  EXPECT_EQ(all, 900 + 299 * 3);
  EXPECT_EQ(limiter_.Take(anna, limits_, now_ms_ - 1000).limit, 900);
}

TEST_F(RequestLimitsTest, a_tenant_key_may_make_a_thousand_requests_a_second_indefinitely) {
  const Requester key = limiter_.OfTenantKey(kAcme, "key_1", now_ms_);
  for (int second = 0; second < 10; ++second, now_ms_ += 1000) EXPECT_EQ(Row(key), 1000);
}

TEST_F(RequestLimitsTest, nothing_is_limited_if_limits_are_off) {
  limits_.enabled = false;
  EXPECT_EQ(Row(limiter_.OfUser(kAcme, kAnna, now_ms_), 4000), 4000);
}

TEST_F(RequestLimitsTest, an_op_with_its_own_limit_costs_a_request_only_if_it_fails) {
  const Requester anna = limiter_.OfUser(kAcme, kAnna, now_ms_);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(limiter_.TakeOnTrial(anna, limits_, now_ms_).allowed);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(limiter_.TakeOnTrial(anna, limits_, now_ms_).allowed);
    limiter_.Fine(anna, limits_, now_ms_);
  }
  EXPECT_FALSE(limiter_.TakeOnTrial(anna, limits_, now_ms_).allowed);
  EXPECT_FALSE(limiter_.Take(anna, limits_, now_ms_).allowed);
}

class TenantSum : public RequestLimitsTest {
 protected:
  TenantSum() : RequestLimitsTest({50, 5, 100, 100}) {}
};

TEST_F(TenantSum, applies_to_a_whole_tenant_whatever_its_settings_and_to_no_other) {
  limits_.enabled = false;
  EXPECT_EQ(Row(limiter_.OfUser(kAcme, kAnna, now_ms_)), 50);
  const Requester bob = limiter_.OfUser(kAcme, kBob, now_ms_);
  EXPECT_FALSE(limiter_.HasRoom(bob, now_ms_));
  EXPECT_EQ(Row(bob), 0);
  EXPECT_EQ(Row(limiter_.OfUser(kUmbrella, kAnna, now_ms_)), 50);
  EXPECT_EQ(Metric("parley_rate_limited_total{limit=\"tenant\"}"), 3);
}

TEST_F(TenantSum, its_refusals_do_not_charge_the_user) {
  for (int user = 0; user < 3; ++user)
    Row(limiter_.OfUser(kAcme, UserId{KeyText::UpToNul("u" + std::to_string(user))}, now_ms_));
  const Requester anna = limiter_.OfUser(kAcme, kAnna, now_ms_);
  EXPECT_EQ(Row(anna), 0);
  now_ms_ += 400;  // 20 tokens
  EXPECT_EQ(Row(anna), 20);
}

TEST_F(RequestLimitsTest, after_so_many_failures_an_address_is_refused_unchecked) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(limiter_.MayTry("192.0.2.1", now_ms_).allowed);
    limiter_.NoteFailure("192.0.2.1", now_ms_);
  }
  const Verdict refused = limiter_.MayTry("192.0.2.1", now_ms_);
  EXPECT_FALSE(refused.allowed);
  EXPECT_EQ(refused.retry_after_ms, 12'000);
  EXPECT_TRUE(limiter_.MayTry("192.0.2.2", now_ms_).allowed);
  now_ms_ += 11'999;
  EXPECT_FALSE(limiter_.MayTry("192.0.2.1", now_ms_).allowed);
  now_ms_ += 1;
  EXPECT_TRUE(limiter_.MayTry("192.0.2.1", now_ms_).allowed);
}

TEST_F(RequestLimitsTest, valid_credentials_do_not_charge_the_address) {
  for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(limiter_.MayTry("192.0.2.1", now_ms_).allowed);
  EXPECT_EQ(Metric("parley_limit_buckets{limit=\"address\"}"), 0);
}

TEST_F(RequestLimitsTest, a_million_addresses_reset_no_users_limit_and_use_no_memory) {
  const Requester anna = limiter_.OfUser(kAcme, kAnna, now_ms_);
  EXPECT_EQ(Row(anna), 20);
  for (int i = 0; i < 1'000'000; ++i) limiter_.NoteFailure("2001:db8:" + std::to_string(i), now_ms_);
  EXPECT_EQ(Row(limiter_.OfUser(kAcme, kAnna, now_ms_)), 0);
  EXPECT_EQ(Metric("parley_limit_buckets{limit=\"address\"}"), 100);
  EXPECT_EQ(Metric("parley_limit_buckets{limit=\"user\"}"), 1);
}

}  // namespace
}  // namespace parley::accounts
