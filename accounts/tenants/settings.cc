#include "accounts/tenants/settings.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "accounts/tenants/policy_settings.h"
#include "protocol/ops/inbox.h"

namespace parley::accounts {
namespace {

using protocol::Error;

constexpr size_t kOriginBytesMax = 8 + 253 + 6;

bool IsHostCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == ':' || c == '[' ||
         c == ']';
}

// Prefixes the names of faulty fields with `settings`.
Error InSettings(Error error) {
  for (auto& [name, what] : error.fields) name = "settings." + name;
  return error;
}

template <class T>
protocol::Result<T> ParseAs(const std::string& json) {
  protocol::DecodeLimits limits;
  limits.max_bytes = kSettingsBytesMax;
  protocol::Document document;
  if (const char* why = protocol::DecodeJson(json, limits, &document))
    return Error::BadField("settings", why);
  T out;
  if (auto bound = protocol::Bind(document.root, &out); !bound.ok())
    return InSettings(std::move(bound.error()));
  return out;
}

constexpr char kSafety[] = "safety", kTextPolicy[] = "textPolicy";

// Has the name of the settings' member, so that its faults are reported under that name.
struct PolicyAlone {
  PolicySettings text_policy;
  static constexpr void Fields(auto& field) { field(kTextPolicy, &PolicyAlone::text_policy, ""); }
};
struct SafetyAlone {
  PolicyAlone safety;
  static constexpr void Fields(auto& field) { field(kSafety, &SafetyAlone::safety, ""); }
};

protocol::Result<PolicySettings> ReadPolicy(const nlohmann::json& policy) {
  PolicySettings out;
  if (policy == "default") return out;
  out.off = policy == "off";
  if (out.off) return out;
  if (!policy.is_object())
    return Error::BadField("settings.safety.textPolicy", "is neither default nor off nor a map");
  PARLEY_TRY(read, ParseAs<SafetyAlone>(nlohmann::json({{kSafety, {{kTextPolicy, policy}}}}).dump()));
  return std::move(read.safety.text_policy);
}

}  // namespace

std::optional<Origin> Origin::FromText(std::string_view text) {
  if (text.size() > kOriginBytesMax) return std::nullopt;
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (!text.starts_with(scheme)) continue;
    const std::string_view host = text.substr(scheme.size());
    if (host.empty() || !std::all_of(host.begin(), host.end(), IsHostCharacter)) return std::nullopt;
    return Origin{std::string(text)};
  }
  return std::nullopt;
}

std::optional<FolderName> FolderName::FromText(std::string_view text) {
  if (protocol::FoldersNamed(text) == 0) return std::nullopt;
  return FolderName{std::string(text)};
}

std::optional<EventType> EventType::FromText(std::string_view text) {
  for (const protocol::EventKindInfo& info : protocol::kEventKinds) {
    if (info.name == text && protocol::IsForBackEnds(info)) return EventType{info.kind};
  }
  return std::nullopt;
}

protocol::Result<std::optional<PolicySettings>> TakePolicySettings(std::string* json) {
  if (json->find(kTextPolicy) == std::string::npos) return std::optional<PolicySettings>();
  nlohmann::json all = nlohmann::json::parse(*json, nullptr, false);
  if (!all.is_object() || !all.contains(kSafety)) return std::optional<PolicySettings>();
  nlohmann::json& safety = all[kSafety];
  if (!safety.is_object() || !safety.contains(kTextPolicy)) return std::optional<PolicySettings>();
  PARLEY_TRY(read, ReadPolicy(safety[kTextPolicy]));
  safety.erase(kTextPolicy);
  *json = all.dump();
  return std::optional(std::move(read));
}

protocol::Result<TenantSettings> ParseSettings(const std::string& json) {
  std::string others = json;
  if (json.size() <= kSettingsBytesMax) PARLEY_CHECK_OK(TakePolicySettings(&others));
  return ParseAs<TenantSettings>(others);
}

protocol::Result<std::string> MergeSettings(const std::string& json, const std::string& patch) {
  using Json = nlohmann::json;
  Json merged = Json::parse(json, nullptr, false);
  const Json change = Json::parse(patch, nullptr, false);
  if (merged.is_discarded()) return Error(protocol::ErrorCode::kInternal, "settings that cannot be read");
  if (!change.is_object()) return Error::BadField("settings", "must be a map");
  merged.merge_patch(change);
  std::string out = merged.dump();
  if (out.size() > kSettingsBytesMax) return Error::BadField("settings", "are too large");
  PARLEY_CHECK_OK(ParseSettings(out));
  return out;
}

}  // namespace parley::accounts
