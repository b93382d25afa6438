#include "accounts/tenants/feature_settings.h"

#include <algorithm>
#include <utility>

#include "accounts/tenants/settings.h"
#include "protocol/base/mutex.h"

namespace parley::accounts {

struct FeatureSettings::Parsed {
  explicit Parsed(std::string text) : json(std::move(text)) {}
  const std::string json;
  protocol::Mutex mutex;
  std::vector<std::pair<std::type_index, std::shared_ptr<const void>>> by_type GUARDED_BY(mutex);
};

FeatureSettings::FeatureSettings(std::string json) : parsed_(std::make_shared<Parsed>(std::move(json))) {}

bool FeatureSettings::Decode(protocol::Document* out) const {
  protocol::DecodeLimits limits;
  limits.max_bytes = kSettingsBytesMax;
  return parsed_ && parsed_->json.size() <= kSettingsBytesMax &&
         protocol::DecodeJson(parsed_->json, limits, out) == nullptr;
}

const void* FeatureSettings::Find(std::type_index type,
                                  const std::function<std::shared_ptr<const void>()>& parse) const {
  static const auto nothing = std::make_shared<Parsed>("");  // for tenants that have set nothing
  Parsed& parsed = parsed_ ? *parsed_ : *nothing;
  const protocol::MutexLock lock(&parsed.mutex);
  for (const auto& [of, value] : parsed.by_type) {
    if (of == type) return value.get();
  }
  return parsed.by_type.emplace_back(type, parse()).second.get();
}

namespace settings_internal {

void KeepMembers(const std::vector<std::string_view>& names, protocol::Value* map) {
  protocol::Map* members = map->as_map();
  if (!members) return;
  std::erase_if(*members, [&](const auto& member) {
    return std::find(names.begin(), names.end(), member.first) == names.end();
  });
}

protocol::Value* Member(std::string_view name, protocol::Value* map) {
  protocol::Map* members = map->as_map();
  if (!members) return nullptr;
  for (auto& [of, value] : *members) {
    if (of == name) return &value;
  }
  return nullptr;
}

}  // namespace settings_internal

}  // namespace parley::accounts
