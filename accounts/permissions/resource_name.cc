#include "accounts/permissions/resource_name.h"

#include "protocol/base/sure.h"

namespace parley::accounts {
namespace {

constexpr std::string_view kThreadsPrefix = "threads/";

// Checks only the form, which is the same in every tenant.
bool IsResource(std::string_view text) {
  static const protocol::TenantId any = protocol::Sure(protocol::TenantId::FromText("any"));
  return Resource::Parse(any, text).ok();
}

}  // namespace

std::optional<protocol::ThreadId> ThreadOf(const ResourceName& name) {
  const std::string_view text = name.text;
  if (!text.starts_with(kThreadsPrefix)) return std::nullopt;
  return protocol::ThreadId::FromText(text.substr(kThreadsPrefix.size()));
}

const char* Read(const protocol::Value& value, ResourceName* out) {
  const std::string_view* text = value.as_text();
  if (!text) return "must be text";
  ResourceName name{std::string(*text)};
  if (!ThreadOf(name) && !IsResource(*text))
    return "must be \"tenant\", \"threads/\" and the id of a thread, or of the form type/id";
  *out = std::move(name);
  return nullptr;
}

}  // namespace parley::accounts
