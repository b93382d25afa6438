// All settings of a tenant: those of accounts/ and those of every feature. A feature with settings adds its
// member here. Values, any thread.
#pragma once

#include <string>
#include <utility>

#include "accounts/tenants/administration.h"
#include "features/events/settings.h"
#include "features/files/settings.h"
#include "features/moderation/settings.h"
#include "features/people/settings.h"
#include "features/requests/settings.h"
#include "features/text_policy/settings.h"

namespace parley::features {

// The member `safety`, which several features share.
struct SafetySettings : PolicyMember, ApprovalSettings, SwitchSettings {
  static constexpr void Fields(auto& field) {
    PolicyMember::Fields(field);
    ApprovalSettings::Fields(field);
    SwitchSettings::Fields(field);
  }
};
struct SafetyMember {
  protocol::Omit<SafetySettings> safety;
  static constexpr void Fields(auto& field) {
    field("safety", &SafetyMember::safety, "rules of moderation, and switches of messaging");
  }
};

struct TenantSettings : accounts::CoreSettings, EventMember, SafetyMember, RequestMember, FileMember {
  static constexpr void Fields(auto& field) {
    accounts::CoreSettings::Fields(field);
    EventMember::Fields(field);
    SafetyMember::Fields(field);
    RequestMember::Fields(field);
    FileMember::Fields(field);
  }
};

// BAD_REQUEST with `fields` for settings that no feature has, or that a feature rejects; `json` are all
// settings or some of them.
protocol::Status CheckSettings(const std::string& json);

// The stored settings; those of another version that this one cannot read are missing.
TenantSettings SettingsOf(const accounts::Tenant& tenant);

// The wire form of a tenant.
struct TenantAnswer : accounts::TenantForm<TenantSettings> {};
TenantAnswer AnswerOf(const accounts::Tenant& tenant);

}  // namespace parley::features
