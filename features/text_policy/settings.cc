#include "features/text_policy/settings.h"

#include <nlohmann/json.hpp>

#include "accounts/tenants/settings.h"

namespace parley::features {
namespace {

constexpr char kSafetyMember[] = "safety", kPolicyMember[] = "textPolicy";

// Has the name of the settings' member, so that its faults are reported under that name.
struct PolicyAlone {
  PolicySettings text_policy;
  static constexpr void Fields(auto& field) { field(kPolicyMember, &PolicyAlone::text_policy, ""); }
};
struct SafetyAlone {
  PolicyAlone safety;
  static constexpr void Fields(auto& field) { field(kSafetyMember, &SafetyAlone::safety, ""); }
};

protocol::Result<PolicySettings> ReadPolicy(const nlohmann::json& policy) {
  PolicySettings out;
  if (policy == "default") return out;
  out.off = policy == "off";
  if (out.off) return out;
  if (!policy.is_object())
    return protocol::Error::BadField("settings.safety.textPolicy", "is neither default nor off nor a map");
  const std::string alone = nlohmann::json({{kSafetyMember, {{kPolicyMember, policy}}}}).dump();
  PARLEY_TRY(read, accounts::ParseSettingsAs<SafetyAlone>(alone));
  return std::move(read.safety.text_policy);
}

}  // namespace

protocol::Result<std::optional<PolicySettings>> FindPolicySettings(const std::string& json) {
  if (json.find(kPolicyMember) == std::string::npos) return std::optional<PolicySettings>();
  const nlohmann::json all = nlohmann::json::parse(json, nullptr, false);
  if (!all.is_object() || !all.contains(kSafetyMember)) return std::optional<PolicySettings>();
  const nlohmann::json& safety = all[kSafetyMember];
  if (!safety.is_object() || !safety.contains(kPolicyMember)) return std::optional<PolicySettings>();
  PARLEY_TRY(read, ReadPolicy(safety[kPolicyMember]));
  return std::optional(std::move(read));
}

}  // namespace parley::features
