#include "accounts/limits/limit_settings.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::accounts {
namespace {

protocol::Document Json(const std::string& text) {
  protocol::Document document;
  const char* wrong = protocol::DecodeJson(text, {}, &document);
  EXPECT_EQ(wrong, nullptr);
  return document;
}

// What is refused, as "field what; field what".
std::string FaultsOf(const std::string& text) {
  Limits limits;
  const auto status = ReadLimits(Json(text).root, &limits);
  EXPECT_EQ(limits, Limits{}) << "something was taken of what was refused";
  if (status.ok()) return "ok";
  std::string out;
  for (const auto& [field, what] : status.error().fields)
    out += (out.empty() ? "" : "; ") + field + " " + what;
  return out;
}

TEST(LimitSettings, what_is_not_said_keeps_what_held_before) {
  Limits limits;
  limits.enabled = false;
  ASSERT_TRUE(ReadLimits(Json(R"({"startsPerDay":7,"startsPerHour":null})").root, &limits).ok());
  EXPECT_FALSE(limits.enabled);
  EXPECT_EQ(limits.starts_per_day, 7);
  EXPECT_EQ(limits.starts_per_hour, 10);
}

TEST(LimitSettings, all_faults_are_named_at_once) {
  EXPECT_EQ(FaultsOf(R"({"enabled":1,"sendsPerPairBurst":-1,"startsPerYear":3})"),
            "enabled must be true or false; sendsPerPairBurst is not an integer within its bounds; "
            "startsPerYear is not known");
  EXPECT_EQ(FaultsOf(R"({"messagesPerDay":1000001})"), "messagesPerDay is not an integer within its bounds");
  EXPECT_EQ(FaultsOf(R"({"messagesPerDay":"many"})"), "messagesPerDay is not an integer within its bounds");
  EXPECT_EQ(FaultsOf("[]"), "limits must be a map");
}

TEST(LimitSettings, the_ends_of_the_range_are_allowed) {
  Limits limits;
  EXPECT_TRUE(ReadLimits(Json(R"({"messagesPerDay":1000000,"startsPerDay":0})").root, &limits).ok());
  EXPECT_EQ(limits.messages_per_day, kLimitMax);
  EXPECT_EQ(limits.starts_per_day, 0);
}

TEST(LimitSettings, what_is_written_can_be_read_again) {
  Limits limits;
  int64_t next = 1;
  limits.enabled = false;
  for (const LimitSpec& spec : LimitSpecs()) limits.*spec.member = next++;
  protocol::Writer writer;
  WriteLimits(writer, limits);
  Limits again;
  ASSERT_TRUE(ReadLimits(Json(protocol::MsgpackToJson(writer.bytes())).root, &again).ok());
  EXPECT_EQ(again, limits);
}

TEST(LimitSettings, the_defaults_are_those_of_the_contract) {
  protocol::Writer writer;
  WriteLimits(writer, {});
  EXPECT_EQ(protocol::MsgpackToJson(writer.bytes()),
            R"({"enabled":true,"requestsPerSecond":20,"keyRequestsPerSecond":1000,"requestsPer5Minutes":900,)"
            R"("sendsPerPairPerMinute":20,"sendsPerPairBurst":40,"sendsPerUserPerMinute":60,)"
            R"("sendsPerUserPerDay":0,"startsPerHour":10,"startsPerDay":100,"newUserStartsPerHour":3,)"
            R"("newUserStartsPerDay":20,"messagesPerDay":1000})");
}

}  // namespace
}  // namespace parley::accounts
