// All settings of a tenant: each has one owner, unknown ones are refused, and each owner reads its own.
#include "features/settings.h"

#include <gtest/gtest.h>

#include "features/events/asks.h"

namespace parley::features {
namespace {

std::string FaultIn(const std::string& settings) {
  const auto checked = CheckSettings(settings);
  if (checked.ok()) return "ok";
  return checked.error().fields.empty() ? "?" : checked.error().fields.front().first;
}

accounts::Tenant With(const std::string& settings) {
  accounts::Tenant out;
  out.settings_json = settings;
  out.settings = *accounts::ParseSettings(settings);
  return out;
}

TEST(Settings, unknown_members_and_bad_values_are_refused_by_name) {
  EXPECT_EQ(FaultIn(R"({"aiModel":"m","events":{"types":["message.created"]},"files":{"maxBytes":5}})"),
            "ok");
  EXPECT_EQ(FaultIn(R"({"safety":{"readOnly":true,"dualApproval":["low"],"textPolicy":"off"}})"), "ok");
  EXPECT_EQ(FaultIn(R"({"colour":"red"})"), "settings.colour");
  EXPECT_EQ(FaultIn(R"({"messagesPerDay":-1})"), "settings.messagesPerDay");
  EXPECT_EQ(FaultIn(R"({"events":{"kinds":[]}})"), "settings.events.kinds");
  EXPECT_EQ(FaultIn(R"({"events":{"types":["typing"]}})"), "settings.events.types");
  EXPECT_EQ(FaultIn(R"({"safety":{"readonly":true}})"), "settings.safety.readonly");
  EXPECT_EQ(FaultIn(R"({"safety":{"textPolicy":7}})"), "settings.safety.textPolicy");
  EXPECT_EQ(FaultIn(R"({"messageRequests":{"creditCost":-1}})"), "settings.messageRequests.creditCost");
}

TEST(Settings, features_that_share_a_member_read_their_own_parts) {
  const accounts::Tenant tenant = With(
      R"({"safety":{"readOnly":true,"cities":{"Bonn":{"messagingDisabled":true}},"dualApproval":["low"],"textPolicy":"off"},)"
      R"("events":{"types":["thread.created"]}})");
  EXPECT_EQ(SwitchedIn(SwitchesOf(tenant), std::nullopt), Switched::kReadOnly);
  EXPECT_EQ(SwitchedIn(SwitchesOf(tenant), "Bonn"), Switched::kDisabled);
  EXPECT_EQ(DualSeveritiesOf(std::make_shared<const accounts::Tenant>(tenant)),
            std::vector<protocol::Severity>{protocol::Severity::kLow});
  EXPECT_EQ(EventKindsOf(tenant), protocol::SetOf(protocol::EventKind::kThreadCreated));
  EXPECT_TRUE(RequestsBy(tenant).enabled);
}

TEST(Settings, members_of_another_version_leave_the_others_in_force) {
  const accounts::Tenant tenant = With(
      R"({"later":1,"aiModel":"m","safety":{"readOnly":true,"later":2,"cities":{"Ulm":{"readOnly":true,"later":3}}}})");
  EXPECT_EQ(tenant.settings.ai_model.value->value, "m");
  EXPECT_EQ(SwitchedIn(SwitchesOf(tenant), std::nullopt), Switched::kReadOnly);
  EXPECT_TRUE(SettingsOf(tenant).safety.value->read_only.value.value_or(false));
}

TEST(Settings, a_changed_tenant_is_read_again) {
  accounts::Tenant tenant = With(R"({"files":{"maxBytes":5}})");
  EXPECT_EQ(FilesBy(tenant).max_bytes, 5);
  const accounts::Tenant before = tenant;
  tenant.settings = *accounts::ParseSettings(R"({"files":{"maxBytes":6}})");
  EXPECT_EQ(FilesBy(tenant).max_bytes, 6);
  EXPECT_EQ(FilesBy(before).max_bytes, 5);
}

}  // namespace
}  // namespace parley::features
