#include "accounts/tenants/settings.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "protocol/ops/inbox.h"

namespace parley::accounts {
namespace {

using protocol::Error;

constexpr size_t kOriginBytesMax = 8 + 253 + 6;

bool IsHostCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == ':' || c == '[' ||
         c == ']';
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

Error InSettings(Error error) {
  for (auto& [name, what] : error.fields) name = "settings." + name;
  return error;
}

protocol::Status DecodeSettings(const std::string& json, protocol::Document* out) {
  protocol::DecodeLimits limits;
  limits.max_bytes = kSettingsBytesMax;
  const char* why = protocol::DecodeJson(json, limits, out);
  return why ? protocol::Status(Error::BadField("settings", why)) : protocol::Ok();
}

protocol::Result<TenantSettings> ParseSettings(const std::string& json) {
  protocol::Document document;
  PARLEY_CHECK_OK(DecodeSettings(json, &document));
  KeepKnown<CoreSettings>(&document.root);
  TenantSettings out;
  if (auto bound = protocol::Bind(document.root, static_cast<CoreSettings*>(&out)); !bound.ok())
    return InSettings(std::move(bound.error()));
  out.of_features = FeatureSettings(json);
  return out;
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
