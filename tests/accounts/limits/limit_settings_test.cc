#include "accounts/limits/limit_settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

namespace parley::accounts {
namespace {

protocol::Document Json(const std::string& text) {
  protocol::Document document;
  const char* wrong = protocol::DecodeJson(text, {}, &document);
  EXPECT_EQ(wrong, nullptr);
  return document;
}

// Returns "ok", or the invalid field.
std::string FaultIn(const std::string& text) {
  LimitSettings settings;
  const auto bound = protocol::Bind(Json(text).root, &settings);
  return bound.ok() ? "ok" : bound.error().fields.empty() ? "?" : bound.error().fields.front().first;
}
EffectiveLimits LimitsOf(const std::string& text, const EffectiveLimits& otherwise = {}) {
  LimitSettings settings;
  EXPECT_TRUE(protocol::Bind(Json(text).root, &settings).ok()) << text;
  return LimitsBy(settings, otherwise);
}

TEST(LimitSettings, missing_members_have_their_defaults) {
  EffectiveLimits otherwise;
  otherwise.enabled = false;
  const EffectiveLimits limits = LimitsOf(R"({"startsPerDay":7,"startsPerHour":null})", otherwise);
  EXPECT_FALSE(limits.enabled);
  EXPECT_EQ(limits.starts_per_day, 7);
  EXPECT_EQ(limits.starts_per_hour, 10);
  EXPECT_EQ(LimitsOf("{}"), EffectiveLimits{});
}

TEST(LimitSettings, unknown_members_and_bad_values_are_refused) {
  EXPECT_EQ(FaultIn(R"({"enabled":1})"), "enabled");
  EXPECT_EQ(FaultIn(R"({"sendsPerPairBurst":-1})"), "sendsPerPairBurst");
  EXPECT_EQ(FaultIn(R"({"startsPerYear":3})"), "startsPerYear");
  EXPECT_EQ(FaultIn(R"({"messagesPerDay":1000001})"), "messagesPerDay");
  EXPECT_EQ(FaultIn(R"({"messagesPerDay":"many"})"), "messagesPerDay");
  EXPECT_EQ(FaultIn(R"({"messagesPerDay":1000000,"startsPerDay":0})"), "ok");
}

TEST(LimitSettings, each_member_sets_only_its_own_limit) {
  size_t members = 0;
  auto check = [&](std::string_view name, auto, std::string_view) {
    if (name == "enabled") return;
    ++members;
    const EffectiveLimits limits = LimitsOf("{\"" + std::string(name) + "\":777}");
    const std::array all = {
        limits.requests_per_second,       limits.key_requests_per_second, limits.requests_per_5_minutes,
        limits.sends_per_pair_per_minute, limits.sends_per_pair_burst,    limits.sends_per_user_per_minute,
        limits.sends_per_user_per_day,    limits.starts_per_hour,         limits.starts_per_day,
        limits.new_user_starts_per_hour,  limits.new_user_starts_per_day, limits.messages_per_day};
    EXPECT_EQ(std::count(all.begin(), all.end(), 777), 1) << name;
    EXPECT_EQ(all[members - 1], 777) << name;
  };
  LimitSettings::Fields(check);
  EXPECT_EQ(members, 12u);
}

TEST(LimitSettings, the_defaults_match_the_contract) {
  const EffectiveLimits limits;
  EXPECT_TRUE(limits.enabled);
  EXPECT_EQ(limits.requests_per_second, 20);
  EXPECT_EQ(limits.key_requests_per_second, 1000);
  EXPECT_EQ(limits.requests_per_5_minutes, 900);
  EXPECT_EQ(limits.sends_per_pair_per_minute, 20);
  EXPECT_EQ(limits.sends_per_pair_burst, 40);
  EXPECT_EQ(limits.sends_per_user_per_minute, 60);
  EXPECT_EQ(limits.sends_per_user_per_day, 0);
  EXPECT_EQ(limits.starts_per_hour, 10);
  EXPECT_EQ(limits.starts_per_day, 100);
  EXPECT_EQ(limits.new_user_starts_per_hour, 3);
  EXPECT_EQ(limits.new_user_starts_per_day, 20);
  EXPECT_EQ(limits.messages_per_day, 1000);
}

}  // namespace
}  // namespace parley::accounts
